import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Database } from "../Database.ts"

/** The oldest supported major version (DATABASE-1). */
const oldest = 15

const unsuitable = (message: string) => new StoreUnavailable({ cause: new UnsuitableStore(message) })

const pooled = unsuitable(
  "DATABASE_URL leads to a pooler that shares connections between transactions (such as PgBouncer with pool_mode=transaction). " +
    "The market needs its own sessions, for announcements and locks: set pool_mode=session, or connect to PostgreSQL directly."
)

/** One round with two sessions. If they share a connection, the second one sees the mark of the first, or the first one loses it. */
const sharesSessions = (first: PgConnection.PgConnection, second: PgConnection.PgConnection) =>
  Effect.gen(function* () {
    const mark = randomUUID()
    const marked = (connection: PgConnection.PgConnection) =>
      Effect.map(
        connection.query("SELECT current_setting('market.session', true) AS mark", [], false),
        ({ rows }) => (rows[0] as { readonly mark: string | null }).mark === mark
      )
    yield* first.query(`SELECT set_config('market.session', '${mark}', false)`, [], false)
    // With pool_mode=statement a pooler refuses transactions.
    yield* Effect.catchTag(second.query("BEGIN", [], false), "SqlError", () => Effect.fail(pooled))
    const seen = yield* marked(second)
    const kept = yield* marked(first)
    yield* second.query("ROLLBACK", [], false)
    return seen || !kept
  })

const rounds = 5

/**
 * Refuses a PostgreSQL that is too old (DATABASE-1), and a pooler that does not keep a session for each connection (DATABASE-5). A pooler is
 * noticed by its process id, which is not that of PostgreSQL's process, and then tried in several rounds.
 */
export const checkServer: Effect.Effect<void, StoreUnavailable, Database> = Effect.gen(function* () {
  const { connect } = yield* Database
  const first = yield* connect
  const { rows } = yield* first.query(
    "SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS version",
    [],
    false
  )
  const { pid, version } = rows[0] as { readonly pid: number; readonly version: number }
  if (version < oldest * 10_000)
    return yield* unsuitable(
      `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; the market needs ${oldest} or later.`
    )
  if (pid === first.processId) return
  const second = yield* connect
  for (let round = 0; round < rounds; round++) if (yield* sharesSessions(first, second)) return yield* pooled
}).pipe(
  Effect.scoped,
  Effect.catchTag("SqlError", (error) => new StoreUnavailable({ cause: error }))
)
