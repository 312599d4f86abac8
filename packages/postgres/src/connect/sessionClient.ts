import { PgClient } from "@effect/sql-pg"
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { Scope } from "effect"
import type { Reactivity } from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type { Sessions } from "./Sessions.ts"

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/** A connection of the driver as the SQL client of Effect uses it. */
class SessionConnection implements Connection {
  readonly connection: PgConnection.PgConnection

  constructor(connection: PgConnection.PgConnection) {
    this.connection = connection
  }

  private rows(text: string, parameters: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) {
    return Effect.map(this.connection.query(text, parameters, prepare), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )
  }
  execute(text: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.rows(text, parameters, transform, true)
  }
  executeUnprepared(text: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    return this.rows(text, parameters, transform, false)
  }
  executeRaw(text: string, parameters: ReadonlyArray<unknown>) {
    return this.connection.query(text, parameters)
  }
  executeValues(text: string, parameters: ReadonlyArray<unknown>) {
    return this.connection.queryValues(text, parameters)
  }
  executeValuesUnprepared(text: string, parameters: ReadonlyArray<unknown>) {
    return this.connection.queryValues(text, parameters, false)
  }
  executeStream(text: string, parameters: ReadonlyArray<unknown>, transform: Transform) {
    const stream = this.connection.stream(text, parameters)
    return transform === undefined
      ? stream
      : Stream.mapArray(stream, (rows) => transform(rows) as unknown as typeof rows)
  }
}

const asConnection = (connection: PgConnection.PgConnection): Connection => new SessionConnection(connection)

/** PostgreSQL answers `ROLLBACK` to the `COMMIT` of an aborted transaction. */
const commit = (connection: Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []) as Effect.Effect<PgConnection.Result, SqlError>, ({ command }) =>
    command === "ROLLBACK"
      ? Effect.fail(
          new SqlError({
            reason: new UnknownError({ cause: undefined, message: "The transaction was aborted", operation: "commit" })
          })
        )
      : Effect.void
  )

/** Statements and transactions on the connections of a pool. */
export const sessionClient = (
  sessions: Sessions
): Effect.Effect<SqlClient.SqlClient, never, Scope.Scope | Reactivity> =>
  SqlClient.make({
    acquirer: Effect.map(sessions.get, asConnection),
    borrower: (f) => sessions.use((connection) => f(asConnection(connection))),
    transactionAcquirer: Effect.map(sessions.reserve, asConnection),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    commit
  })
