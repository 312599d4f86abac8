import { assert, describe, it } from "@effect/vitest"
import { connect, migratedLedger } from "./migratedLedger.ts"

const stored = 5000

describe("a database whose ledger is not partitioned yet", () => {
  it("is migrated while a process of the release before settles: no sale fails, no line is lost and numbers continue (DATABASE-10)", async () => {
    const { settled, url } = await migratedLedger(stored, 51, 52)
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
})
