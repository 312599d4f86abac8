import { accountFor } from "@agent-marketplace/embedded-postgres/Account"
import { makeCluster, startPostmaster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import { stopPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import type { Postmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { randomUUID } from "node:crypto"
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { startFaultyProxy } from "../fixtures/FaultyProxy.ts"
import type { FaultyProxy } from "../fixtures/FaultyProxy.ts"
import { signalAll } from "../fixtures/startReplicatedPostgres.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const credentials = { user: "test", password: randomUUID() }

/** One of the two places for a cluster: its address stays the same, whatever runs there. */
interface Node {
  readonly proxy: FaultyProxy
  folder: string
  postmaster: Postmaster | undefined
}

const connected = async <A>({ folder, postmaster }: Node, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: urlOf(credentials, { port: postmaster?.port ?? 0 }) })
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

  constructor(folder: string, nodes: ReadonlyArray<Node>) {
    this.#folder = folder
    this.#nodes = nodes
  }

  static async start(): Promise<ChaosDatabase> {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-chaos-"))
    await chmod(folder, 0o711)
    const nodes = await Promise.all(
      [0, 1].map(async () => ({ proxy: await startFaultyProxy(), folder: "", postmaster: undefined }))
    )
    const database = new ChaosDatabase(folder, nodes)
    const first = database.#node(0)
    first.folder = join(folder, "cluster-0")
    await makeCluster(first.folder, credentials, false)
    await database.#run(first, {})
    await database.#rebuild(database.#node(1))
    return database
  }

  get url(): string {
    const hosts = this.#nodes.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(",")
    return `postgres://${credentials.user}:${credentials.password}@${hosts}/${credentials.user}`
  }

  #node(index: number): Node {
    const node = this.#nodes[index % 2]
    if (node === undefined) throw new Error("there are two nodes")
    return node
  }

  async #run(node: Node, settings: Readonly<Record<string, string>>): Promise<void> {
    const common = { fsync: "off", synchronous_standby_names: "*", max_connections: "200", wal_keep_size: "512MB" }
    node.postmaster = await startPostmaster(node.folder, `${node.folder}.log`, { ...common, ...settings })
    node.proxy.target = node.postmaster.port
  }

  /** Makes a standby of the primary from a copy, and waits until it replicates synchronously. */
  async #rebuild(node: Node): Promise<void> {
    const source = this.#node(this.#primary)
    const port = source.postmaster?.port ?? 0
    node.folder = join(this.#folder, `cluster-${++this.#clusters}`)
    await connected(source, async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)")
      await copyRunning(source.folder, node.folder)
      const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)")
      await writeOwned(node.folder, "backup_label", rows[0]?.labelfile ?? "")
    })
    await writeOwned(node.folder, "standby.signal", "")
    await this.#run(node, {
      primary_conninfo: `host=127.0.0.1 port=${port} user=test password=${credentials.password}`
    })
    await waitFor("the standby replicates synchronously", () =>
      connected(source, async (client) => {
        const { rows } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        return rows.length > 0
      })
    )
  }

  /** Cuts every connection to the database. */
  cut(): void {
    for (const { proxy } of this.#nodes) proxy.cut()
  }

  /** Delays everything that passes between the market and the database, from now on. */
  delay(milliseconds: number): void {
    for (const { proxy } of this.#nodes) proxy.delay = milliseconds
  }

  /** kill -9 of every process of the primary, which then recovers at another port. */
  async restart(): Promise<void> {
    const node = this.#node(this.#primary)
    await signalAll(node.postmaster?.pid ?? 0, "SIGKILL")
    await this.#run(node, {})
    const standby = this.#node(this.#primary + 1)
    // The standby follows an address, so it is built anew for the new one.
    await this.#discard(standby)
    await this.#rebuild(standby)
  }

  /** kill -9 of the primary; the standby takes over, and a new standby is made. */
  async promote(): Promise<void> {
    const lost = this.#node(this.#primary)
    await signalAll(lost.postmaster?.pid ?? 0, "SIGKILL")
    this.#primary += 1
    this.promotions += 1
    await connected(this.#node(this.#primary), (client) => client.query("SELECT pg_promote(true, 30)"))
    await this.#discard(lost)
    await this.#rebuild(lost)
  }

  async #discard(node: Node): Promise<void> {
    await signalAll(node.postmaster?.pid ?? 0, "SIGKILL")
    await rm(node.folder, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    for (const { folder, postmaster, proxy } of this.#nodes) {
      if (postmaster !== undefined) await stopPostmaster(postmaster.pid, folder, "immediate")
      await proxy.close()
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}
