import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"

/** With this setting the rows below do not fit into memory. */
const littleMemory = "SELECT set_config('work_mem', '64kB', true)"

/**
 * One row for all processes, written each time, and a temporary file of half a megabyte. The row alone would not notice a full disk: its
 * new version fits into a page that exists.
 */
const probe = `
  WITH written AS (
    INSERT INTO leases (job, holder, until) VALUES ('write-probe', '', clock_timestamp())
    ON CONFLICT (job) DO UPDATE SET until = EXCLUDED.until
  )
  SELECT count(*) FROM generate_series(1, 30000)`

const numberedTables = `SELECT DISTINCT parent FROM numbered_partitions ORDER BY parent`

const makePartitions = `SELECT make_numbered_partitions($1::text)`

/** The tables whose next row has no partition (DATABASE-11). */
const unprepared = `
  WITH next AS (SELECT parent, last_number(parent) + 1 AS number FROM (${numberedTables}) AS numbered)
  SELECT parent FROM next WHERE NOT EXISTS (
    SELECT FROM numbered_partitions AS part WHERE part.parent = next.parent AND first <= number AND number < until
  )
  UNION ALL SELECT 'webhook_deliveries' WHERE NOT EXISTS (
    SELECT FROM delivery_partitions WHERE first <= last_event() + 1 AND last_event() + 1 < until
  )`

interface Table {
  readonly parent: string
}

/** Each statement is one transaction, so that a table in use does not keep another one from getting its partitions. */
const prepare = ({ attempt, sql }: Database["Service"]) =>
  Effect.gen(function* () {
    for (const { parent } of yield* attempt(sql.unsafe<Table>(numberedTables)))
      yield* attempt(sql.unsafe(makePartitions, [parent]))
    const tables = yield* attempt(sql.unsafe<Table>(unprepared))
    return tables.length === 0
      ? null
      : `new rows go to ${tables.map(({ parent }) => `${parent}_default`).join(", ")}. Check that a worker runs the job "partitions".`
  })

export const PostgresStoreHealth: { readonly layer: Layer.Layer<StoreHealth, never, Database> } = {
  layer: Layer.effect(
    StoreHealth,
    Effect.map(Database, (database) => {
      const { sql, transaction } = database
      return {
        writable: Effect.asVoid(transaction(Effect.andThen(sql.unsafe(littleMemory), sql.unsafe(probe)))),
        prepare: prepare(database)
      }
    })
  )
}
