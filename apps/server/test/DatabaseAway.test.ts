import { spawnSync } from "node:child_process"
import { mkdtemp, chmod, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client as Connection } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeCluster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import { bodyOf, dataOf, failureOf } from "./fixtures/Client.ts"
import type { Client, Reply } from "./fixtures/Client.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { makeSwitchedDatabase } from "./fixtures/SwitchedDatabase.ts"
import type { SwitchedDatabase } from "./fixtures/SwitchedDatabase.ts"
import { soulMarkdown } from "./fixtures/soulMarkdown.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const nothing = { activities: [], stats: { activeAgents: 0, tradesLast24h: 0, revenueLast24h: "0" } }

/** Maximum duration of a request in every state of the database. */
const patience = 20_000

/** Mounts a small file system at the folder, for a test to fill. Returns the reason if that is not possible. */
const mountSmallDisk = (folder: string): string | undefined => {
  const { error, status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300m,mode=711", "tmpfs", folder])
  return status === 0 ? undefined : `no file system can be mounted (${error?.message ?? String(stderr).trim()})`
}

/** Fills the disk. Returns a function that frees the space again. */
const fillDisk = async (folder: string): Promise<() => Promise<void>> => {
  const file = join(folder, "filler")
  const handle = await open(file, "w")
  for (const size of [1_000_000, 4096]) {
    const block = Buffer.alloc(size, 1)
    while (
      await handle.write(block).then(
        () => true,
        () => false
      )
    );
  }
  await handle.close()
  return () => rm(file)
}

const credentials = { user: "away", password: "only-for-this-test" }

describe("while PostgreSQL is unavailable", () => {
  let folder: string
  let database: SwitchedDatabase
  let server: RunningServer
  let market: Market
  let seller: Member
  let skillId: string
  let noSmallDisk: string | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-away-"))
    await chmod(folder, 0o711)
    noSmallDisk = mountSmallDisk(folder)
    await makeCluster(join(folder, "postgres"), credentials, false)
    database = await makeSwitchedDatabase(folder)
    server = await startServer({ DATABASE_URL: urlOf(credentials, database), LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true })
    skillId = await market.listing(seller, "Survivor", 2)
    bodyOf(await market.guest.get("/api/activity/live"))
  })
  afterAll(async () => {
    if (server !== undefined && !server.hasEnded()) await server.kill()
    await database?.close()
    if (noSmallDisk === undefined) spawnSync("umount", [folder])
    await rm(folder, { recursive: true, force: true })
  })

  /** A request for every kind of route, with a key that the server has cached. */
  const everything = (member: Client): ReadonlyArray<readonly [string, () => Promise<Reply>]> => [
    ["account", () => member.get("/api/v1/account")],
    ["listings", () => member.get("/v1/listings")],
    ["enveloped listings", () => member.get("/api/v1/listings")],
    ["listing", () => member.get(`/v1/listings/${skillId}`)],
    ["skills", () => member.get("/api/v1/skills?query=survivor")],
    ["balance", () => member.get("/api/v1/wallet/balance")],
    ["transactions", () => member.get("/api/v1/wallet/transactions")],
    ["buy", () => member.post("/api/v1/purchases", { skillId })],
    ["create listing", () => member.post("/v1/listings", listingDraft("Never made", 2))],
    ["register", () => market.guest.post("/api/v1/agents/register", { name: "Never made" })],
    ["unknown key", () => market.guest.get("/api/v1/account", { authorization: `Bearer ${seller.key}` })],
    ["queue", () => market.operator.get("/api/v1/admin/listings")]
  ]

  const assertSaysAway = async (name: string, ask: () => Promise<Reply>): Promise<void> => {
    const reply = await ask().catch((cause: unknown) => Promise.reject(new Error(`${name} got no response`, { cause })))
    assert.strictEqual(reply.status, 503, `${name}: ${reply.text}`)
    failureOf(reply, 503, "SERVICE_UNAVAILABLE")
    assert.notMatch(reply.text, /ECONN|SELECT|postgres|password|at .*\.ts/i, name)
  }

  /** The routes of souls keep their own error format (WIRE-4). */
  const assertSoulError = async (name: string, status: number, error: string, ask: () => Promise<Reply>) => {
    const reply = await ask()
    assert.deepStrictEqual([reply.status, reply.body], [status, { error }], name)
    assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/, name)
  }

  /** A snapshot of the feed is used for up to a second, so a snapshot from before the failure may be returned first. */
  const assertFeedEmpties = async (): Promise<void> => {
    const feed = () => market.guest.get("/api/activity/live")
    await waitFor("an empty feed", async () => (await feed()).text === JSON.stringify(nothing), patience)
    assert.deepStrictEqual(bodyOf(await feed()), nothing)
  }

  const assertHealth = async (): Promise<void> => {
    assert.strictEqual((await market.guest.get("/healthz")).status, 200)
    assert.strictEqual((await market.guest.get("/readyz")).status, 503)
  }

  const assertAway = async (): Promise<void> => {
    const soul = { name: "Never made", description: "Never made either.", content: soulMarkdown("Never") }
    const began = Date.now()
    await Promise.all([
      ...everything(seller).map(([name, ask]) => assertSaysAway(name, ask)),
      assertSoulError("souls", 503, "Service unavailable", () => seller.get("/api/souls")),
      assertSoulError("soul", 503, "Service unavailable", () => seller.get("/api/souls/some")),
      assertSoulError("create soul", 500, "Failed to create soul", () => seller.post("/api/v1/souls/create", soul)),
      assertFeedEmpties(),
      assertHealth()
    ])
    assert.isBelow(Date.now() - began, patience)
  }

  const assertBack = async (): Promise<void> => {
    await waitFor("ready again", async () => (await market.guest.get("/readyz")).status === 200)
    await waitFor("everything works", async () => (await seller.get("/v1/listings")).status === 200)
    for (const [name, ask] of everything(seller)) {
      assert.isBelow((await ask()).status, 500, name)
    }
    const feed = bodyOf<{ activities: ReadonlyArray<unknown> }>(await market.guest.get("/api/activity/live"))
    assert.isAbove(feed.activities.length, 0)
  }

  /** Changes a setting of PostgreSQL for all its connections. */
  const setForAll = async (setting: string): Promise<void> => {
    const connection = new Connection({
      connectionString: urlOf(credentials, database),
      options: "-c default_transaction_read_only=off"
    })
    await connection.connect()
    await connection.query(`ALTER SYSTEM ${setting}`)
    await connection.query("SELECT pg_reload_conf()")
    await connection.end()
  }

  const readiness = async (): Promise<number> => (await market.guest.get("/readyz")).status

  /** Not ready while only reads work; ready again, and writing again, once `restore` has run (SYSTEM-8). */
  const assertReadsOnly = async (restore: () => Promise<void>): Promise<void> => {
    await waitFor("not ready", async () => (await readiness()) === 503, patience)
    assert.strictEqual((await seller.get(`/v1/listings/${skillId}`)).status, 200)
    await restore()
    await waitFor("ready again", async () => (await readiness()) === 200, patience)
    await market.listing(seller, "Made again", 2)
  }

  it("read-only: not ready, buying returns 503, reads work; writable: ready again by itself (SYSTEM-8)", async () => {
    const owner = await market.fundedMember(5)
    assert.strictEqual(await readiness(), 200)
    await setForAll("SET default_transaction_read_only = on")
    const refused = await owner.post("/api/v1/purchases", { skillId })
    failureOf(refused, 503, "SERVICE_UNAVAILABLE")
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
    await assertReadsOnly(() => setForAll("RESET default_transaction_read_only"))
    dataOf(await owner.post("/api/v1/purchases", { skillId }), 201)
    assert.strictEqual((await market.balanceOf(owner)).balance, 3)
  })

  it("full disk: not ready, reads work; space again: ready again by itself (SYSTEM-8)", async ({ skip }) => {
    if (noSmallDisk !== undefined) {
      process.stderr.write(`Readiness is not tested on a full disk: ${noSmallDisk}\n`)
      return skip()
    }
    assert.strictEqual(await readiness(), 200)
    await assertReadsOnly(await fillDisk(folder))
  })

  for (const round of [1, 2]) {
    it(`stopped: every route reports it in its error format, the feed is empty with 200; started: full service again (${round})`, async () => {
      await database.stop()
      await waitFor("not ready", async () => (await market.guest.get("/readyz")).status === 503, patience)
      await assertAway()
      await database.start()
      await assertBack()
    })
  }

  it("silent: requests time out instead of hanging, and leave nothing behind", async () => {
    database.freeze()
    await assertAway()
    database.thaw()
    await assertBack()
    const owner = await market.fundedMember(5)
    dataOf(await owner.post("/api/v1/purchases", { skillId }), 201)
    await market.assertBalanced()
  })
})
