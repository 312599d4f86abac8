import type { StoredTokens } from "@agent-marketplace/client/node/login/KeyFile"
import { Effect, Option, Redacted } from "effect"
import { Command, Prompt } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { notice, report } from "../terminal/report.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import { plain } from "../terminal/text.ts"
import { baseUrl } from "./baseUrl.ts"
import { awaitTokens, startDevice } from "./deviceLogin.ts"
import type { Device } from "./deviceLogin.ts"
import { keyFile } from "./keyFile.ts"
import { endLogin } from "./LogoutCommand.ts"
import { openBrowser } from "./openBrowser.ts"
import { clientFor } from "./session.ts"

/** Read from the environment, a hidden prompt or standard input; never an argument, which other users of the machine could read (CLI-1). */
const givenKey = Effect.gen(function* () {
  const { canPrompt, env, readInput } = yield* CliContext
  const fromEnvironment = env["MARKETPLACE_API_KEY"] || undefined
  if (fromEnvironment !== undefined) return Redacted.make(fromEnvironment)
  if (canPrompt) return Redacted.make(Redacted.value(yield* Prompt.run(Prompt.Hidden({ message: "API key" }))).trim())
  return Redacted.make((yield* readInput).trim())
})

/** The key of an unclaimed agent is valid, but belongs to no account yet. */
const ownerOf = (url: string, apiKey: Redacted.Redacted) =>
  Effect.tryPromise({ try: (signal) => clientFor(url, { apiKey }).account.get({ signal }), catch: explain }).pipe(
    Effect.map(({ id, name }): { readonly id: string | null; readonly name: string } => ({ id, name })),
    Effect.catchIf(
      ({ code }) => code === "AGENT_NOT_CLAIMED",
      () => Effect.succeed({ id: null, name: "an agent without an owner" })
    )
  )

const isHeaderText = (key: string): boolean => /^[\x21-\x7E]{1,512}$/.test(key)

const refuseBlank = (key: string) =>
  new CommandFailure({
    code: "NO_API_KEY",
    message: key === "" ? "no key was given" : "this is not an API key",
    hint: "Give it at the prompt, on standard input, or in MARKETPLACE_API_KEY.",
    exitCode: exitCodes.key
  })

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

export const warnOfPlainHttp = (url: string) => {
  const { hostname, protocol } = new URL(url)
  return protocol === "http:" && !loopback.has(hostname)
    ? notice(`warning: ${url} is not encrypted: others on the network can read the key`)
    : Effect.void
}

type Owner = Effect.Success<ReturnType<typeof ownerOf>>

const stored = (url: string, owner: Owner, more: object, sentence: string) =>
  Effect.flatMap(keyFile.place, (file) => report({ baseUrl: url, account: owner, file, ...more }, () => sentence))

const storeKey = Effect.fnUntraced(function* (url: string, apiKey: Redacted.Redacted) {
  const key = Redacted.value(apiKey)
  if (!isHeaderText(key)) return yield* refuseBlank(key)
  const owner = yield* ownerOf(url, apiKey)
  yield* keyFile.keep(url, { apiKey: key })
  return yield* stored(url, owner, {}, `Logged in to ${url} as ${plain.line(owner.name)}.`)
})

const showCode = Effect.fnUntraced(function* ({ completeUrl, lifetime, userCode, verificationUrl }: Device) {
  const opened = yield* openBrowser(completeUrl)
  const minutes = Math.round(lifetime / 60_000)
  yield* notice(opened ? "The browser shows this code. Compare it, and decide there:" : "Open this page in a browser:")
  yield* notice(`  ${opened ? completeUrl : verificationUrl}`)
  yield* notice(`Code: ${userCode} (for ${minutes} minutes)`)
})

/** Tokens of an earlier login on this machine would remain valid, although nothing could use them. */
const replaceTokens = Effect.fnUntraced(function* (url: string, tokens: StoredTokens) {
  const before = (yield* keyFile.read).markets[url]
  yield* keyFile.keep(url, tokens)
  if (before !== undefined && "refreshToken" in before) yield* Effect.promise(() => endLogin(url, before.refreshToken))
})

/** The person consents in the browser, and this machine becomes an agent with the scopes and limits of that consent (CLI-17). */
const loginWithBrowser = Effect.fnUntraced(function* (url: string, scope: string) {
  const device = yield* startDevice(url, scope)
  yield* showCode(device)
  const tokens = yield* awaitTokens(url, device)
  yield* replaceTokens(url, tokens)
  const owner = yield* ownerOf(url, Redacted.make(tokens.accessToken))
  const may = tokens.scopes.join(", ")
  const sentence = `Logged in to ${url} as an agent of ${plain.line(owner.name)}, which may ${may}.`
  return yield* stored(url, owner, { scopes: tokens.scopes }, sentence)
})

const scopePattern = /^(?:read|buy|sell)(?: (?:read|buy|sell))*$/

const login = Effect.fnUntraced(function* (withKey: boolean, scope: Option.Option<string>) {
  const url = yield* baseUrl
  yield* keyFile.read
  yield* warnOfPlainHttp(url)
  const asked = Option.getOrElse(scope, () => "read buy sell")
  if (!scopePattern.test(asked)) return yield* usageFailure("--scope: must name some of: read buy sell")
  if (withKey && Option.isSome(scope))
    return yield* usageFailure("--scope is for a login with the browser, without --key")
  const { canPrompt, env } = yield* CliContext
  const isScripted = env["MARKETPLACE_API_KEY"] || !canPrompt
  const given = withKey || (isScripted && Option.isNone(scope)) ? yield* givenKey : undefined
  if (given !== undefined && (withKey || Redacted.value(given) !== "")) return yield* storeKey(url, given)
  return yield* loginWithBrowser(url, asked)
})

export const loginCommand = Command.make(
  "login",
  {
    key: switchFlag("key", "Store an API key: read from a hidden prompt, standard input or MARKETPLACE_API_KEY"),
    scope: optionalText("scope", "What to ask for, such as 'read buy'; 'read buy sell' by default")
  },
  ({ key, scope }) => login(key, scope)
).pipe(
  Command.withDescription(
    "Log in with the browser, where the owner sets the limits of this machine. A key in MARKETPLACE_API_KEY or on standard input is stored instead, after the market has accepted it."
  )
)
