import { takeEnvironment } from "@agent-marketplace/settings/takeEnvironment"
import { enableCompileCache } from "node:module"
import { isSupervised } from "./processes/Messages.ts"

// No function may capture it: it may contain a key, which must not stay in memory (CHAIN-5).
const environment = takeEnvironment()

// Compiling the modules takes most of the start, so the result is cached for the next one.
enableCompileCache()

/** One of several processes of a supervisor, or the only one. */
const serve = async (variables: Readonly<Record<string, string | undefined>>): Promise<void> => {
  const [{ runProcess }, { Server }] = await Promise.all([
    import("@agent-marketplace/settings/runProcess"),
    import("./Server.ts")
  ])
  runProcess("server", variables, Server.layer)
}

if (isSupervised) {
  // A terminal sends its signals to every process, and the supervisor sends another one: only the first counts.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})
  await serve(environment)
} else if ((environment["PROCESSES"] ?? "").trim() === "") await serve(environment)
else {
  const { start } = await import("./processes/start.ts")
  await start(environment, serve)
}
