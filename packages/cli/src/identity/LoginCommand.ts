import { Effect, Redacted } from "effect"
import { Command, Prompt } from "effect/cli"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { explain } from "../errors/explain.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { notice, report } from "../terminal/report.ts"
import { plain } from "../terminal/text.ts"
import { baseUrl } from "./baseUrl.ts"
import { keyFile } from "./keyFile.ts"
import { clientFor } from "./session.ts"

const logout = Effect.gen(function* () {
  const url = yield* baseUrl
  const { current, markets } = yield* keyFile.read
  const { [url]: removed, ...others } = markets
  if (removed !== undefined)
    yield* keyFile.write({ current: current === url ? Object.keys(others)[0] : current, markets: others })
  const message =
    removed === undefined
      ? `There was no key for ${url}.`
      : `The key for ${url} is removed from this machine. It still works: \`agent-marketplace keys deactivate\` ends it.`
  yield* report({ baseUrl: url, forgotten: removed !== undefined }, () => message)
})

export const logoutCommand = Command.make("logout", {}, () => logout).pipe(
  Command.withDescription("Remove the stored key of a market")
)

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
  Effect.tryPromise({ try: (signal) => clientFor(url, apiKey).account.get({ signal }), catch: explain }).pipe(
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

const login = Effect.gen(function* () {
  const url = yield* baseUrl
  const kept = yield* keyFile.read
  yield* warnOfPlainHttp(url)
  const apiKey = yield* givenKey
  const key = Redacted.value(apiKey)
  if (!isHeaderText(key)) return yield* refuseBlank(key)
  const owner = yield* ownerOf(url, apiKey)
  yield* keyFile.write({ current: url, markets: { ...kept.markets, [url]: { apiKey: key } } })
  const file = yield* keyFile.place
  yield* report({ baseUrl: url, account: owner, file }, () => `Logged in to ${url} as ${plain.line(owner.name)}.`)
})

export const loginCommand = Command.make("login", {}, () => login).pipe(
  Command.withDescription(
    "Store an API key for a market, after the market has accepted it. It is read from a hidden prompt, standard input or MARKETPLACE_API_KEY."
  )
)
