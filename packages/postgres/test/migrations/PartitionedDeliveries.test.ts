import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import type { Client } from "pg"
import { migrateBetween } from "./migrateBetween.ts"
import { connect } from "./migratedLedger.ts"

const idOf = (event: number): string => `dlv_${event.toString(32).padStart(13, "0")}0000000000000000000000000`

const test = (n: number): string => `dlv_${`k5v0m1q8r2t7a3s${n}`.padEnd(16, "z")}0000000000000000000000000`

/** The statements of the release before, which does not know partitions. */
const addDelivery = `
  INSERT INTO webhook_deliveries (id, webhook_id, event, event_at, payload, status, tries)
  SELECT id, 'whk_1', 'purchase.completed', now(), '{}', 'pending', 0 FROM unnest($1::text[]) AS given (id)
  ON CONFLICT (id) DO NOTHING RETURNING id`
const addAttempt = `INSERT INTO webhook_attempts (delivery_id, at, duration_ms) VALUES ($1, now(), 5)`
const endDelivery = `UPDATE webhook_deliveries SET status = 'delivered', tries = 1 WHERE id = ANY($1::text[])`

const stored = 5000

const fill = [
  `SELECT setval('events_seq_seq', ${stored})`,
  `GRANT SELECT ON webhook_deliveries, webhook_attempts TO PUBLIC`
]

/** Repeats until it is stopped, and returns how often. */
const repeated = (work: () => Promise<unknown>) => {
  const state = { stopped: false }
  const times = (async () => {
    let n = 0
    for (; !state.stopped; n++) await work()
    return n
  })()
  return () => {
    state.stopped = true
    return times
  }
}

const nextEvent = async (client: Client): Promise<number> =>
  Number((await client.query("SELECT nextval('events_seq_seq')")).rows[0].nextval)

/** Appends an event and delivers it. */
const deliver = async (client: Client): Promise<void> => {
  const id = idOf(await nextEvent(client))
  const made = await client.query({ name: "add", text: addDelivery, values: [[id]] })
  assert.strictEqual(made.rowCount, 1)
  await client.query({ name: "attempt", text: addAttempt, values: [id] })
  await client.query({ name: "end", text: endDelivery, values: [[id]] })
}

describe("a database whose deliveries are not partitioned yet", () => {
  it("is migrated while processes of the release before write: no statement fails and no row is lost (DELIVERY-16)", async () => {
    const url = await createEmptyDatabase()
    const [migrator, writer, appender] = [await connect(url), await connect(url), await connect(url)]
    try {
      await migrateBetween(migrator, 1, 50)
      for (const statement of fill) await migrator.query(statement)
      const ids = Array.from({ length: stored }, (_, i) => idOf(i + 1))
      await migrator.query(addDelivery, [[...ids, test(1), test(2)]])
      for (const id of [ids[0], ids[1], test(1)]) await migrator.query(addAttempt, [id])
      const stopWriting = repeated(() => deliver(writer))
      // Events are appended also while deliveries are locked.
      const stopAppending = repeated(() => nextEvent(appender))
      await migrateBetween(migrator, 51, 51)
      const during = await migrator.query("SELECT count(*)::int AS count FROM webhook_deliveries")
      // The writer continues on the new tables.
      for (;;) {
        const { rows } = await migrator.query("SELECT count(*)::int AS count FROM webhook_deliveries")
        if (rows[0].count > during.rows[0].count + 20) break
      }
      await stopAppending()
      const written = await stopWriting()
      const { rows } = await migrator.query(`
        SELECT count(*)::int AS deliveries, count(DISTINCT id)::int AS ids, count(*) FILTER (WHERE status = 'delivered')::int AS ended,
          (SELECT count(DISTINCT seq)::int FROM webhook_attempts) AS attempts,
          (SELECT count(*)::int FROM webhook_deliveries_default) AS tests,
          (SELECT count(*)::int FROM webhook_attempts_default) AS "attemptsOfTests",
          has_table_privilege('pg_monitor', 'webhook_deliveries', 'SELECT')
            AND has_table_privilege('pg_monitor', 'webhook_attempts', 'SELECT') AS granted
        FROM webhook_deliveries`)
      assert.deepStrictEqual(rows[0], {
        deliveries: stored + 2 + written,
        ids: stored + 2 + written,
        ended: written,
        attempts: 3 + written,
        tests: 2,
        attemptsOfTests: 1,
        granted: true
      })
      const again = await migrator.query(addDelivery, [[idOf(1), idOf(stored), test(1)]])
      const { rows: ranges } = await migrator.query(`
        SELECT position(quote_literal(delivery_bound(until)) IN pg_get_expr(relpartbound, oid)) > 0 AS matches
        FROM delivery_partitions JOIN pg_class ON relname IN ('webhook_deliveries_' || first, 'webhook_attempts_' || first)`)
      assert.isAtLeast(ranges.length, 6)
      assert.isTrue(ranges.every(({ matches }) => matches))
      assert.strictEqual(again.rowCount, 0, "an id is unique in all partitions together")
    } finally {
      await appender.end()
      await writer.end()
      await migrator.end()
    }
  })
})
