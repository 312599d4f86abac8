import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { PgClient, PgConnection, PgPool } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Stream } from "effect"
import type { Redacted, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlError } from "effect/sql/SqlError"
import { makeDeadline } from "./Deadline.ts"
import { gatheredReads } from "./GatheredReads.ts"
import { makeSharedReads } from "./SharedReads.ts"
import { asUnavailable, sqlStateOf, transactionAborted } from "./Unavailable.ts"

export interface DatabaseConfig {
  /** A libpq URI, `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** The role that owns the tables and applies migrations; `url`'s own if absent (CONFIG-22). */
  readonly ownerUrl?: Redacted.Redacted | undefined
  /** Whether a superuser in `url` is worth a warning at the start. */
  readonly warnOfSuperuser?: boolean | undefined
  /** Connections that all short reads share; 3 by default. */
  readonly readConnections?: number | undefined
  /** Connections that lists and searches share; 2 by default. */
  readonly listConnections?: number | undefined
  /** Concurrent transactions; 8 by default. */
  readonly writeConnections?: number | undefined
}

/** A few seconds. A database that does not answer in this time counts as unavailable. */
const patience = 5000

/** The same for work that reads whole tables. */
const longPatience = 600_000

/** Settings of every connection. Times leave PostgreSQL in UTC; index scans are priced for solid state disks. */
const settings: Readonly<Record<string, string>> = {
  timezone: "UTC",
  jit: "off",
  random_page_cost: "1.1",
  statement_timeout: String(patience),
  idle_in_transaction_session_timeout: String(2 * patience)
}

/**
 * Transactions run few distinct statements, which access rows by key. Each is planned once, with indexes and nested loops, as for large
 * tables, even while the tables are empty. Otherwise a new database would scan tables that have grown since they were planned.
 */
const writeSettings: Readonly<Record<string, string>> = {
  ...settings,
  // Well above our own time limit. If both cancelled at the same time, the second cancellation would hit the ROLLBACK after the first.
  statement_timeout: String(3 * patience),
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  // A nested comparison of a batch's rows with a table's rows is cheap only while the table is small.
  cpu_operator_cost: "0.1"
}

/** For statements that read whole tables. */
const forLongWork = `SELECT set_config('statement_timeout', '${longPatience + 2 * patience}', true), set_config('enable_seqscan', 'on', true),
  set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`

type WithoutSql<E> = Exclude<E, SqlError>

/**
 * The database, and the one place where an unavailable database becomes `StoreUnavailable`. Every method returns within a few
 * seconds, and works again automatically when the database is back. SQL errors die.
 */
