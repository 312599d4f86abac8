import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { adminToken, startServer } from "../fixtures/startServer.ts"

type Environment = Readonly<Record<string, string>>

/** A process that is started again whenever it ends, until it is closed. */
export interface RestartingProcess {
  /** kill -9, or nothing while it is being started. */
  readonly kill: () => void
  /** SIGSTOP for so many milliseconds. */
  readonly freeze: (milliseconds: number) => Promise<void>
  readonly close: () => Promise<void>
}

interface Started {
  readonly pid: number
  readonly ended: Promise<unknown>
}

const signal = (pid: number | undefined, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

const keepRunning = (start: () => Promise<Started>): RestartingProcess => {
  const state: { pid: number | undefined; closed: boolean } = { pid: undefined, closed: false }
  const life = (async () => {
    while (!state.closed) {
      const started = await start().catch(() => undefined)
      if (started === undefined) {
        await setTimeout(100)
        continue
      }
      state.pid = started.pid
      if (state.closed) signal(state.pid, "SIGTERM")
      await started.ended
      state.pid = undefined
    }
  })()
  return {
    kill: () => signal(state.pid, "SIGKILL"),
    freeze: async (milliseconds) => {
      const { pid } = state
      signal(pid, "SIGSTOP")
      await setTimeout(milliseconds)
      signal(pid, "SIGCONT")
    },
    close: async () => {
      state.closed = true
      signal(state.pid, "SIGTERM")
      await life
    }
  }
}

/** A server on a port of its own for each of its lives. `urls` holds the address of the current one. */
export const restartingServer = (env: Environment, urls: Map<number, string>, number: number): RestartingProcess =>
  keepRunning(async () => {
    const server = await startServer(env)
    urls.set(number, server.baseUrl)
    return server
  })

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

export const restartingWorker = (env: Environment): RestartingProcess =>
  keepRunning(async () => {
    const { HOME, PATH } = process.env
    const child = spawn(process.execPath, [programFile("worker")], {
      env: { HOME, PATH, NODE_ENV: "production", ADMIN_TOKEN: adminToken, LOG_LEVEL: "error", ...env },
      stdio: "ignore"
    })
    running.add(child)
    const ended = once(child, "exit").finally(() => running.delete(child))
    return { pid: child.pid ?? 0, ended }
  })
