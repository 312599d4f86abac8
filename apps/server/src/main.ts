import { takeEnvironment } from "@agent-marketplace/settings/takeEnvironment"
import { enableCompileCache } from "node:module"

const environment = takeEnvironment()

// Compiling what a start loads takes longer than everything else that it does: it is kept for the next one.
enableCompileCache()
const [{ runProcess }, { Server }] = await Promise.all([
  import("@agent-marketplace/settings/runProcess"),
  import("./Server.ts")
])
runProcess("server", environment, Server.layer)
