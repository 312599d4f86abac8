import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import { attemptRule, fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { answered, subscribed } from "@agent-marketplace/testkit/webhooks/webhookFixtures"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { PostgresStores } from "../../src/PostgresStores.ts"

const account = "usr_workers" as AccountId

const processOn = (url: string) =>
  Layer.build(Layer.fresh(PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))))

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** A database, this many processes on it, and a separate connection. */
const market = Effect.fnUntraced(function* (processes: number) {
  const url = yield* Effect.promise(() => createDatabase())
  const contexts = yield* Effect.forEach(Array.from({ length: processes }), () => processOn(url))
  const [first] = contexts
  if (first === undefined) return assert.fail("no process")
  return { url, contexts, first, beside: yield* connect(url) }
})

const append = (client: Client, from: number, to: number) =>
  Effect.promise(() =>
    client.query(
      `INSERT INTO events (type, at, subject, accounts, data)
       SELECT 'deposit.confirmed', now(), 'tx:' || n, ARRAY[$1::text], json_build_object('amount', n::text)
       FROM generate_series($2::int, $3::int) AS n`,
      [account, from, to]
    )
  )

const counts = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ deliveries: number; amounts: number; queued: number; attempts: number }>(`
      SELECT count(*)::int AS deliveries, count(DISTINCT payload::json->'data'->>'amount')::int AS amounts,
        (SELECT count(*)::int FROM webhook_queue) AS queued, (SELECT count(*)::int FROM webhook_attempts) AS attempts
      FROM webhook_deliveries`)
    return rows[0] ?? assert.fail("no counts")
  })

const dispatchAll = Effect.gen(function* () {
  const store = yield* WebhookStore
  while ((yield* store.dispatch(7, fanOut)) === 7);
})

const claimSome = (limit: number, leaseSeconds = 60) =>
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const now = (yield* Clock.currentTimeMillis) + 1000
    return yield* store.claim({ now, limit, perWebhook: 1000, perHost: 1000, leaseSeconds })
  })

describe("webhooks, many processes on one database (EVENT-14)", () => {
  it.live("an event whose transaction commits late is fanned out exactly once, by the next process", () =>
    Effect.gen(function* () {
      const { beside, contexts, first, url } = yield* market(3)
      yield* Effect.provideContext(subscribed({ id: account }), first)
      const dispatchEverywhere = Effect.forEach(contexts, (each) => Effect.provideContext(dispatchAll, each), {
        concurrency: "unbounded"
      })
      const late = yield* connect(url)
      yield* Effect.promise(() => late.query("BEGIN"))
      yield* append(late, 1, 5)
      yield* append(beside, 6, 50)
      yield* dispatchEverywhere
      assert.strictEqual((yield* counts(beside)).deliveries, 0, "later events wait for earlier ones")
      yield* Effect.promise(() => late.query("COMMIT"))
      yield* dispatchEverywhere
      assert.deepInclude(yield* counts(beside), { deliveries: 50, amounts: 50, queued: 50 })
      yield* dispatchEverywhere
      assert.strictEqual((yield* counts(beside)).deliveries, 50)
    }).pipe(Effect.scoped)
  )

  it.live("four processes share 600 deliveries, each claimed by one of them", () =>
    Effect.gen(function* () {
      const { beside, contexts, first } = yield* market(4)
      for (let i = 0; i < 3; i++) yield* Effect.provideContext(subscribed({ id: account }), first)
      yield* append(beside, 1, 200)
      yield* Effect.provideContext(dispatchAll, first)
      const held: Array<ClaimedDelivery> = []
      const work = Effect.gen(function* () {
        const store = yield* WebhookStore
        for (;;) {
          const claimed = yield* claimSome(37)
          if (claimed.length === 0) return
          held.push(...claimed)
          const now = yield* Clock.currentTimeMillis
          yield* store.record(
            claimed.map((each) => answered(each, 200, now)),
            attemptRule
          )
        }
      })
      // A worker that finds everything locked or claimed has ended; the others do what it left.
      while ((yield* counts(beside)).queued > 0) {
        yield* Effect.forEach(contexts, (each) => Effect.provideContext(work, each), { concurrency: "unbounded" })
      }
      assert.lengthOf(held, 600)
      assert.lengthOf(new Set(held.map(({ delivery }) => delivery.id)), 600)
      assert.deepInclude(yield* counts(beside), { deliveries: 600, attempts: 600, queued: 0 })
    }).pipe(Effect.scoped)
  )

  it.live("a claim skips rows that another transaction has locked, and takes them once it has ended", () =>
    Effect.gen(function* () {
      const { beside, first, url } = yield* market(1)
      yield* Effect.provideContext(subscribed({ id: account }), first)
      yield* append(beside, 1, 10)
      yield* Effect.provideContext(dispatchAll, first)
      const killed = yield* connect(url)
      yield* Effect.promise(() => killed.query("BEGIN"))
      yield* Effect.promise(() =>
        killed.query("SELECT FROM webhook_queue ORDER BY next_attempt_at, delivery_id LIMIT 4 FOR UPDATE")
      )
      // The locks are held until the test releases them: a claim that waited for them would not return.
      const claimed = yield* Effect.provideContext(claimSome(10), first)
      assert.lengthOf(claimed, 6)
      yield* Effect.promise(() => killed.query("ROLLBACK"))
      assert.lengthOf(yield* Effect.provideContext(claimSome(10), first), 4)
    }).pipe(Effect.scoped)
  )

  it.live(
    "concurrent records of a failing and a healthy receiver lose no failure, and disabling one causes no deadlock",
    () =>
      Effect.gen(function* () {
        const { beside, contexts, first } = yield* market(4)
        const failing = yield* Effect.provideContext(subscribed({ id: account }), first)
        yield* Effect.provideContext(subscribed({ id: account }), first)
        yield* append(beside, 1, 80)
        yield* Effect.provideContext(dispatchAll, first)
        const claimed = yield* Effect.provideContext(claimSome(1000), first)
        assert.lengthOf(claimed, 160)
        const now = yield* Clock.currentTimeMillis
        const batches = Array.from({ length: 16 }, (_, n) => claimed.filter((_each, i) => i % 16 === n).toReversed())
        yield* Effect.forEach(
          batches,
          (batch, n) =>
            Effect.provideContext(
              Effect.flatMap(WebhookStore, (store) =>
                store.record(
                  batch.map((each) => answered(each, each.webhook.id === failing.id ? (n > 13 ? 410 : 500) : 200, now)),
                  attemptRule
                )
              ),
              contexts[n % 4] ?? first
            ),
          { concurrency: "unbounded" }
        )
        const [row] = (yield* Effect.promise(() =>
          beside.query(`SELECT failures, status FROM webhooks WHERE id = '${failing.id}'`)
        )).rows
        assert.deepInclude(row, { failures: 80, status: "disabled" })
        assert.deepInclude(yield* counts(beside), { attempts: 160, queued: 0 })
      }).pipe(Effect.scoped)
  )
})
