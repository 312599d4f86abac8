import { Marketplace } from "@agent-marketplace/client"
import { loginFetch } from "@agent-marketplace/client/node/login/loginFetch"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import { Effect, Redacted } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"

/** What a run sends to the market as its key. */
interface Credential {
  readonly apiKey: Redacted.Redacted
  /** Sends tokens that are refreshed when they expire. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Where the key of a run comes from: the environment, a stored key, or a login with the browser, which acts as an agent. */
export type KeySource = "environment" | "login" | "browser"

interface Session {
  readonly baseUrl: string
  readonly credential: Credential
  readonly source: KeySource
  /** Those of a login with the browser. */
  readonly scopes: ReadonlyArray<string> | undefined
}

/** The market and the key of this run. */
export const session = Effect.gen(function* () {
  const { env } = yield* CliContext
  const url = yield* baseUrl
  const common = { baseUrl: url, scopes: undefined }
  const given = env["MARKETPLACE_API_KEY"] || undefined
  if (given !== undefined)
    return { ...common, credential: { apiKey: Redacted.make(given) }, source: "environment" } satisfies Session
  const stored = (yield* keyFile.read).markets[url]
  if (stored === undefined)
    return yield* new CommandFailure({
      code: "NO_API_KEY",
      message: `there is no key for ${url}`,
      hint: `Run \`agent-marketplace login --base-url ${url}\`, or set MARKETPLACE_API_KEY.`,
      exitCode: exitCodes.key
    })
  if ("apiKey" in stored)
    return { ...common, credential: { apiKey: Redacted.make(stored.apiKey) }, source: "login" } satisfies Session
  const fetch = loginFetch(yield* keyFile.place, url)
  const { accessToken, scopes } = stored
  return {
    ...common,
    credential: { apiKey: Redacted.make(accessToken), fetch },
    source: "browser",
    scopes
  } satisfies Session
}) satisfies Effect.Effect<Session, unknown, unknown>

/** Shorter than the client's defaults, because a person waits. */
const patience = { timeout: 20_000, maxRetries: 2 }

/** A client for a market and a key. */
export const clientFor = (url: string, { apiKey, fetch }: Credential): Marketplace =>
  new Marketplace({ ...patience, apiKey: Redacted.value(apiKey), baseUrl: url, fetch })

const notForAgents = (scopes: ReadonlyArray<string>): string =>
  `This login acts as an agent with the permissions ${scopes.join(", ")}. \`agent-marketplace login --key\` stores a key of the owner, who can do more.`

/** A login with the browser has no key that could get another scope, so the usual hints do not help (CLI-18). */
const explainFor =
  ({ scopes }: Session) =>
  (cause: unknown): CommandFailure => {
    const failure = explain(cause)
    if (scopes === undefined || failure.code !== "INSUFFICIENT_PERMISSIONS") return failure
    const { code, details, exitCode, message, requestId, statusCode } = failure
    return new CommandFailure({ code, details, exitCode, message, requestId, statusCode, hint: notForAgents(scopes) })
  }

/** One call of the client with the user's key. An interruption aborts it. */
export const callMarket = <A>(call: (market: Marketplace, options: CallOptions) => Promise<A>) =>
  Effect.flatMap(session, (known) =>
    Effect.tryPromise({
      try: (signal) => call(clientFor(known.baseUrl, known.credential), { signal }),
      catch: explainFor(known)
    })
  )

/** One call of a public operation, with the user's key if there is one. */
export const callPublic = <A>(call: (market: Marketplace, options: CallOptions) => Promise<A>) =>
  Effect.gen(function* () {
    const url = yield* baseUrl
    const credential = yield* session.pipe(
      Effect.map((known): Credential => known.credential),
      Effect.catchIf(
        ({ code }) => code === "NO_API_KEY",
        () => Effect.succeed<Credential>({ apiKey: Redacted.make("anonymous") })
      )
    )
    return yield* Effect.tryPromise({ try: (signal) => call(clientFor(url, credential), { signal }), catch: explain })
  })
