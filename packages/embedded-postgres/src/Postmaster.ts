import { commandLine, isRunning } from "@agent-marketplace/client/node/lock/ProcessIdentity"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** The server process of a cluster, as its `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly status: "starting" | "ready" | "stopping"
}

/** The postmaster that runs on a data folder, or `undefined`. A file left by a dead one is ignored. */
export const findPostmaster = async (folder: string): Promise<Postmaster | undefined> => {
  const lines = await readPidFile(folder)
  if (lines === undefined) return undefined
  const pid = Number(lines[0])
  if (!isPostmasterOf(pid, folder)) return undefined
  const status = lines[7]?.trim()
  return { pid, port: Number(lines[3]), status: status === "ready" || status === "stopping" ? status : "starting" }
}

/** The port of the postmaster that runs on a data folder, or of one that was killed there; `undefined` after a shutdown. */
export const lastPort = async (folder: string): Promise<number | undefined> => {
  const port = Number((await readPidFile(folder))?.[3])
  return Number.isInteger(port) && port > 0 ? port : undefined
}

/**
 * Removes a `postmaster.pid` whose id now belongs to a process other than PostgreSQL; the file would keep PostgreSQL from
 * starting. A file whose process has ended stays: PostgreSQL reads it to find out whether an orphaned backend still uses the data.
 */
export const forgetReusedPid = async (folder: string): Promise<void> => {
  const lines = await readPidFile(folder)
  if (lines === undefined) return
  const pid = Number(lines[0])
  if (isRunning(pid) && !isPostmasterOf(pid, folder)) await rm(join(folder, "postmaster.pid"), { force: true })
}

/** Ends a postmaster: `fast` aborts transactions and writes everything to disk; `immediate` leaves that to recovery. */
export const stopPostmaster = async (pid: number, folder: string, mode: "fast" | "immediate"): Promise<void> => {
  if (!isPostmasterOf(pid, folder)) return
  process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT")
  const ended = await waitUntil(async () => !isPostmasterOf(pid, folder), 30_000)
  if (!ended && mode === "fast") await stopPostmaster(pid, folder, "immediate")
}

/** Polls until the condition holds (true) or the time in milliseconds has passed (false). */
export const waitUntil = async (condition: () => Promise<boolean>, milliseconds: number): Promise<boolean> => {
  const deadline = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > deadline) return false
    await setTimeout(10)
  }
  return true
}

const readPidFile = (folder: string): Promise<Array<string> | undefined> =>
  readFile(join(folder, "postmaster.pid"), "utf8").then(
    (text) => text.split("\n"),
    () => undefined
  )

const isPostmasterOf = (pid: number, folder: string): boolean => {
  const command = commandLine(pid)
  return command !== undefined && command.includes("postgres") && command.includes(` -D ${folder} `)
}
