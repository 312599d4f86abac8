import { makeCluster, startPostmaster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import { stopPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { randomUUID } from "node:crypto"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { onMarket } from "./fixtures/Market.ts"
import { copyForStandby, query } from "./fixtures/startReplicatedPostgres.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

type Cluster = Awaited<ReturnType<typeof startPostmaster>> & { readonly data: string; readonly url: string }

describe("hosts that are not replicas of the primary (DATABASE-7)", () => {
  const credentials = { user: "test", password: randomUUID() }
  const clusters: Array<Cluster> = []
  let folder: string
  let server: RunningServer | undefined

  const start = async (name: string, follows?: Cluster): Promise<Cluster> => {
    const data = join(folder, name)
    const source = `host=127.0.0.1 port=${follows?.port} user=${credentials.user} password=${credentials.password}`
    const settings = { fsync: "off", ...(follows === undefined ? {} : { primary_conninfo: source }) }
    const running = await startPostmaster(data, `${data}.log`, settings)
    const cluster = { ...running, data, url: urlOf(credentials, running) }
    clusters.push(cluster)
    return cluster
  }

  const usedOf = async ({ port }: Cluster): Promise<string | undefined> => {
    const text = await (await fetch(`${server?.baseUrl}/metrics`)).text()
    return new RegExp(`^database_replica_used\\{[^}]*host="127.0.0.1:${port}"[^}]*\\} (\\S+)`, "m").exec(text)?.[1]
  }

  const becomes = (cluster: Cluster, used: "0" | "1") =>
    waitFor(`${cluster.data} is used: ${used}`, async () => (await usedOf(cluster)) === used, 60_000)

  const positionOf = async ({ url }: Cluster, expression: string): Promise<number> =>
    Number((await query(url, `SELECT ${expression} - '0/0'::pg_lsn AS position`))[0]?.["position"])

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-histories-"))
    await chmod(folder, 0o711)
    for (const name of ["primary", "foreign"]) await makeCluster(join(folder, name), credentials, false)
    for (const copy of ["standby", "former-standby"]) await copyForStandby(join(folder, "primary"), join(folder, copy))
    // The same database after a restore: another history from here on, with the same name, system identifier and timeline.
    await copyForStandby(join(folder, "primary"), join(folder, "former"))
    await rm(join(folder, "former", "standby.signal"))
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    for (const { data, pid } of clusters) await stopPostmaster(pid, data, "immediate")
    await rm(folder, { recursive: true, force: true })
  })

  it("another cluster, a host that is ahead of the primary and one that was promoted serve no reads", async () => {
    const [primary, foreign, former] = [await start("primary"), await start("foreign"), await start("former")]
    const standby = await start("standby", primary)
    const ahead = await start("former-standby", former)
    for (let n = 0; n < 6; n++) await query(former.url, `CREATE TABLE lost_${n} AS SELECT 1; SELECT pg_switch_wal()`)
    const lost = await positionOf(former, "pg_current_wal_insert_lsn()")
    const replayed = () => positionOf(ahead, "pg_last_wal_replay_lsn()")
    await waitFor("the other history is replayed", async () => (await replayed()) >= lost, 60_000)

    const hosts = [standby, foreign, ahead].map(({ port }) => `127.0.0.1:${port}`).join(",")
    server = await startServer({
      DATABASE_URL: primary.url,
      READ_DATABASE_URL: `postgres://${credentials.user}:${credentials.password}@${hosts}/${credentials.user}`,
      LISTING_REVIEW: "auto",
      LOG_LEVEL: "info"
    })
    await becomes(standby, "1")
    for (const wrong of [foreign, ahead]) await becomes(wrong, "0")
    const logs = (reason: RegExp) => waitFor(String(reason), async () => reason.test(server?.output() ?? ""))
    await logs(new RegExp(`:${foreign.port} serves no reads: it belongs to another database`))
    await logs(new RegExp(`:${ahead.port} serves no reads: its history differs`))

    // The primary passes the position of the other history, which then looks like a replica that is a little behind.
    const market = onMarket(server.baseUrl)
    const seller = await market.member({ seller: true })
    const item = await market.listing(seller, "Of the only history", 5)
    for (let n = 0; (await positionOf(primary, "pg_current_wal_flush_lsn()")) <= (await replayed()); n++)
      await query(primary.url, `CREATE TABLE kept_${n} AS SELECT 1; SELECT pg_switch_wal()`)
    await becomes(standby, "1")
    const until = performance.now() + 5000
    while (performance.now() < until) {
      assert.strictEqual(await usedOf(ahead), "0", "it stays left out")
      assert.strictEqual(await usedOf(foreign), "0")
      const reply = await seller.get("/api/v1/listings?sort=newest&limit=100")
      assert.strictEqual(reply.status, 200)
      assert.include(reply.text, item)
    }

    // A promoted standby has a history of its own, while the primary goes on.
    await query(standby.url, "SELECT pg_promote(true, 30)")
    await becomes(standby, "0")
    assert.strictEqual((await seller.get("/api/v1/listings")).status, 200)
  })
})
