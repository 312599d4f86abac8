import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Effect as EffectOf } from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { advisoryLocks } from "./AdvisoryLocks.ts"
import { Database } from "./Database.ts"
import { migrations } from "./migrations/migrations.ts"

const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  )

const loader = Migrator.fromRecord(
  Object.fromEntries(Object.entries(migrations).map(([name, statements]) => [name, run(statements)]))
)

const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name)))

/** Whether every migration is applied. A role that only serves requests can read this, but could not apply any. */
const isCurrent = Effect.gen(function* () {
  const { read } = yield* Database
  const [found] = yield* read<{ readonly exists: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS exists")
  if (found?.exists !== true) return false
  const [row] = yield* read<{ readonly applied: number }>("SELECT max(migration_id)::int AS applied FROM migrations")
  return (row?.applied ?? 0) >= latest
})

/** Dies if the role may not change the schema. */
const assertMayMigrate = Effect.gen(function* () {
  const { read } = yield* Database
  const [row] = yield* read<{ readonly role: string; readonly may: boolean }>(
    "SELECT current_user::text AS role, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may"
  )
  if (row?.may === true) return
  const reason = `role ${row?.role} may not change the database's schema, which is older than this release`
  return yield* Effect.die(new Error(`${reason}: run "operator migrate" with the DATABASE_URL of the schema's owner`))
})

/**
 * Brings the schema up to date (SYSTEM-6), in one transaction, and returns the migrations that were applied. If several processes start
 * together, one migrates and the others wait. Dies if a migration is at fault.
 */
export const migrate: EffectOf<
  ReadonlyArray<readonly [id: number, name: string]>,
  StoreUnavailable,
  Database
> = Effect.gen(function* () {
  if (yield* isCurrent) return []
  yield* assertMayMigrate
  const database = yield* Database
  const apply = Migrator.make({})({ loader, table: "migrations" }).pipe(
    Effect.provideService(SqlClient, database.sql),
    Effect.catchTag("MigrationError", Effect.die)
  )
  return yield* database.migration(
    Effect.andThen(database.sql`SELECT pg_advisory_xact_lock(${advisoryLocks.migrations}::bigint)`, apply)
  )
})
