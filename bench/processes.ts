/** Starts and stops all processes of the benchmark. */
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { execFileSync, fork, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { chmod, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Measured, Task } from "./load.ts"
import type { MixedResult, MixedTask } from "./mixedLoad.ts"

const endings: Array<() => Promise<unknown>> = []

/** Registers what is undone at the end, before everything that was started earlier. */
export const atEnd = (end: () => Promise<unknown>): void => void endings.push(end)

const endAll = async (): Promise<void> => {
  for (let end = endings.pop(); end !== undefined; end = endings.pop()) {
    await end().catch((error: unknown) => console.error(error))
  }
}

let ended: Promise<void> | undefined

/** Stops everything that was started, in reverse order. Repeated calls have no effect. Processes that do not end are killed. */
export const endEverything = (): Promise<void> => (ended ??= endAll())

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const makeFolder = async (parent: string): Promise<string> => {
  const folder = mkdtempSync(join(parent, "agent-marketplace-bench-"))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  return folder
}

export const temporaryFolder = (): Promise<string> => makeFolder(tmpdir())

/** A folder in memory, where fsync takes no time; on systems without one, a temporary folder. */
export const memoryFolder = (): Promise<string> => makeFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir())

const hugePagesFile = "/proc/sys/vm/nr_hugepages"
/** Pages of 2 MB: enough for 2 GB of buffers and PostgreSQL's other shared memory. */
const hugePages = 1200

/**
 * Reserves huge pages until the end of the run, as `docs/operations.md` recommends. PostgreSQL uses them if there are enough. Does nothing without root, on other systems than
 * Linux, with less than 16 GB of memory, where the buffers are smaller, or if enough huge pages are already reserved.
 */
const reserveHugePages = async (): Promise<void> => {
  const before = await readFile(hugePagesFile, "utf8").catch(() => undefined)
  if (before === undefined || Number(before) >= hugePages) return
  if (process.getuid?.() !== 0 || totalmem() < 15 * 2 ** 30) return
  endings.push(() => writeFile(hugePagesFile, before))
  await writeFile(hugePagesFile, String(hugePages)).catch(() => undefined)
}

export interface Database {
  readonly url: string
  readonly pid: number
  /** Repeated calls have no effect. */
  readonly stop: () => Promise<void>
}

/**
 * An embedded PostgreSQL as the market starts it, with PostgreSQL's default durability. It is stopped at the end, even if another process started it. The huge pages
 * are enough for one: stop it before another one is measured.
 */
export const startDatabase = async (folder: string): Promise<Database> => {
  await reserveHugePages()
  const { release, url } = await openSharedCluster(folder)
  let stopping: Promise<void> | undefined
  const stopOnce = () => (stopping ??= release())
  endings.push(stopOnce)
  const pid = Number.parseInt(await readFile(join(folder, "postgres", "postmaster.pid"), "utf8"))
  return { url, pid, stop: stopOnce }
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  const late = await Promise.race([exited, setTimeout(10_000, "late", { ref: false })])
  if (late === "late") child.kill("SIGKILL")
  await exited
}

/** Stops this process at the end. */
export const stopLater = (child: ChildProcess): void => void endings.push(() => stop(child))

export interface Server {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first 200 on `/readyz`. */
  readonly readyMillis: number
  /** Resident memory in megabytes. */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

/** The command of `npm start`, with its flags. */
const startScript = (
  JSON.parse(readFileSync(path("../package.json"), "utf8")) as { readonly scripts: { readonly start: string } }
).scripts.start

const entries = {
  market: startScript.split(" ").slice(1),
  reference: [path("references/server.ts")]
} as const

/** Starts a server that logs to a file in `folder`. Rejects if it ends or is not ready within a minute. */
export const startServer = async (
  entry: keyof typeof entries,
  folder: string,
  environment: Readonly<Record<string, string>>
): Promise<Server> => {
  const port = await Effect.runPromise(freePort("127.0.0.1"))
  const logFile = join(folder, `${entry}-${port}.log`)
  const log = await open(logFile, "w")
  const begun = performance.now()
  const child = spawn(process.execPath, entries[entry], {
    cwd: path(".."),
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", log.fd, log.fd]
  })
  stopLater(child)
  await log.close()
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.ok,
      () => false
    )
  while (!(await ready())) {
    if (child.exitCode !== null || performance.now() - begun > 60_000)
      throw new Error(`${entry} did not start: ${(await readFile(logFile, "utf8")).slice(-2000)}`)
    await setTimeout(10)
  }
  return {
    port,
    pid: child.pid ?? 0,
    readyMillis: performance.now() - begun,
    memory: () => Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" })) / 1024,
    stop: () => stop(child)
  }
}

/** The load generator's process: one task at a time. */
export const startLoad = (): ((task: Task) => Promise<Measured>) => {
  const child = fork(path("load.ts"), { execArgv: [] })
  stopLater(child)
  return async (task) => {
    child.send(task)
    const [measured] = (await once(child, "message")) as [Measured]
    return measured
  }
}

/** The process of a load generator for several sources at once. */
export const startMixedLoad = (): ((task: MixedTask) => Promise<MixedResult>) => {
  const child = fork(path("mixedLoad.ts"), { execArgv: [] })
  endings.push(() => stop(child))
  return async (task) => {
    child.send(task)
    const [result] = (await once(child, "message")) as [MixedResult]
    return result
  }
}
