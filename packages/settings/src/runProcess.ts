import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import { SigningKeyRetired } from "@agent-marketplace/core/signing/MarketKeys"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Option, Result } from "effect"
import type { Configuration } from "./Configuration.ts"
import { readConfiguration } from "./Configuration.ts"
import { DataFolderRefused } from "./DataFolder.ts"

const errorCodeOf = (error: unknown): unknown =>
  typeof error !== "object" || error === null
    ? undefined
    : "code" in error
      ? error.code
      : "cause" in error
        ? errorCodeOf(error.cause)
        : undefined

/** The failures of a start that an operator meets most often, each in one line; undefined for every other. */
const sentenceOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null || !("_tag" in error)) return undefined
  if (error._tag === "StoreUnavailable" && "cause" in error && error.cause instanceof UnsuitableStore)
    return error.cause.message
  if (error._tag === "StoreUnavailable")
    return "The database cannot be reached, or refuses the login: check DATABASE_URL."
  if (error instanceof DataFolderRefused || error instanceof SigningKeyRetired) return error.message
  if (error._tag !== "ServeError") return undefined
  switch (errorCodeOf(error)) {
    case "EADDRINUSE":
      return "The port is in use by another process: set PORT (of a worker METRICS_PORT) to another one."
    case "EACCES":
      return "The user of this process may not listen on the port: set PORT (of a worker METRICS_PORT) to one above 1023."
    case "EADDRNOTAVAIL":
      return "HOST is not an address of this machine."
    default:
      return undefined
  }
}

const report = (cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const sentence = sentenceOf(Option.getOrUndefined(Cause.findErrorOption(cause)))
  return sentence === undefined
    ? Effect.logError("The process ends", cause)
    : Effect.sync(() => process.stderr.write(`${sentence}\n`))
}

/**
 * Runs what `layer` makes of the environment's configuration until a signal stops it, and then exits with 0. Exits with 78 and every
 * fault if the configuration is invalid, and with 1 if the process fails. The environment is that of `takeEnvironment`.
 */
export const runProcess = <E>(
  name: "server" | "worker",
  environment: Readonly<Record<string, string | undefined>>,
  layer: (configuration: Configuration) => Layer.Layer<never, E>
): void => {
  const configuration = readConfiguration(environment, name)
  if (Result.isFailure(configuration)) {
    const faults = configuration.failure.faults.map((fault) => `  ${fault}\n`).join("")
    process.stderr.write(`The configuration is not right:\n${faults}`)
    process.exitCode = 78
    return
  }
  NodeRuntime.runMain(Effect.tapCause(Layer.launch(layer(configuration.success)), report), {
    disableErrorReporting: true,
    // A requested stop is not a failure: a supervisor must be able to distinguish a shutdown from a crash.
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
}
