import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { adminToken, startServer } from "../fixtures/startServer.ts"

type Environment = Readonly<Record<string, string>>

/** A process that is started again whenever it ends, until it is closed. */
export interface RestartingProcess {
  /** kill -9, or nothing while it is being started. */
  readonly kill: () => void
  /** SIGSTOP for as long as this takes. */
  readonly frozen: <A>(meanwhile: () => Promise<A>) => Promise<A>
  /** How often it has ended. */
  readonly ends: () => number
  /** The end of the output of its last lives. */
  readonly output: () => string
  readonly close: () => Promise<void>
}

interface Started {
  readonly pid: number
  readonly ended: Promise<unknown>
}

const keptOutput = 20_000

const signal = (pid: number | undefined, name: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/** On a busy machine SIGSTOP takes effect with a delay. Resolves at once where the system does not show it. */
const untilStopped = async (pid: number | undefined): Promise<void> => {
  const runs = async () => / [RSD] /.test((await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")).slice(0, 100))
  while (await runs()) await setTimeout(1)
}

/** A process that does not stop by itself within this time is killed. */
const patience = 30_000

const keepRunning = (start: (hear: (text: string) => void) => Promise<Started>): RestartingProcess => {
  const state: { pid: number | undefined; closed: boolean; output: string; ends: number } = {
    pid: undefined,
    closed: false,
    output: "",
    ends: 0
  }
  const hear = (text: string) => void (state.output = (state.output + text).slice(-keptOutput))
  const life = (async () => {
    while (!state.closed) {
      const started = await start(hear).catch((error: unknown) => hear(`${String(error)}\n`))
      if (started === undefined) {
        await setTimeout(100)
        continue
      }
      state.pid = started.pid
      if (state.closed) signal(state.pid, "SIGTERM")
      await started.ended
      state.pid = undefined
      state.ends += 1
    }
  })()
  return {
    kill: () => signal(state.pid, "SIGKILL"),
    frozen: async (meanwhile) => {
      const { pid } = state
      signal(pid, "SIGSTOP")
      await untilStopped(pid)
      try {
        return await meanwhile()
      } finally {
        signal(pid, "SIGCONT")
      }
    },
    ends: () => state.ends,
    output: () => state.output,
    close: async () => {
      state.closed = true
      signal(state.pid, "SIGTERM")
      const late = globalThis.setTimeout(() => signal(state.pid, "SIGKILL"), patience)
      await life
      clearTimeout(late)
    }
  }
}

export interface RestartingServer extends RestartingProcess {
  /** The address of its current life, or of the last one; undefined before the first. */
  readonly baseUrl: () => string | undefined
}

/** A server on a port of its own for each of its lives. */
export const restartingServer = (env: Environment): RestartingServer => {
  let baseUrl: string | undefined
  const running = keepRunning(async (hear) => {
    const server = await startServer(env, hear)
    baseUrl = server.baseUrl
    return server
  })
  return { ...running, baseUrl: () => baseUrl }
}

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

export const restartingWorker = (env: Environment): RestartingProcess =>
  keepRunning(async (hear) => {
    const { HOME, PATH } = process.env
    const child = spawn(process.execPath, [programFile("worker")], {
      env: { HOME, PATH, NODE_ENV: "production", ADMIN_TOKEN: adminToken, LOG_FORMAT: "json", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    running.add(child)
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => hear(chunk.toString()))
    const ended = once(child, "exit").finally(() => running.delete(child))
    return { pid: child.pid ?? 0, ended }
  })
