import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { NodeRuntime } from "@effect/platform-node"
import { Layer, Result } from "effect"
import { Worker } from "./Worker.ts"

const configuration = readConfiguration(process.env, "worker")
if (Result.isFailure(configuration)) {
  process.stderr.write(
    `The configuration is not right:\n${configuration.failure.faults.map((fault) => `  ${fault}\n`).join("")}`
  )
  process.exitCode = 78
} else {
  NodeRuntime.runMain(Layer.launch(Worker.layer(configuration.success)))
}