export class Database extends Context.Service<
  Database,
  {
    /**
     * One short statement on the connections that all reads share (never part of a transaction). The text must be constant: it is
     * prepared once for each connection. Arrays are typed by their elements; a cast in the text types an empty one.
     */
    readonly read: <Row extends object>(
      text: string,
      parameters?: ReadonlyArray<unknown>
    ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
    /**
     * One statement that may take milliseconds, such as a search, on connections where no short read waits behind it. Identical requests
     * that arrive while it runs share its next result. `prepared` prepares the text, which must then be constant; otherwise the statement is
     * planned for its parameters.
     */
    readonly readList: <Row extends object>(
      text: string,
      parameters: ReadonlyArray<unknown>,
      prepared: boolean
    ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
    /** As `read`, one row by its `key`, with a text whose only parameter is an array of keys. All waiting keys are read together. */
    readonly readEach: <Row extends { readonly key: string }>(
      text: string
    ) => Effect.Effect<(key: string) => Effect.Effect<Option.Option<Row>, StoreUnavailable>, never, Scope.Scope>
    /** Statements and transactions with a connection of their own. Inside `transaction` they are part of it. */
    readonly sql: PgClient.PgClient
    /** Runs statements of `sql`, each on its own. */
    readonly attempt: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** Runs statements of `sql` in one transaction. A failure rolls it back. */
    readonly transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** As `transaction`, with a limit of ten minutes: for long work such as an audit. */
    readonly longTransaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** The rows of one long statement, read only as fast as they are consumed, on a separate connection. */
    readonly stream: <Row extends object>(
      text: string,
      parameters?: ReadonlyArray<unknown>
    ) => Stream.Stream<Row, StoreUnavailable>
    /** How to open one more connection, for uses that cannot share one. */
    readonly connection: PgConnection.Config
  }
>()("@agent-marketplace/postgres/Database") {
  static readonly layer = (config: DatabaseConfig): Layer.Layer<Database> =>
    Layer.effect(Database, make(config)).pipe(Layer.provide(Reactivity.layer))
}

/** Fails with `StoreUnavailable` while the database is unavailable; dies if the statement is at fault. */
const known = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, WithoutSql<E> | StoreUnavailable> => {
    if (!(error instanceof SqlError)) return Effect.fail(error as WithoutSql<E>)
    const unavailable = asUnavailable(error)
    return unavailable === undefined ? Effect.die(error) : Effect.fail(unavailable)
  })

/** A rollback over a lost connection dies, which would hide that the connection was lost. */
const lost = (defect: unknown): Effect.Effect<never, SqlError> =>
  defect instanceof SqlError ? Effect.fail(defect) : Effect.die(defect)

/** The text that identifies a read: two reads that differ have different texts. */
const keyOf = (text: string, parameters: ReadonlyArray<unknown>): string =>
  JSON.stringify([text, parameters], (_, value: unknown) =>
    typeof value === "bigint" ? { bigint: String(value) } : value
  )

const late = (milliseconds: number) => () =>
  new StoreUnavailable({ cause: `the database did not answer within ${milliseconds} ms` })

const make = Effect.fnUntraced(function* (config: DatabaseConfig) {
  const common = { url: config.url, connectTimeout: patience / 2, applicationName: "agent-marketplace" }
  const reads = yield* PgPool.make({
    ...common,
    multiplex: true,
    maxConnections: config.readConnections ?? 3,
    multiplexConcurrency: 64,
    startupParameters: settings
  })
  const lists = yield* PgPool.make({
    ...common,
    multiplex: true,
    maxConnections: config.listConnections ?? 2,
    // A transaction that is given up while it waits for a connection is never started.
    multiplexConcurrency: 2,
    startupParameters: settings
  })
  const sql = yield* PgClient.make({
    ...common,
    maxConnections: config.writeConnections ?? 8,
    startupParameters: writeSettings
  })
  const end = Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) => connection.executeUnprepared("ROLLBACK", [], undefined))
  )
  /** A returned connection with an aborted transaction refuses all statements. Each refusal ends one such connection, until all are found. */
  const healed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tapError(effect, (error) =>
      error instanceof SqlError && sqlStateOf(error) === transactionAborted ? Effect.ignore(end) : Effect.void
    )
  const transactionOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    known(healed(Effect.catchDefect(sql.withTransaction(effect), lost)))
  const within = yield* makeDeadline(patience)
  const withinLong = yield* makeDeadline(longPatience)
  const rowsOf = <Row extends object>(
    pool: PgPool.PgPool,
    text: string,
    parameters: ReadonlyArray<unknown> | undefined,
    prepare: boolean
  ) =>
    within(
      known(
        Effect.map(
          pool.use((connection) => connection.query(text, parameters, prepare)),
          (result) => result.rows as ReadonlyArray<unknown> as ReadonlyArray<Row>
        )
      ),
      late(patience)
    )
  const read = <Row extends object>(text: string, parameters?: ReadonlyArray<unknown>) =>
    rowsOf<Row>(reads, text, parameters, true)
  const shared = yield* makeSharedReads<ReadonlyArray<object>, StoreUnavailable>()
  return Database.of({
    read,
    readList: <Row extends object>(text: string, parameters: ReadonlyArray<unknown>, prepared: boolean) =>
      shared(keyOf(text, parameters), rowsOf(lists, text, parameters, prepared)) as Effect.Effect<
        ReadonlyArray<Row>,
        StoreUnavailable
      >,
    readEach: <Row extends { readonly key: string }>(text: string) =>
      Effect.map(
        gatheredReads((keys) => read<Row>(text, [keys])),
        (one) => (key) => Effect.map(one(key), Option.fromUndefinedOr)
      ),
    sql,
    attempt: (effect) => within(known(healed(effect)), late(patience)),
    transaction: (effect) => within(transactionOf(effect), late(patience)),
    longTransaction: (effect) =>
      withinLong(transactionOf(Effect.andThen(sql.unsafe(forLongWork), effect)), late(longPatience)),
    stream: <Row extends object>(text: string, parameters?: ReadonlyArray<unknown>) =>
      Stream.unwrap(
        Effect.map(
          PgConnection.make({ ...common, startupParameters: { ...settings, statement_timeout: "0" } }),
          (connection) => connection.stream(text, parameters)
        )
      ).pipe(
        Stream.map((row) => row as object as Row),
        Stream.catch((error) => Stream.fromEffect(known(Effect.fail(error))))
      ),
    connection: { ...common, startupParameters: settings }
  })
}, Effect.orDie)
