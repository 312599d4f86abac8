import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { logLifetime } from "@agent-marketplace/core/webhooks/Delivery"
import { fanOut } from "@agent-marketplace/core/webhooks/DeliveryRules"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { subscribed } from "@agent-marketplace/testkit/webhooks/webhookFixtures"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { Client } from "pg"
import { PostgresStores } from "../../src/PostgresStores.ts"
import { attemptsOf } from "../../src/webhooks/deliveryMethods.ts"
import { lockDeliveries, readWebhooks } from "../../src/webhooks/recordAttempts.ts"

const account = "usr_partitions" as AccountId

const processOn = (url: string) =>
  Layer.build(Layer.fresh(PostgresStores.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))))

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      // A test ends the session of one.
      client.on("error", () => undefined)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const run = <Row extends object>(client: Client, text: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.promise(async () => (await client.query(text, [...parameters])).rows as ReadonlyArray<Row>)

/** A database with a subscription, two processes on it, and a separate connection. */
const market = Effect.gen(function* () {
  const url = yield* Effect.promise(() => createDatabase())
  const [first, second] = [yield* processOn(url), yield* processOn(url)]
  const webhook = yield* Effect.provideContext(subscribed({ id: account }), first)
  return { url, first, second, webhook, beside: yield* connect(url) }
})

type Market = Effect.Success<typeof market>

/** Appends events that happened that many days ago. */
const appended = (client: Client, count: number, daysAgo = 0) =>
  run(
    client,
    `INSERT INTO events (type, at, subject, accounts, data)
     SELECT 'deposit.confirmed', market_now() - $3 * interval '1 day', 'tx:' || n, ARRAY[$1::text], json_build_object('amount', n::text)
     FROM generate_series(1, $2::int) AS n`,
    [account, count, daysAgo]
  )

/** Appends events and fans them out; while that is not possible, again, as the job does. */
const delivered = Effect.fnUntraced(function* ({ beside, first }: Market, count: number, daysAgo = 0) {
  yield* appended(beside, count, daysAgo)
  yield* Effect.retry(Effect.provideContext(dispatchAll, first), { times: 4 })
})

const dispatchAll = Effect.gen(function* () {
  const store = yield* WebhookStore
  while ((yield* store.dispatch(50, fanOut)) === 50);
})

/** Marks every delivery as delivered, with one attempt each. */
const finish = (client: Client) =>
  run(
    client,
    `WITH ended AS (DELETE FROM webhook_queue), done AS (UPDATE webhook_deliveries SET status = 'delivered', tries = 1)
     INSERT INTO webhook_attempts (delivery_id, at, duration_ms) SELECT id, event_at, 5 FROM webhook_deliveries`
  )

/** Moves the log of events to the next partition of deliveries: the next event is its first. */
const toNextPartition = (client: Client) =>
  run(
    client,
    `WITH next AS (SELECT min(until) AS first FROM delivery_partitions WHERE until > last_event() + 1),
      moved AS (UPDATE webhook_cursor SET seq = first - 1 FROM next)
     SELECT setval('events_seq_seq', first - 1) FROM next`
  )

interface Rows {
  readonly partition: string
  readonly count: number
}

/** How many rows each partition holds. */
const rowsOf = (client: Client, table: "webhook_deliveries" | "webhook_attempts") =>
  Effect.map(
    run<Rows>(
      client,
      `SELECT replace(tableoid::regclass::text, '${table}_', '') AS partition, count(*)::int AS count
       FROM ${table} GROUP BY 1 ORDER BY min(${table === "webhook_deliveries" ? "id" : "delivery_id"})`
    ),
    (rows) => Object.fromEntries(rows.map(({ count, partition }) => [partition, count]))
  )

const partitions = (client: Client) =>
  run<{ readonly first: string; readonly until: string }>(
    client,
    "SELECT first::text, until::text FROM delivery_partitions ORDER BY delivery_partitions.first"
  )

/** Keeps the log as the hourly job does. Returns the number of deliveries deleted one by one. */
const prune = Effect.fnUntraced(function* (limit = 1000) {
  return yield* (yield* WebhookStore).prune((yield* Clock.currentTimeMillis) - logLifetime, limit)
})

/** Three partitions with deliveries that have ended: of 40 days ago, of 20 days ago, and of now. */
const threePartitions = Effect.gen(function* () {
  const made = yield* market
  yield* toNextPartition(made.beside)
  yield* delivered(made, 4, 40)
  yield* toNextPartition(made.beside)
  yield* Effect.provideContext(prune(), made.first)
  yield* delivered(made, 3, 20)
  yield* toNextPartition(made.beside)
  yield* Effect.provideContext(prune(), made.first)
  yield* delivered(made, 2)
  yield* finish(made.beside)
  return made
})

/** The steps of a run, each one transaction; what they change; and how many deliveries are left in each partition after a whole run. */
const steps = [
  {
    step: "SELECT make_delivery_partitions()",
    prepare: "SELECT setval('events_seq_seq', (SELECT max(until) - 1 FROM delivery_partitions))",
    state: "SELECT max(until) AS state FROM delivery_partitions",
    left: [3, 2]
  },
  {
    step: "SELECT drop_delivery_partition(now() - interval '30 days')",
    prepare: "SELECT 1",
    state: "SELECT count(*) AS state FROM webhook_attempts",
    left: [3, 2]
  },
  {
    step: "SELECT prune_deliveries(now() - interval '30 days', 100)",
    prepare: `UPDATE webhook_deliveries SET event_at = now() - interval '40 days' WHERE id = (SELECT max(id) FROM webhook_deliveries)`,
    state: "SELECT count(*) AS state FROM webhook_attempts",
    left: [3, 1]
  }
]

interface PlanNode {
  readonly "Relation Name"?: string
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode | undefined): ReadonlyArray<PlanNode> =>
  node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Statements that find deliveries by an array of ids. */
const byId = { attemptsOf, lockDeliveries, readWebhooks }

const waitsForLock = (client: Client, table = "webhook_deliveries") =>
  eventually(
    "a session waits for a lock",
    Effect.map(
      run(client, "SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [table]),
      (rows) => rows.length > 0
    )
  )

const one = <Row>(rows: ReadonlyArray<Row>): Row => rows[0] ?? assert.fail("no row")

describe("partitions of deliveries", () => {
  it.live(
    "are made ahead, and dropped with their attempts once each delivery is older than 30 days (DELIVERY-16)",
    () =>
      Effect.gen(function* () {
        const { beside, first, webhook } = yield* threePartitions
        // The partition of 20 days ago is not dropped, however early the caller's time is.
        assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [4, 3, 2])
        const ahead = (yield* partitions(beside)).length
        assert.strictEqual(yield* Effect.provideContext(prune(), first), 0, "none is deleted one by one")
        for (const table of ["webhook_deliveries", "webhook_attempts"] as const)
          assert.deepStrictEqual(Object.values(yield* rowsOf(beside, table)), [3, 2], table)
        const left = yield* partitions(beside)
        assert.isBelow(left.length, ahead)
        const { last } = one(yield* run<{ readonly last: string }>(beside, "SELECT last_event()::text AS last"))
        assert.isAtLeast(left.filter(({ first }) => BigInt(first) > BigInt(last)).length, 1, "there is a next one")
        yield* run(beside, "SELECT drop_delivery_partition('infinity')")
        assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [3, 2])
        const store = yield* Effect.provideContext(WebhookStore, first)
        assert.lengthOf((yield* store.listDeliveries(webhook.id, { limit: 50 })).items, 5)
      }).pipe(Effect.scoped)
  )

  it.live("a delivery that waits keeps its partition; the others in it are deleted one by one (DELIVERY-16)", () =>
    Effect.gen(function* () {
      const { beside, first } = yield* threePartitions
      const [waiting] = yield* run<{ readonly id: string }>(beside, "SELECT min(id) AS id FROM webhook_deliveries")
      const store = yield* Effect.provideContext(WebhookStore, first)
      assert.isTrue(yield* store.replay(waiting?.id as never, yield* Clock.currentTimeMillis))
      assert.strictEqual(yield* Effect.provideContext(prune(2), first), 2)
      assert.strictEqual(yield* Effect.provideContext(prune(2), first), 1)
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [1, 3, 2])
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_attempts")), [1, 3, 2])
      yield* run(beside, "DELETE FROM webhook_queue")
      assert.strictEqual(yield* Effect.provideContext(prune(), first), 0)
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [3, 2])
    }).pipe(Effect.scoped)
  )

  it.live("a partition whose events are not all fanned out is kept", () =>
    Effect.gen(function* () {
      const { beside, first } = yield* threePartitions
      const [oldest] = Object.keys(yield* rowsOf(beside, "webhook_deliveries"))
      yield* run(beside, "UPDATE webhook_cursor SET seq = 0")
      assert.strictEqual(yield* Effect.provideContext(prune(), first), 4, "deleted one by one")
      assert.include(
        (yield* partitions(beside)).map((each) => each.first),
        oldest
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "without a partition nothing is lost: deliveries are stored, sent, listed and pruned, and later events get partitions",
    () =>
      Effect.gen(function* () {
        const made = yield* market
        const { beside, first, webhook } = made
        const before = yield* partitions(beside)
        const beyond = BigInt(before.at(-1)?.until ?? "0") + 7n
        yield* run(beside, "SELECT setval('events_seq_seq', $1::bigint)", [beyond])
        yield* run(beside, "UPDATE webhook_cursor SET seq = $1::bigint", [beyond])
        yield* delivered(made, 5, 31)
        assert.deepStrictEqual(yield* rowsOf(beside, "webhook_deliveries"), { default: 5 })
        const store = yield* Effect.provideContext(WebhookStore, first)
        const now = (yield* Clock.currentTimeMillis) + 1000
        const claimed = yield* store.claim({ now, limit: 9, perWebhook: 9, perHost: 9, leaseSeconds: 60 })
        assert.lengthOf(claimed, 5)
        yield* store.release(claimed.map(({ claim, delivery }) => ({ claim, deliveryId: delivery.id })))
        assert.lengthOf((yield* store.listDeliveries(webhook.id, { limit: 50 })).items, 5)
        yield* finish(beside)
        // Makes partitions for later events, beside those that the default partition holds.
        assert.strictEqual(yield* Effect.provideContext(prune(), first), 5)
        const after = (yield* partitions(beside)).at(-1)
        assert.isAbove(Number(after?.first), Number(beyond) + 5)
        yield* run(beside, "SELECT setval('events_seq_seq', $1::bigint)", [BigInt(after?.first ?? "0")])
        yield* delivered(made, 2)
        assert.deepStrictEqual(yield* rowsOf(beside, "webhook_deliveries"), { [String(after?.first)]: 2 })
      }).pipe(Effect.scoped)
  )

  it.live("a replay that commits while the drop waits keeps the partition", () =>
    Effect.gen(function* () {
      const { beside, url } = yield* threePartitions
      const replaying = yield* connect(url)
      const { id } = one(yield* run<{ readonly id: string }>(beside, "SELECT min(id) AS id FROM webhook_deliveries"))
      yield* run(replaying, "BEGIN")
      yield* run(replaying, "UPDATE webhook_deliveries SET status = 'pending' WHERE id = $1", [id])
      yield* run(
        replaying,
        "INSERT INTO webhook_queue (delivery_id, webhook_id, next_attempt_at) VALUES ($1, 'whk', now())",
        [id]
      )
      const dropping = yield* connect(url)
      // Waits as long as the test needs: the function's own limit is shorter than a busy machine may take.
      yield* run(dropping, "ALTER FUNCTION drop_delivery_partition(timestamptz) SET lock_timeout = '60s'")
      const dropped = yield* Effect.forkChild(
        run<{ readonly dropped: boolean }>(
          dropping,
          "SELECT drop_delivery_partition(now() - interval '30 days') AS dropped"
        )
      )
      yield* waitsForLock(beside)
      yield* run(replaying, "COMMIT")
      assert.deepStrictEqual(yield* Fiber.join(dropped), [{ dropped: false }])
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [4, 3, 2])
    }).pipe(Effect.scoped)
  )

  it.live("a reader is not disturbed: the drop gives up within a second and succeeds at a later run", () =>
    Effect.gen(function* () {
      const { beside, first, url } = yield* threePartitions
      const reading = yield* connect(url)
      yield* run(reading, "BEGIN")
      yield* run(reading, "SELECT count(*) FROM webhook_deliveries")
      const dropping = yield* Effect.forkChild(Effect.provideContext(prune(), first))
      // A request that comes meanwhile waits no longer than the drop does.
      yield* run(beside, "SET statement_timeout = '5s'")
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [4, 3, 2])
      yield* Fiber.join(dropping)
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [4, 3, 2])
      yield* run(reading, "COMMIT")
      yield* Effect.provideContext(prune(), first)
      assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), [3, 2])
    }).pipe(Effect.scoped)
  )

  it.live(
    "two processes prune while events are fanned out: each partition is made and dropped once, and no delivery is lost",
    () =>
      Effect.gen(function* () {
        const made = yield* threePartitions
        const { beside, first, second } = made
        const stop = yield* Deferred.make<void>()
        const pruning = yield* Effect.forEach([first, second], (each) =>
          Effect.forkChild(
            Effect.gen(function* () {
              while (!(yield* Deferred.isDone(stop))) yield* Effect.provideContext(prune(), each)
            })
          )
        )
        for (let n = 0; n < 10; n++) {
          yield* delivered(made, 20)
          if (n % 3 === 2) yield* toNextPartition(beside)
        }
        yield* Deferred.succeed(stop, undefined)
        yield* Effect.forEach(pruning, Fiber.join)
        const counts = yield* rowsOf(beside, "webhook_deliveries")
        assert.strictEqual(
          Object.values(counts).reduce((sum, count) => sum + count, 0),
          5 + 10 * 20
        )
        const listed = yield* partitions(beside)
        const found = yield* run<{ readonly name: string }>(
          beside,
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits
         WHERE inhparent IN ('webhook_deliveries'::regclass, 'webhook_attempts'::regclass)`
        )
        assert.sameMembers(
          found.map(({ name }) => name),
          ["default", ...listed.map(({ first }) => first)].flatMap((each) => [
            `webhook_deliveries_${each}`,
            `webhook_attempts_${each}`
          ])
        )
      }).pipe(Effect.scoped)
  )

  for (const { left, prepare, state, step } of steps) {
    it.live(`a process that is killed during "${step}" leaves everything as it was, and the next one continues`, () =>
      Effect.gen(function* () {
        const made = yield* threePartitions
        const { beside, first, url } = made
        yield* run(beside, prepare)
        const before = yield* run(beside, state)
        const killed = yield* connect(url)
        yield* run(killed, "BEGIN")
        yield* run(killed, step)
        assert.notDeepEqual(yield* run(killed, state), before)
        const [session] = yield* run<{ readonly pid: number }>(killed, "SELECT pg_backend_pid() AS pid")
        yield* run(beside, "SELECT pg_terminate_backend($1::int, 5000)", [session?.pid])
        assert.deepStrictEqual(yield* run(beside, state), before)
        yield* Effect.provideContext(prune(), first)
        assert.notDeepEqual(yield* run(beside, state), before)
        assert.deepStrictEqual(Object.values(yield* rowsOf(beside, "webhook_deliveries")), left)
      }).pipe(Effect.scoped)
    )
  }

  it.live("events whose partition is made while they are fanned out are fanned out by the next run", () =>
    Effect.gen(function* () {
      const { beside, first, url } = yield* market
      const { last } = one(
        yield* run<{ readonly last: string }>(beside, "SELECT max(until) AS last FROM delivery_partitions")
      )
      yield* run(beside, "SELECT setval('events_seq_seq', $1::bigint)", [last])
      yield* run(beside, "UPDATE webhook_cursor SET seq = $1::bigint", [last])
      yield* appended(beside, 3)
      const maker = yield* connect(url)
      yield* run(maker, "BEGIN")
      const bounds = "format('(%L) TO (%L)', delivery_bound($1::bigint), delivery_bound($1::bigint + 100))"
      const [made] = yield* run<{ readonly bounds: string }>(maker, `SELECT ${bounds} AS bounds`, [last])
      yield* run(maker, "CREATE TABLE made (LIKE webhook_deliveries INCLUDING ALL)")
      yield* run(maker, `ALTER TABLE webhook_deliveries ATTACH PARTITION made FOR VALUES FROM ${made?.bounds}`)
      const dispatch = Effect.provideContext(dispatchAll, first)
      const running = yield* Effect.forkChild(Effect.flip(dispatch))
      yield* waitsForLock(beside, "webhook_deliveries_default")
      yield* run(maker, "COMMIT")
      assert.strictEqual((yield* Fiber.join(running))._tag, "StoreUnavailable")
      assert.deepStrictEqual(yield* rowsOf(beside, "webhook_deliveries"), {})
      yield* dispatch
      assert.deepStrictEqual(yield* rowsOf(beside, "webhook_deliveries"), { made: 3 })
    }).pipe(Effect.scoped)
  )

  it.live("a statement by id visits one partition, also in a plan for any id (DELIVERY-16)", () =>
    Effect.gen(function* () {
      const { beside } = yield* threePartitions
      yield* run(beside, "SET plan_cache_mode = force_generic_plan")
      yield* run(beside, "SET enable_hashjoin = off")
      yield* run(beside, "SET enable_mergejoin = off")
      yield* run(beside, "SET enable_seqscan = off")
      const { ids } = one(
        yield* run<{ readonly ids: ReadonlyArray<string> }>(
          beside,
          "SELECT array_agg(id) AS ids FROM (SELECT id FROM webhook_deliveries ORDER BY id LIMIT 2) AS two"
        )
      )
      for (const [name, text] of Object.entries(byId)) {
        yield* run(beside, `PREPARE one (text[]) AS ${text}`)
        const [plan] = yield* run<Record<string, ReadonlyArray<{ readonly Plan: PlanNode }>>>(
          beside,
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE one ('{${ids.join(",")}}')`
        )
        const visited = nodesOf(plan?.["QUERY PLAN"]?.[0]?.Plan).filter(
          (node) => /^webhook_(deliveries|attempts)_/.test(node["Relation Name"] ?? "") && node["Actual Loops"] > 0
        )
        assert.isAbove(visited.length, 0, name)
        assert.lengthOf(new Set(visited.map((node) => node["Relation Name"]?.replace(/.*_/, ""))), 1, name)
        yield* run(beside, "DEALLOCATE one")
      }
    }).pipe(Effect.scoped)
  )
})
