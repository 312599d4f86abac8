import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Option, Result } from "effect"
import type { Configuration } from "./Configuration.ts"
import { readConfiguration } from "./Configuration.ts"

/** A database that does not answer is the likeliest failure of a start: it is told in one sentence. */
const tell = (cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const away = typeof error === "object" && error !== null && "_tag" in error && error._tag === "StoreUnavailable"
  return away
    ? Effect.sync(() =>
        process.stderr.write("The database cannot be reached, or does not let us in: look at DATABASE_URL.\n")
      )
    : Effect.logError("The process ends", cause)
}

/**
 * Runs what `layer` makes of the environment's configuration until it is told to stop, and ends with 0. Ends with 78 and every
 * fault where the configuration is not right, with 1 where the process fails. The environment is that of `takeEnvironment`.
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
  NodeRuntime.runMain(Effect.tapCause(Layer.launch(layer(configuration.success)), tell), {
    disableErrorReporting: true,
    // Being told to stop is no failure: a supervisor must be able to tell a shutdown from a crash.
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
}
