import { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { PrimaryStatus } from "./Primary.ts"
import { timelineIfPrimary } from "./Primary.ts"

type Settings = Readonly<Record<string, string>>

/** Settings and checks for new connections. */
export interface SessionOptions {
  readonly settings: Settings
  /** Present if a connection must lead to the primary (DATABASE-3). */
  readonly status?: Pick<PrimaryStatus, "accepts"> | undefined
}

const notPrimary = new SqlError({
  reason: new ConnectionError({
    cause: undefined,
    message: "The connection leads to a host that is not the primary",
    operation: "connect"
  })
})

/**
 * Gives each new connection its settings before its first statement, and checks that it leads to the primary. The settings are set by a statement,
 * because poolers such as PgBouncer refuse most start parameters (DATABASE-4).
 */
const withSettings = ({ status, settings }: SessionOptions) => {
  const values = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  const set = `SELECT ${[...values, ...(status === undefined ? [] : [`${timelineIfPrimary} AS timeline`])].join(", ")}`
  const isAccepted = ({ rows }: PgConnection.Result) =>
    status === undefined || status.accepts((rows[0] as { readonly timeline: number | null }).timeline)
  const ready = new WeakSet<PgConnection.PgConnection>()
  return (connection: PgConnection.PgConnection): Effect.Effect<PgConnection.PgConnection, SqlError> =>
    ready.has(connection)
      ? Effect.succeed(connection)
      : Effect.flatMap(connection.query(set, [], false), (result) => {
          if (!isAccepted(result)) return Effect.fail(notPrimary)
          ready.add(connection)
          return Effect.succeed(connection)
        })
}

/** A connection of its own, with its settings. */
export const openSession = (
  config: PgConnection.Config,
  options: SessionOptions
): Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope> =>
  Effect.flatMap(PgConnection.make(config), withSettings(options))

export type Sessions = Pick<PgPool.PgPool, "get" | "reserve" | "use">

/** A pool of connections with the same settings. */
export const poolSessions = (
  config: PgPool.Config,
  options: SessionOptions
): Effect.Effect<Sessions, SqlError, Scope.Scope> =>
  Effect.map(PgPool.make(config), (pool) => {
    const withOptions = withSettings(options)
    const prepare = (connection: PgConnection.PgConnection) =>
      Effect.tapError(withOptions(connection), (error) =>
        error === notPrimary ? pool.invalidate(connection) : Effect.void
      )
    const get = Effect.flatMap(pool.get, prepare)
    return {
      get,
      reserve: Effect.flatMap(get, (connection) => connection.pin),
      use: (f) => pool.use((connection) => Effect.flatMap(prepare(connection), f))
    }
  })
