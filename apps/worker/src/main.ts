import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Exit, Layer, Result } from "effect"
import { Worker } from "./Worker.ts"

const configuration = readConfiguration(process.env, "worker")
// What is needed of it is in the configuration: no dump of the environment tells it.
delete process.env["TRON_HOT_WALLET_KEY"]
if (Result.isFailure(configuration)) {
  process.stderr.write(
    `The configuration is not right:\n${configuration.failure.faults.map((fault) => `  ${fault}\n`).join("")}`
  )
  process.exitCode = 78
} else {
  NodeRuntime.runMain(Layer.launch(Worker.layer(configuration.success)), {
    // Being told to stop is no failure: a supervisor must be able to tell a shutdown from a crash.
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
}
