import { freePort } from "@agent-marketplace/http/server/freePort"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Effect, Result } from "effect"
import { supervise } from "./Supervisor.ts"

/** Starts as many processes as `PROCESSES` says. A single one, or a wrong configuration, which it reports, is left to `serve`. */
export const start = async (
  environment: Readonly<Record<string, string | undefined>>,
  serve: (environment: Readonly<Record<string, string | undefined>>) => Promise<void>
): Promise<void> => {
  const configuration = readConfiguration(environment, "server")
  if (Result.isFailure(configuration) || configuration.success.processes === 1) return serve(environment)
  const { host, port, processes } = configuration.success
  // All processes must listen on the same port.
  const chosen = port === 0 ? await Effect.runPromise(freePort(host)) : port
  supervise(processes, { ...environment, PORT: String(chosen) })
}
