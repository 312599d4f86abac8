import { takeEnvironment } from "@agent-marketplace/settings/takeEnvironment"
import { enableCompileCache } from "node:module"

const environment = takeEnvironment()

// Compiling what a start loads takes longer than everything else that it does: it is kept for the next one.
enableCompileCache()
const [{ runProcess }, { Worker }] = await Promise.all([
  import("@agent-marketplace/settings/runProcess"),
  import("./Worker.ts")
])
runProcess("worker", environment, Worker.layer)
