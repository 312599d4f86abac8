import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { createHash } from "node:crypto"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { Client } from "pg"
import { pack } from "tar-stream"
import { assert, describe, it } from "vitest"
import { adminToken, startServer, startWorker } from "./fixtures/processes.ts"
import type { RunningProcess } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const text = "---\nname: sorter\ndescription: Sorts files.\nversion: 1.0.0\n---\n\n# Sorter\n\nSorts.\n"

const packed = async (): Promise<Buffer> => {
  const tar = pack()
  tar.entry({ name: "SKILL.md" }, text)
  tar.finalize()
  return gzipSync(await buffer(tar as AsyncIterable<Buffer>))
}

const archive = await packed()
const digests = [archive, text].map((each) => createHash("sha256").update(each).digest("hex"))

/** How many statements of this database wait for a lock. */
const blocked = `
  SELECT count(*)::int AS blocked FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Where the server is stopped: it waits for a lock that the test holds there. */
const places = [
  {
    place: "between the commit of a purge and the claim of its blobs",
    hold: "LOCK TABLE blob_removals IN EXCLUSIVE MODE"
  },
  { place: "between the claim of the blobs and their removal", hold: "SELECT FROM blob_contents FOR UPDATE" }
]

const asOperator = { authorization: `Bearer ${adminToken}` }

const post = (baseUrl: string, path: string, body: object, headers: Readonly<Record<string, string>> = asOperator) =>
  fetch(baseUrl + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** The status of the response. */
const purge = async (baseUrl: string, item: string): Promise<number> =>
  (await post(baseUrl, `/api/v1/admin/items/${item}/purge`, { reason: "Leaked." })).status

describe("servers that are killed while they purge a release", () => {
  it.each(places)(
    "killed $place: the purge is in force, and a worker removes the bytes (PURGE-2)",
    { timeout: 180_000 },
    async ({ hold }) => {
      const DATABASE_URL = await createDatabase()
      const env = { DATABASE_URL }
      const started: Array<RunningProcess> = []
      const [database, holder] = [
        new Client({ connectionString: DATABASE_URL }),
        new Client({ connectionString: DATABASE_URL })
      ]
      await Promise.all([database.connect(), holder.connect()])
      const stored = async () =>
        (await database.query<object>("SELECT FROM blob_contents WHERE sha256 = ANY ($1)", [digests])).rowCount
      try {
        const first = await startServer(env)
        const scanner = await startWorker(env)
        started.push(first, scanner)
        const joined = await post(first.baseUrl, "/api/v1/accounts", { name: "Seller", seller: true })
        const { data: member } = (await joined.json()) as { data: { apiKey: { key: string } } }
        const asSeller = { authorization: `Bearer ${member.apiKey.key}` }
        const draft = { name: "Killed purge", description: "Does one thing well.", price: 5 }
        const listed = await post(first.baseUrl, "/api/v1/skills", draft, asSeller)
        const { data: skill } = (await listed.json()) as { data: { id: string } }
        const { id } = skill
        const releases = `/v1/listings/${id}/releases`
        const uploaded = await fetch(first.baseUrl + releases, {
          method: "POST",
          headers: { ...asSeller, "content-type": "application/gzip" },
          body: new Uint8Array(archive)
        })
        assert.strictEqual(uploaded.status, 201, await uploaded.clone().text())
        await waitFor("the release is scanned", async () => {
          const read = await fetch(`${first.baseUrl}${releases}/1.0.0`, { headers: asSeller })
          return ((await read.json()) as { status: string }).status === "published"
        })
        await scanner.end("SIGTERM")
        assert.strictEqual(await stored(), 2)

        await holder.query("BEGIN")
        await holder.query(hold)
        const purging = purge(first.baseUrl, id).catch(() => "cut off")
        await waitFor("the purge waits", async () => {
          const marked = await database.query<object>("SELECT FROM releases WHERE purged_at IS NOT NULL")
          const waiting = (await database.query<{ blocked: number }>(blocked)).rows[0]?.blocked ?? 0
          return marked.rowCount === 1 && waiting > 0
        })
        await first.end("SIGKILL")
        assert.strictEqual(await purging, "cut off")
        await waitFor("the connections of the killed server have ended", async () => {
          await database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
          return (await database.query<{ blocked: number }>(blocked)).rows[0]?.blocked === 0
        })
        await holder.query("ROLLBACK")
        assert.strictEqual(await stored(), 2, "it was killed before the removal")

        const second = await startServer(env)
        started.push(second)
        const download = await fetch(`${second.baseUrl}${releases}/1.0.0/download`, { headers: asSeller })
        assert.strictEqual(download.status, 404)
        // A claim of a process that may still run is left alone for five minutes.
        await database.query("UPDATE blob_removals SET claimed_at = claimed_at - interval '5 minutes'")
        await database.query("DELETE FROM leases")
        started.push(await startWorker(env))
        await waitFor("the bytes are removed", async () => (await stored()) === 0, 90_000)
        assert.strictEqual(await purge(second.baseUrl, id), 200)
      } finally {
        await Promise.all([database.end(), holder.end()])
        await Promise.all(started.map((each) => each.hasEnded() || each.end("SIGKILL")))
      }
    }
  )
})
