import { assert, describe, it } from "@effect/vitest"
import { connect, migratedLedger } from "./migratedLedger.ts"

const stored = 5000

describe("a database whose ledger and events are not partitioned yet", () => {
  it("is migrated while a process of the previous release settles: no sale fails, no line is lost and numbers continue (DATABASE-10)", async () => {
    const { settled, url } = await migratedLedger(stored, 53, 54)
    const client = await connect(url)
    try {
      const { rows } = await client.query(`
        SELECT count(*)::int AS lines, count(DISTINCT seq)::int AS numbers, max(seq)::int AS last,
          (SELECT count(*)::int FROM ONLY ledger_lines_default) AS unpartitioned,
          (SELECT last_value::int FROM ledger_lines_seq_seq) AS issued,
          has_table_privilege('pg_monitor', 'ledger_lines', 'SELECT')
            AND has_sequence_privilege('pg_monitor', 'ledger_lines_seq_seq', 'SELECT') AS granted
        FROM ledger_lines`)
      const lines = stored + 3 * settled
      assert.deepStrictEqual(rows[0], {
        lines,
        numbers: lines,
        last: lines,
        unpartitioned: 0,
        issued: lines,
        granted: true
      })
      const { rows: valid } = await client.query(
        "SELECT bool_and(convalidated) AS all FROM pg_constraint WHERE conrelid = 'ledger_lines'::regclass"
      )
      assert.isTrue(valid[0].all)
    } finally {
      await client.end()
    }
  })

  it("keeps its events, their numbers and their end when these are partitioned (DATABASE-12)", async () => {
    const { settled, url } = await migratedLedger(stored, 54, 55)
    const client = await connect(url)
    try {
      const { rows } = await client.query(`
        SELECT count(*)::int AS events, count(DISTINCT seq)::int AS numbers, max(seq)::int AS last,
          (SELECT count(*)::int FROM events_default) AS unpartitioned,
          event_horizon()::int AS horizon, last_event()::int AS issued,
          has_table_privilege('pg_monitor', 'events', 'SELECT')
            AND has_sequence_privilege('pg_monitor', 'events_seq_seq', 'SELECT') AS granted
        FROM events`)
      const events = stored + settled
      assert.deepStrictEqual(rows[0], {
        events,
        numbers: events,
        last: events,
        unpartitioned: 0,
        horizon: events,
        issued: events,
        granted: true
      })
      await client.query("BEGIN")
      await client.query("INSERT INTO events (type, at, subject, accounts, data) VALUES ('t', now(), 's', '{}', '{}')")
      const { rows: later } = await client.query("SELECT event_horizon()::int AS horizon, last_event()::int AS issued")
      assert.deepStrictEqual(
        later[0],
        { horizon: events, issued: events + 1 },
        "an open transaction holds the end back"
      )
      await client.query("ROLLBACK")
    } finally {
      await client.end()
    }
  })
})
