import { commandLine } from "@agent-marketplace/client/node/lock/ProcessIdentity"
import { accountFor } from "@agent-marketplace/embedded-postgres/Account"
import { makeCluster, startPostmaster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import type { Postmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { randomUUID } from "node:crypto"
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { startFaultyProxy } from "../fixtures/FaultyProxy.ts"
import type { FaultyProxy } from "../fixtures/FaultyProxy.ts"
import { fillDisk, mountSmallDisk, unmountSmallDisk } from "../fixtures/SmallDisk.ts"
import { signalAll } from "../fixtures/startReplicatedPostgres.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const credentials = { user: "test", password: randomUUID() }

/** One of the two places for a cluster: its addresses stay the same, whatever runs there. */
interface Node {
  /** A disk of its own where the system can mount one. */
  readonly disk: string
  /** Where the market connects. */
  readonly proxy: FaultyProxy
  /** Where the standby connects. */
  readonly replication: FaultyProxy
  folder: string
  postmaster: Postmaster | undefined
}

/** The size of each of the two disks. The test fills one of them from time to time. */
const diskMegabytes = 1000

const connected = async <A>(
  { folder, postmaster }: Node,
  use: (client: Client) => Promise<A>,
  name = credentials.user
): Promise<A> => {
  const client = new Client({ connectionString: urlOf(credentials, { port: postmaster?.port ?? 0 }, name) })
  client.on("error", () => undefined)
  try {
    await client.connect()
  } catch (cause) {
    const log = await readFile(`${folder}.log`, "utf8").catch(() => "")
    throw new Error(`${folder} refuses connections. The end of its log: ${log.slice(-2000)}`, { cause })
  }
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Copies the files of a running cluster. A file that disappears meanwhile is recovered from the log. */
const copyRunning = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { mode: 0o700 })
  const account = await accountFor(from)
  const own = (path: string) => (account === undefined ? undefined : chown(path, account.uid, account.gid))
  await own(to)
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (path === "postmaster.pid") continue
    const target = join(to, path)
    if (entry.isDirectory()) await mkdir(target, { recursive: true })
    else
      await copyFile(join(from, path), target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error
      })
    await Promise.resolve(own(target)).catch(() => undefined)
  }
}

const writeOwned = async (folder: string, name: string, text: string): Promise<void> => {
  await writeFile(join(folder, name), text)
  const account = await accountFor(folder)
  if (account !== undefined) await chown(join(folder, name), account.uid, account.gid)
}

/**
 * A primary and a synchronous standby that exchange their roles: after each promotion the lost primary is built anew as the standby. The
 * market reaches both through proxies.
 */
export class ChaosDatabase {
  readonly #folder: string
  readonly #nodes: ReadonlyArray<Node>
  #primary = 0
  #clusters = 0
  promotions = 0
  /** Why the disk cannot be filled here; undefined where it can. */
  readonly noDisk: string | undefined

  private constructor(folder: string, nodes: ReadonlyArray<Node>, noDisk: string | undefined) {
    this.#folder = folder
    this.#nodes = nodes
    this.noDisk = noDisk
  }

  static async start(): Promise<ChaosDatabase> {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-chaos-"))
    await chmod(folder, 0o711)
    let noDisk: string | undefined
    const nodes: Array<Node> = []
    for (const name of ["disk-0", "disk-1"]) {
      const disk = join(folder, name)
      await mkdir(disk, { mode: 0o711 })
      noDisk ??= mountSmallDisk(disk, diskMegabytes)
      const [proxy, replication] = [await startFaultyProxy(), await startFaultyProxy()]
      nodes.push({ disk, proxy, replication, folder: "", postmaster: undefined })
    }
    const database = new ChaosDatabase(folder, nodes, noDisk)
    try {
      const first = database.#node(0)
      first.folder = join(first.disk, "cluster-0")
      await makeCluster(first.folder, credentials, false)
      await database.#run(first)
      await database.#rebuild(database.#node(1))
    } catch (error) {
      await database.close()
      throw error
    }
    return database
  }

  /** The URL of one of its databases, which names both hosts. */
  url(name = credentials.user): string {
    const hosts = this.#nodes.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(",")
    return `postgres://${credentials.user}:${credentials.password}@${hosts}/${name}`
  }

  /** The rows of a statement on the primary, past the proxies. */
  query(text: string, name = credentials.user): Promise<ReadonlyArray<Record<string, unknown>>> {
    return connected(this.#node(this.#primary), async (client) => (await client.query(text)).rows, name)
  }

  #node(index: number): Node {
    const node = this.#nodes[index % 2]
    if (node === undefined) throw new Error("there are two nodes")
    return node
  }

