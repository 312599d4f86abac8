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

/**
 * Brings the schema up to date (SYSTEM-6), in one transaction, and returns the migrations that were applied. If several processes start
 * together, one migrates and the others wait. Dies if a migration is at fault.
 */
export const migrate: EffectOf<
  ReadonlyArray<readonly [id: number, name: string]>,
  StoreUnavailable,
  Database
> = Effect.gen(function* () {
  const database = yield* Database
  const apply = Migrator.make({})({ loader, table: "migrations" }).pipe(
    Effect.provideService(SqlClient, database.sql),
    Effect.catchTag("MigrationError", Effect.die)
  )
  return yield* database.longTransaction(
    Effect.andThen(database.sql`SELECT pg_advisory_xact_lock(${advisoryLocks.migrations}::bigint)`, apply)
  )
})
