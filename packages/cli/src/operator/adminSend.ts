import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import type { MarketRequest } from "@agent-marketplace/client/requests/Send"
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { baseUrl } from "../identity/baseUrl.ts"
import { CliContext } from "../terminal/CliContext.ts"

const noToken = new CommandFailure({
  code: "NO_ADMIN_TOKEN",
  message: "ADMIN_TOKEN is not set",
  hint: "Set it to the market's operator token; a development server keeps it in data/admin-token.",
  exitCode: exitCodes.key
})

/** The hint of a refused key does not apply to the operator's token. */
const explainToOperator = (cause: unknown): CommandFailure => {
  const failure = explain(cause)
  return failure.statusCode === 401
    ? new CommandFailure({ ...failure, message: failure.message, hint: "Is ADMIN_TOKEN the token of this market?" })
    : failure
}

/** Names the operator for the action log, if MARKETPLACE_OPERATOR is set. */
const fetchAs =
  (operator: string): typeof fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers)
    if (operator !== "") headers.set("x-operator", operator)
    return globalThis.fetch(url, { ...init, headers })
  }

/** One request with the operator's token (OPERATOR-1, CLI-12), from ADMIN_TOKEN; returns the `data` of the response. */
export const adminSend = <A>(request: Pick<MarketRequest, "method" | "path" | "body" | "idempotencyKey">) =>
  Effect.gen(function* () {
    const { env } = yield* CliContext
    const apiKey = env["ADMIN_TOKEN"] ?? ""
    if (apiKey === "") return yield* noToken
    const send = makeSend({
      apiKey,
      baseUrl: yield* baseUrl,
      agentId: undefined,
      timeout: 60_000,
      maxRetries: 2,
      fetch: fetchAs(env["MARKETPLACE_OPERATOR"] ?? "")
    })
    return yield* Effect.tryPromise({
      try: (signal) => send({ ...request, options: { signal } }) as Promise<A>,
      catch: explainToOperator
    })
  })
