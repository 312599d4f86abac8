import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import { countDeliveries } from "../../src/webhooks/countDeliveries.ts"
import { deliveriesQuery } from "../../src/webhooks/deliveryMethods.ts"
import { findAudience } from "../../src/webhooks/dispatchEvents.ts"
import { scannedWhole } from "../explain.ts"
import { PostgresStores } from "../../src/PostgresStores.ts"

/** One receiver with a long backlog and an open circuit, and some with few deliveries. */
const fill = [
  `INSERT INTO webhooks (id, account_id, url, host, events, status, secret, failures, paused_until, created_at)
   SELECT 'whk_' || n, 'usr_1', 'https://h' || n || '.example/', 'h' || n || '.example', '{*}', 'active', 's',
     CASE n WHEN 0 THEN 9 ELSE 0 END, CASE n WHEN 0 THEN now() + interval '1 day' END, now()
   FROM generate_series(0, 50) AS n`,
  `INSERT INTO webhook_deliveries (id, webhook_id, event, event_at, payload, status, tries)
   SELECT 'dlv_' || k || '_' || n, 'whk_' || n, 'deposit.confirmed', now() - interval '1 hour', '{}', 'pending', 0
   FROM generate_series(0, 50) AS n, generate_series(1, CASE n WHEN 0 THEN 40000 ELSE 20 END) AS k`,
  `INSERT INTO webhook_queue (delivery_id, webhook_id, next_attempt_at)
   SELECT id, webhook_id, event_at FROM webhook_deliveries`,
  `ANALYZE`
]

const big = ["webhooks", "webhook_deliveries"]

/** Many webhooks, one in 50 of which subscribes to souls, and one with a long log. */
const fillLog = [
  `INSERT INTO webhooks (id, account_id, url, host, events, status, secret, created_at)
   SELECT 'whk_' || n, 'usr_' || n, 'https://h.example/', 'h.example',
     CASE n % 50 WHEN 0 THEN '{soul.updated}' ELSE '{purchase.completed}' END::text[], 'active', 's', now()
   FROM generate_series(0, 20000) AS n`,
  `INSERT INTO webhook_deliveries (id, webhook_id, event, event_at, payload, status, tries)
   SELECT 'dlv_' || n, 'whk_' || n % 5, 'purchase.completed', now() - n * interval '1 second', '{}', 'delivered', 1
   FROM generate_series(1, 50000) AS n`,
  `ANALYZE`
]

describe("lists of webhooks", () => {
  it("neither a page of the log, nor its counts, nor the search for an audience reads a whole table (DELIVERY-10, DELIVERY-15, EVENT-5)", async () => {
    const client = new Client({
      connectionString: await createDatabase(),
      options: "-c random_page_cost=1.1 -c jit=off"
    })
    await client.connect()
    for (const statement of fillLog) await client.query(statement)
    const webhook = "whk_1" as WebhookId
    for (const filter of [
      {},
      { status: "failed" },
      { event: "purchase.completed" },
      { after: "dlv_3601" as DeliveryId }
    ] as const) {
      const query = deliveriesQuery(webhook, { limit: 20, ...filter })
      assert.deepStrictEqual(await scannedWhole(client, query, big), [], JSON.stringify(filter))
    }
    const since = new Date(Date.now() - 3_600_000)
    for (const one of [null, webhook]) {
      const count = { text: countDeliveries, parameters: ["usr_1", since, new Date(), null, one] }
      assert.deepStrictEqual(await scannedWhole(client, count, big), [], String(one))
    }
    const parameters = [["1"], ["soul.updated"], ["soul_1"], ["users"]]
    assert.deepStrictEqual(await scannedWhole(client, { text: findAudience, parameters }, big), [])
    await client.end()
  })
})

describe("the queue of webhooks", () => {
  it.live("a claim reads next to nothing of a backlog that may not be sent", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const context = yield* Layer.build(
        PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))
      )
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => new Client({ connectionString: url })),
        (each) => Effect.promise(() => each.end())
      )
      yield* Effect.promise(async () => {
        await client.connect()
        for (const statement of fill) await client.query(statement)
      })
      const rowsRead = Effect.promise(async () => {
        await client.query("SELECT pg_stat_force_next_flush()")
        const { rows } = await client.query<{ read: number }>(`
          SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
          FROM pg_stat_user_tables WHERE relname = 'webhook_queue'`)
        return rows[0]?.read ?? 0
      })
      const { claim } = yield* Effect.provideContext(WebhookStore, context)
      const before = yield* rowsRead
      const claimed = yield* claim({
        now: yield* Clock.currentTimeMillis,
        limit: 200,
        perWebhook: 100,
        perHost: 100,
        leaseSeconds: 30
      })
      assert.lengthOf(claimed, 200)
      assert.isBelow(new Set(claimed.map(({ webhook }) => webhook.id)).size, 51)
      const read = { after: before }
      yield* eventually(
        "the session reports its statistics",
        Effect.map(rowsRead, (now) => (read.after = now) > before)
      )
      assert.isBelow(read.after - before, 10_000)
    }).pipe(Effect.scoped)
  )
})
