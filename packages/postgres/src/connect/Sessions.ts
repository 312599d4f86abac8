import { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"

type Settings = Readonly<Record<string, string>>

/**
 * Gives each new connection its settings before its first statement. They are set by a statement, because poolers such as PgBouncer refuse
 * most start parameters (DATABASE-4).
 */
const withSettings = (settings: Settings) => {
  const set = `SELECT ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(", ")}`
  const ready = new WeakSet<PgConnection.PgConnection>()
  return (connection: PgConnection.PgConnection): Effect.Effect<PgConnection.PgConnection, SqlError> =>
    ready.has(connection)
      ? Effect.succeed(connection)
      : Effect.map(connection.query(set, [], false), () => {
          ready.add(connection)
          return connection
        })
}

/** A connection of its own, with its settings. */
export const openSession = (
  config: PgConnection.Config,
  settings: Settings
): Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope> =>
  Effect.flatMap(PgConnection.make(config), withSettings(settings))

export type Sessions = Pick<PgPool.PgPool, "get" | "reserve" | "use">

/** A pool of connections with the same settings. */
export const poolSessions = (
  config: PgPool.Config,
  settings: Settings
): Effect.Effect<Sessions, SqlError, Scope.Scope> =>
  Effect.map(PgPool.make(config), (pool) => {
    const prepare = withSettings(settings)
    const get = Effect.flatMap(pool.get, prepare)
    return {
      get,
      reserve: Effect.flatMap(get, (connection) => connection.pin),
      use: (f) => pool.use((connection) => Effect.flatMap(prepare(connection), f))
    }
  })
