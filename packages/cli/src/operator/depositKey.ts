import { Effect, Redacted } from "effect"
import { Prompt } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** The environment variable with the account's private key. */
export const keyVariable = "TRON_DEPOSIT_XPRV"

/** Read from the environment, a hidden prompt or standard input; never an argument, which other users of the machine could read. */
export const depositKey = Effect.gen(function* () {
  const { canPrompt, env, readInput } = yield* CliContext
  const fromEnvironment = env[keyVariable]?.trim() ?? ""
  delete process.env[keyVariable]
  if (fromEnvironment !== "") return Redacted.make(fromEnvironment)
  const given = canPrompt
    ? Redacted.value(yield* Prompt.run(Prompt.Hidden({ message: "Private key of the account m/44'/195'/0' (xprv…)" })))
    : yield* readInput
  if (given.trim() === "") return yield* usageFailure(`${keyVariable} must be set, or given on standard input`)
  return Redacted.make(given.trim())
})
