import { takeEnvironment } from "@agent-marketplace/settings/takeEnvironment"
import { enableCompileCache } from "node:module"

const environment = takeEnvironment()

// Compiling the modules takes most of the start, so the result is cached for the next one.
enableCompileCache()
const [{ runProcess }, { Server }] = await Promise.all([
  import("@agent-marketplace/settings/runProcess"),
  import("./Server.ts")
])
runProcess("server", environment, Server.layer)
