import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Option, Result } from "effect"
import { Server } from "./Server.ts"

const configuration = readConfiguration(process.env)
// What is needed of it is in the configuration: no dump of the environment tells it.
delete process.env["TRON_HOT_WALLET_KEY"]
if (Result.isFailure(configuration)) {
  process.stderr.write(
    `The configuration is not right:\n${configuration.failure.faults.map((fault) => `  ${fault}\n`).join("")}`
  )
  process.exitCode = 78
} else {
  // A database that does not answer is the likeliest failure of a start: it is told in one sentence.
  const told = (cause: Cause.Cause<unknown>) => {
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    const away = typeof error === "object" && error !== null && "_tag" in error && error._tag === "StoreUnavailable"
    return Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : away
        ? Effect.sync(() =>
            process.stderr.write("The database cannot be reached, or does not let us in: look at DATABASE_URL.\n")
          )
        : Effect.logError("The server ends", cause)
  }
  NodeRuntime.runMain(Effect.tapCause(Layer.launch(Server.layer(configuration.success)), told), {
    disableErrorReporting: true,
    // Being told to stop is no failure: a supervisor must be able to tell a shutdown from a crash.
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
}
