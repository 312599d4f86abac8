import { withFileLock } from "@agent-marketplace/client/node/lock/FileLock"
import { processIdentity } from "@agent-marketplace/client/node/lock/ProcessIdentity"
import { randomBytes, randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { totalmem } from "node:os"
import { join } from "node:path"
import { isCluster, makeCluster, startPostmaster, urlOf } from "./Cluster.ts"
import type { Credentials } from "./Cluster.ts"
import { findPostmaster, lastPort, stopPostmaster } from "./Postmaster.ts"
import { watchPostmaster } from "./watchPostmaster.ts"

/** A cluster in use. */
export interface SharedCluster {
  /** The connection URL of the database `market`; it contains the password. */
  readonly url: string
  /** Ends the use of the cluster. The last user to do so stops it; then everything is on the disk. */
  readonly release: () => Promise<void>
}

interface Places {
  readonly cluster: string
  readonly log: string
  readonly lock: string
  readonly password: string
  /** One file per user of the cluster, named by its process; a process that died does not count. */
  readonly users: string
}

/**
 * The settings of a new cluster, in its `postgresql.conf`. `ALTER SYSTEM` changes them.
 *
 * - `shared_buffers`: an eighth of the memory of the machine or container, at least 128 MB (PostgreSQL's default) and at most 2 GB. If the rows
 *   and indexes in use do not fit, PostgreSQL copies them from the operating system's cache repeatedly.
 * - `io_method=sync`: each backend reads files itself. Reading pages from the operating system's cache then takes two thirds of the processor
 *   time of PostgreSQL's I/O workers.
 */
const settings = (): Readonly<Record<string, string>> => {
  const limit = process.constrainedMemory()
  const megabytes = (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20
  return { shared_buffers: `${Math.round(Math.min(2048, Math.max(128, megabytes / 8)))}MB`, io_method: "sync" }
}

/**
 * The cluster in `dataDir/postgres`: created at the first use, started if it does not run, adopted if a process that
 * was killed left it running, shared with other processes that use the same folder. Its durability is PostgreSQL's
 * default: a commit that was acknowledged survives a power cut. If it ends while it is in use, it is started again at the same
 * port. `report` receives a sentence about each such start, and about each attempt that failed.
 */
export const openSharedCluster = async (
  dataDir: string,
  report: (sentence: string) => void = () => {}
): Promise<SharedCluster> => {
  await mkdir(dataDir, { recursive: true })
  const places = placesIn(await realpath(dataDir))
  return await withFileLock(places.lock, lockOptions, async () => {
    // Other users of a cluster that was killed know its port and may start it again at any moment.
    const port = (await hasUsers(places)) ? await lastPort(places.cluster) : undefined
    const user = await addUser(places)
    try {
      const credentials = await credentialsIn(places)
      if (!(await isCluster(places.cluster))) await makeCluster(places.cluster, credentials, true, settings())
      const postmaster = await startPostmaster(places.cluster, places.log, {}, { port })
      const unwatch = watchPostmaster(postmaster, {
        restart: (signal) =>
          withFileLock(places.lock, { ...lockOptions, signal }, () =>
            startPostmaster(places.cluster, places.log, {}, { port: postmaster.port, signal })
          ),
        report
      })
      return {
        url: urlOf(credentials, postmaster),
        release: async () => {
          await unwatch()
          await withFileLock(places.lock, lockOptions, () => release(places, user))
        }
      }
    } catch (error) {
      await rm(user, { force: true })
      throw error
    }
  })
}

/** The lock is held for a start, of which retries take at most half a minute. A container that is killed meanwhile restarts under another host name, so its lock expires by age. */
const lockOptions = { patience: 120_000, longestHeld: 60_000 }

const placesIn = (dataDir: string): Places => ({
  cluster: join(dataDir, "postgres"),
  log: join(dataDir, "postgres.log"),
  lock: join(dataDir, "postgres.lock"),
  password: join(dataDir, "postgres.password"),
  users: join(dataDir, "postgres.users")
})

const release = async (places: Places, user: string): Promise<void> => {
  await rm(user, { force: true })
  if (await hasUsers(places)) return
  const postmaster = await findPostmaster(places.cluster)
  if (postmaster !== undefined) await stopPostmaster(postmaster.pid, places.cluster, "fast")
}

const credentialsIn = async ({ cluster, password }: Places): Promise<Credentials> => {
  if (!(await isCluster(cluster))) {
    await rm(password, { force: true })
    await writeFile(password, randomBytes(24).toString("hex"), { mode: 0o600 })
  }
  return { user: "market", password: await readFile(password, "utf8") }
}

const addUser = async ({ users }: Places): Promise<string> => {
  await mkdir(users, { recursive: true })
  const user = join(users, `${process.pid}-${randomUUID()}`)
  await writeFile(user, processIdentity(process.pid) ?? "")
  return user
}

const hasUsers = async ({ users }: Places): Promise<boolean> => {
  const files = await readdir(users).catch(() => [])
  const alive = await Promise.all(
    files.map(async (name) => {
      const isAlive = processIdentity(Number.parseInt(name)) === (await readFile(join(users, name), "utf8"))
      if (!isAlive) await rm(join(users, name), { force: true })
      return isAlive
    })
  )
  return alive.includes(true)
}
