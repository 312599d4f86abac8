import { Marketplace } from "@agent-marketplace/client"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect, Redacted } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"

/** The market and the key of this run. */
export const session = Effect.gen(function* () {
  const { env } = yield* CliContext
  const url = yield* baseUrl
  const given = env["MARKETPLACE_API_KEY"] || undefined
  const key = given ?? (yield* keyFile.read).markets[url]?.apiKey
  if (key === undefined)
    return yield* new CommandFailure({
      code: "NO_API_KEY",
      message: `there is no key for ${url}`,
      hint: `Run \`agent-marketplace login --base-url ${url}\`, or set MARKETPLACE_API_KEY.`,
      exitCode: exitCodes.key
    })
  const source = given === undefined ? ("login" as const) : ("environment" as const)
  return { baseUrl: url, apiKey: Redacted.make(key), source }
})

/** Shorter than the client's defaults, because a person waits. */
const patience = { timeout: 20_000, maxRetries: 2 }

/** A client for a market and a key. */
export const clientFor = (url: string, apiKey: Redacted.Redacted): Marketplace =>
  new Marketplace({ ...patience, apiKey: Redacted.value(apiKey), baseUrl: url })

/** One call of the client with the user's key. An interruption aborts it. */
export const callMarket = <A>(call: (market: Marketplace, options: CallOptions) => Promise<A>) =>
  Effect.flatMap(session, ({ apiKey, baseUrl: url }) =>
    Effect.tryPromise({ try: (signal) => call(clientFor(url, apiKey), { signal }), catch: explain })
  )

/** One call of a public operation, with the user's key if there is one. */
export const callPublic = <A>(call: (market: Marketplace, options: CallOptions) => Promise<A>) =>
  Effect.gen(function* () {
    const url = yield* baseUrl
    const apiKey = yield* session.pipe(
      Effect.map((known) => known.apiKey),
      Effect.catchIf(
        ({ code }) => code === "NO_API_KEY",
        () => Effect.succeed(Redacted.make("anonymous"))
      )
    )
    return yield* Effect.tryPromise({ try: (signal) => call(clientFor(url, apiKey), { signal }), catch: explain })
  })
