import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { NodeRuntime } from "@effect/platform-node"
import { Layer, Result } from "effect"
import { Server } from "./Server.ts"

const configuration = readConfiguration(process.env)
if (Result.isFailure(configuration)) {
  process.stderr.write(
    `The configuration is not right:\n${configuration.failure.faults.map((fault) => `  ${fault}\n`).join("")}`
  )
  process.exitCode = 78
} else {
  NodeRuntime.runMain(Layer.launch(Server.layer(configuration.success)))
}