  async #run(node: Node): Promise<void> {
    const { password, user } = credentials
    const upstream = this.#nodes.find((other) => other !== node)?.replication.port ?? 0
    node.postmaster = await startPostmaster(node.folder, `${node.folder}.log`, {
      fsync: "off",
      synchronous_standby_names: "*",
      max_connections: "200",
      wal_keep_size: "128MB",
      max_wal_size: "128MB",
      wal_retrieve_retry_interval: "200ms",
      // A primary ignores it.
      primary_conninfo: `host=127.0.0.1 port=${upstream} user=${user} password=${password}`
    })
    node.proxy.target = node.postmaster.port
    node.replication.target = node.postmaster.port
  }

  /** Makes a standby of the primary from a copy, and waits until it replicates synchronously. */
  async #rebuild(node: Node): Promise<void> {
    const source = this.#node(this.#primary)
    node.folder = join(node.disk, `cluster-${++this.#clusters}`)
    await connected(source, async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)")
      await copyRunning(source.folder, node.folder)
      const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)")
      await writeOwned(node.folder, "backup_label", rows[0]?.labelfile ?? "")
    })
    await writeOwned(node.folder, "standby.signal", "")
    await this.#run(node)
    await this.#replicates()
  }

  async #replicates(): Promise<void> {
    const log = () => readFile(`${this.#node(this.#primary + 1).folder}.log`, "utf8")
    await waitFor(
      "the standby replicates synchronously",
      async () => (await this.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0,
      180_000
    ).catch(async (cause: unknown) => {
      throw new Error(`The end of the standby's log: ${(await log()).slice(-2000)}`, { cause })
    })
  }

  /** Cuts every connection to the database. */
  cut(): void {
    for (const { proxy } of this.#nodes) proxy.cut()
  }

  /** Cuts the connection between primary and standby: nothing is committed before it is there again. */
  cutReplication(): void {
    for (const { replication } of this.#nodes) replication.cut()
  }

  /** Delays everything that passes between the market and the database, from now on. */
  delay(milliseconds: number): void {
    for (const { proxy } of this.#nodes) proxy.delay = milliseconds
  }

  /** kill -9 of every process of the primary, which then recovers at another port. */
  async restart(): Promise<void> {
    const node = this.#node(this.#primary)
    await signalAll(node.postmaster?.pid ?? 0, "SIGKILL")
    await this.#run(node)
    await this.#replicates()
  }

  /** Stops the primary's processes for so long: it accepts connections and answers nothing. */
  async freeze(milliseconds: number): Promise<void> {
    const pid = this.#node(this.#primary).postmaster?.pid ?? 0
    await signalAll(pid, "SIGSTOP")
    try {
      await setTimeout(milliseconds)
    } finally {
      await signalAll(pid, "SIGCONT")
    }
  }

  /** kill -9 of the primary; the standby takes over, and a new standby is made. */
  async promote(): Promise<void> {
    await signalAll(this.#node(this.#primary).postmaster?.pid ?? 0, "SIGKILL")
    await this.#takeOver()
  }

  /** The standby takes over while the primary is frozen. The former primary then continues for so long, as if nothing had happened. */
  async promoteBesideFrozen(milliseconds: number): Promise<void> {
    const pid = this.#node(this.#primary).postmaster?.pid ?? 0
    await signalAll(pid, "SIGSTOP")
    await this.#takeOver(async () => {
      await signalAll(pid, "SIGCONT")
      await setTimeout(milliseconds)
    })
  }

  async #takeOver(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    const lost = this.#node(this.#primary)
    this.#primary += 1
    this.promotions += 1
    await this.query("SELECT pg_promote(true, 120)")
    await meanwhile()
    await signalAll(lost.postmaster?.pid ?? 0, "SIGKILL")
    await rm(lost.folder, { recursive: true, force: true })
    await this.#rebuild(lost)
  }

  /** Leaves the primary without space on its disk for so long. It may end, and is then started again. */
  async fillDisk(milliseconds: number): Promise<void> {
    const node = this.#node(this.#primary)
    const free = await fillDisk(node.disk)
    try {
      await setTimeout(milliseconds)
    } finally {
      await free()
    }
    await waitFor(
      "the primary accepts statements",
      async () => {
        if (commandLine(node.postmaster?.pid ?? 0) === undefined) await this.#run(node)
        return this.query("SELECT 1").catch(() => undefined)
      },
      180_000
    )
    await this.#replicates()
  }

  async close(): Promise<void> {
    for (const { disk, postmaster, proxy, replication } of this.#nodes) {
      await signalAll(postmaster?.pid ?? 0, "SIGKILL")
      await Promise.all([proxy.close(), replication.close()])
      if (this.noDisk === undefined) unmountSmallDisk(disk)
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}
