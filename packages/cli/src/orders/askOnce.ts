import type { Marketplace } from "@agent-marketplace/client"
import type { MoneyCallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect } from "effect"
import type { CommandFailure } from "../errors/CommandFailure.ts"
import { ask, session } from "../identity/session.ts"
import { notice } from "../terminal/notice.ts"
import { orderKey } from "./orderKey.ts"

/** Whether the market has said what became of it; without an answer, or with one of a broken server, it may have been done. */
const isAnswered = ({ statusCode }: CommandFailure): boolean =>
  statusCode !== undefined && statusCode >= 400 && statusCode < 500

/**
 * A call that moves money, done once however often it is repeated: with the caller's idempotency key, or with one that is kept for
 * this order until there is an answer.
 */
export const askOnce = <A>(
  order: string,
  given: string | undefined,
  call: (market: Marketplace, options: MoneyCallOptions) => Promise<A>
) =>
  Effect.gen(function* () {
    const send = (idempotencyKey: string) => ask((market, options) => call(market, { ...options, idempotencyKey }))
    if (given !== undefined) return yield* send(given)
    const { baseUrl } = yield* session
    const { isRepeated, key } = yield* orderKey.take(baseUrl, order)
    if (isRepeated) yield* notice("This was not answered before: it is repeated, and done once.")
    const answer = yield* send(key).pipe(
      Effect.tapError((failure) => (isAnswered(failure) ? orderKey.settle(baseUrl, order) : Effect.void))
    )
    yield* orderKey.settle(baseUrl, order)
    return answer
  })
