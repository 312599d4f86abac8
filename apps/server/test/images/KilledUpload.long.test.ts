import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { png } from "@agent-marketplace/fixtures/images/png"
import { Client } from "pg"
import { assert, it, vi } from "vitest"
import { onMarket } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"

const wait = { timeout: 60_000, interval: 100 }

it("the bytes of a picture whose server was killed before it stored the row are removed after an hour (BLOB-6, IMAGE-4)", async () => {
  const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "off" }
  const first = await startServer(env)
  const market = onMarket(first.baseUrl)
  const seller = await market.member({ seller: true })
  const id = await market.listing(seller, "Painter", 5)
  const database = new Client({ connectionString: env.DATABASE_URL })
  await database.connect()
  const count = async (table: "blobs" | "blob_contents" | "item_images"): Promise<number> =>
    Number((await database.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count)
  try {
    assert.strictEqual(await count("blob_contents"), 0)
    await database.query("BEGIN")
    await database.query("SELECT id FROM listings WHERE id = $1 FOR UPDATE", [id])
    const upload = seller
      .post(`/v1/listings/${id}/images`, png(800, 600), { "content-type": "image/png" })
      .catch((error: unknown) => error)
    await vi.waitUntil(async () => (await count("blob_contents")) === 2, wait)
    await first.kill()
    assert.instanceOf(await upload, Error)
    await database.query("ROLLBACK")
    assert.strictEqual(await count("item_images"), 0)
    assert.strictEqual(await count("blobs"), 2)
    await database.query("UPDATE blobs SET announced_at = announced_at - interval '1 hour'")
    // Otherwise the second server would wait until the leases of the killed one expire.
    await database.query("DELETE FROM leases")
    const second = await startServer(env)
    await vi.waitUntil(async () => (await count("blob_contents")) === 0, wait)
    assert.strictEqual(await count("blobs"), 0)
    await second.stop()
  } finally {
    await database.end()
  }
})
