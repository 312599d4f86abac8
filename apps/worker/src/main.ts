import { takeEnvironment } from "@agent-marketplace/settings/takeEnvironment"
import { enableCompileCache } from "node:module"

const environment = takeEnvironment()

// Compiling the modules takes most of the start, so the result is cached for the next one.
enableCompileCache()
const [{ runProcess }, { Worker }] = await Promise.all([
  import("@agent-marketplace/settings/runProcess"),
  import("./Worker.ts")
])
runProcess("worker", environment, Worker.layer)
