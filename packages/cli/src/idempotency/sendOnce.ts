import type { Marketplace } from "@agent-marketplace/client"
import type { MoneyCallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import type { CommandFailure } from "../errors/CommandFailure.ts"
import { callMarket, session } from "../identity/session.ts"
import { notice } from "../terminal/report.ts"
import { pendingKey } from "./pendingKey.ts"

/** Whether the market refused the request. Without a response, or after a server error, it may have been carried out. */
const isAnswered = ({ statusCode }: CommandFailure): boolean =>
  statusCode !== undefined && statusCode >= 400 && statusCode < 500

/**
 * A call that moves money and takes effect once, however often the command is repeated: with the given idempotency key, or with a key
 * that is stored for this request until the market responds.
 */
export const sendOnce = <A>(
  order: string,
  given: string | undefined,
  call: (market: Marketplace, options: MoneyCallOptions) => Promise<A>
) =>
  Effect.gen(function* () {
    const send = (idempotencyKey: string) =>
      callMarket((market, options) => call(market, { ...options, idempotencyKey }))
    if (given !== undefined) return yield* send(given)
    const { baseUrl } = yield* session
    const { isRepeated, key } = yield* pendingKey.take(baseUrl, order)
    if (isRepeated) yield* notice("An earlier attempt got no response: this repeats it with the same idempotency key.")
    const answer = yield* send(key).pipe(
      Effect.tapError((failure) => (isAnswered(failure) ? pendingKey.settle(baseUrl, order) : Effect.void))
    )
    yield* pendingKey.settle(baseUrl, order)
    return answer
  })

/** The idempotency key that the user gives. */
export const idempotencyKeyFlag = Flag.String("idempotency-key").pipe(
  Flag.withDescription("A request that is repeated with the same key within 24 hours takes effect once"),
  Flag.withMetavar("key"),
  Flag.optional
)
