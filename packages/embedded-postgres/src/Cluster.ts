import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { accountFor, commandAs } from "./Account.ts"
import type { Account, Command } from "./Account.ts"
import { findBinaries } from "./Binaries.ts"
import { findPostmaster, forgetReusedPid, stopPostmaster, waitUntil } from "./Postmaster.ts"
import type { Postmaster } from "./Postmaster.ts"

export interface Credentials {
  /** The superuser of the cluster, and the name of the database made in it. */
  readonly user: string
  readonly password: string
}

const environment = { PATH: process.env["PATH"] ?? "", LC_ALL: "C" }

/** Loopback only. Refused statements are reported to the client and not logged, because unique violations are expected. */
const commonSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_min_messages: "log"
}

/** Whether a folder holds a cluster. It appears complete or not at all: see `makeCluster`. */
export const isCluster = (folder: string): Promise<boolean> =>
  stat(join(folder, "PG_VERSION")).then(
    () => true,
    () => false
  )

/**
 * Makes a cluster in `folder`, which must not exist, with one superuser and a database of the same name. It is built
 * beside and moved into place, so that a process killed half-way leaves no half cluster. One call at a time per folder.
 *
 * @param durable whether the files are forced to disk before they are moved.
 * @param settings what its configuration file sets besides the defaults.
 */
export const makeCluster = async (
  folder: string,
  credentials: Credentials,
  durable: boolean,
  settings: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const building = `${folder}.new`
  const passwordFile = `${folder}.new-password`
  const binaries = await findBinaries()
  const account = await accountFor(folder)
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, `${credentials.password}\n`, { mode: 0o600 })
  try {
    if (account !== undefined) for (const path of [building, passwordFile]) await chown(path, account.uid, account.gid)
    const as = commandAs(account, binaries, building)
    const sync = durable ? [] : ["--no-sync"]
    const set = Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`)
    run(as(binaries.initdb, [...initdbArgs(building, credentials.user, passwordFile), ...sync, ...set]))
    const single = ["--single", "-D", building, ...(durable ? [] : ["-F"]), "postgres"]
    run(as(binaries.postgres, single), `CREATE DATABASE "${credentials.user}"\n`)
    await rename(building, folder)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(building, { recursive: true, force: true })
  }
}

const initdbArgs = (folder: string, user: string, passwordFile: string): ReadonlyArray<string> => [
  `--pgdata=${folder}`,
  `--username=${user}`,
  `--pwfile=${passwordFile}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8"
]

/** Runs a program to its end. Throws with its output when it fails, or when single-user mode reports an error. */
const run = ({ args, file, options }: Command, input = ""): void => {
  const result = spawnSync(file, args, { ...options, cwd: "/", env: environment, input, encoding: "utf8" })
  if (result.status === 0 && !/^\S.*(?:ERROR|FATAL): /m.test(result.stderr)) return
  throw new Error(`PostgreSQL could not be set up: ${result.error?.message ?? result.stderr.trim()}`)
}

/**
 * Errors that resolve themselves, and how long a start is retried after each, in milliseconds: another program has taken the port, or connections
 * of a killed postmaster still run statements.
 */
const transientErrors: ReadonlyArray<readonly [error: RegExp, patience: number]> = [
  [/could not bind|could not create any TCP/, 5_000],
  [/shared memory block .* in use/, 30_000]
]

/**
 * The running postmaster of a cluster: the one that runs already, no matter which process started it, or else a new one. A new one is
 * no part of this process: it survives it, and the terminal's signals do not reach it. One call at a time per folder.
 *
 * Rejects with the end of the server's log when it does not come up.
 *
 * @param port where a new one listens; a free port if absent.
 * @param signal ends the retries.
 */
export const startPostmaster = async (
  folder: string,
  logFile: string,
  settings: Readonly<Record<string, string>> = {},
  { port, signal }: { readonly port?: number | undefined; readonly signal?: AbortSignal | undefined } = {}
): Promise<Postmaster> => {
  const running = await settled(folder)
  if (running !== undefined) return running
  await forgetReusedPid(folder)
  const account = await accountFor(folder)
  let failedAt: number | undefined
  for (;;) {
    const outcome = await start(folder, logFile, account, { ...settings, port: String(port ?? (await freePort())) })
    if (typeof outcome !== "string") return outcome
    failedAt ??= performance.now()
    const [, patience] = transientErrors.find(([error]) => error.test(outcome)) ?? [undefined, 0]
    if (performance.now() - failedAt >= patience) throw new Error(`PostgreSQL did not start: ${outcome}`)
    await setTimeout(200, undefined, { signal })
  }
}

/** The postmaster once it is ready, after its recovery if need be; `undefined` when there is none or it ended. */
const settled = async (folder: string): Promise<Postmaster | undefined> => {
  let found: Postmaster | undefined
  const done = await waitUntil(async () => {
    found = await findPostmaster(folder)
    return found === undefined || found.status === "ready"
  }, 120_000)
  if (!done) throw new Error(`PostgreSQL (process ${found?.pid}) has been ${found?.status} for two minutes`)
  return found
}

const start = async (
  folder: string,
  logFile: string,
  account: Account | undefined,
  settings: Readonly<Record<string, string>>
): Promise<Postmaster | string> => {
  const binaries = await findBinaries()
  const options = Object.entries({ ...commonSettings, ...settings })
  const args = ["-D", folder, ...options.flatMap(([name, value]) => ["-c", `${name}=${value}`])]
  const command = commandAs(account, binaries, folder)(binaries.postgres, args)
  const log = await open(logFile, "a", 0o600)
  const { size } = await log.stat()
  const stdio = ["ignore" as const, log.fd, log.fd]
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: "/",
    env: environment,
    detached: true,
    stdio
  })
  let ended: string | undefined
  child.once("error", (error) => (ended = error.message))
  child.once("exit", () => (ended ??= ""))
  child.unref()
  await log.close()
  let found: Postmaster | undefined
  const done = await waitUntil(async () => {
    found = await findPostmaster(folder)
    return ended !== undefined || (found?.status === "ready" && found.pid === child.pid)
  }, 120_000)
  if (ended === undefined && done && found !== undefined) return found
  if (!done && child.pid !== undefined) await stopPostmaster(child.pid, folder, "fast")
  return ended || (await readFile(logFile)).subarray(size).toString().trim() || "its log is empty"
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** The connection URL of a cluster's own database, or of another in it. */
export const urlOf = ({ password, user }: Credentials, { port }: Pick<Postmaster, "port">, database = user): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
