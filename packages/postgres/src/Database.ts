import { StorePositions } from "@agent-marketplace/core/consistency/ReadPoint"
import type { Positions, StorePosition } from "@agent-marketplace/core/consistency/ReadPoint"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Result, Stream } from "effect"
import type { Redacted, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { parseDatabaseUrl, parseReadUrl } from "./connect/DatabaseUrl.ts"
import type { DatabaseUrl } from "./connect/DatabaseUrl.ts"
import { positionOf } from "./connect/positionOf.ts"
import { followPrimary } from "./connect/Primary.ts"
import type { Primary, PrimaryStatus } from "./connect/Primary.ts"
import { replicaReads } from "./connect/replicaReads.ts"
import type { ListLane, Reads, ReplicaPools } from "./connect/replicaReads.ts"
import type { Replica } from "./connect/Replica.ts"
import { followReplicas, longestLag, primaryStatus } from "./connect/Replicas.ts"
import type { PrimaryReport } from "./connect/Replicas.ts"
import { sessionClient } from "./connect/sessionClient.ts"
import { openSession, poolSessions } from "./connect/Sessions.ts"
import type { Sessions } from "./connect/Sessions.ts"
import { makeDeadline } from "./Deadline.ts"
import { gatheredReads } from "./GatheredReads.ts"
import { keyOf, makeSharedReads } from "./SharedReads.ts"
import { makeTurns } from "./Turns.ts"
import type { Turns } from "./Turns.ts"
import { asUnavailable, sqlStateOf, transactionAborted } from "./Unavailable.ts"

export interface DatabaseConfig {
  /** A libpq URI, `postgres://user:password@host:port/database`. Of several hosts, the one that accepts writes is used (DATABASE-2). */
  readonly url: Redacted.Redacted
  /** The replicas that serve reads: a libpq URI, each host of which is one (DATABASE-7). */
  readonly readUrl?: Redacted.Redacted | undefined
  /** The role that owns the tables and applies migrations; `url`'s own if absent (CONFIG-22). */
  readonly ownerUrl?: Redacted.Redacted | undefined
  /** Whether a superuser in `url` is worth a warning at the start. */
  readonly warnOfSuperuser?: boolean | undefined
  /** Connections that all short reads share; 3 by default. */
  readonly readConnections?: number | undefined
  /** Connections that lists share, and as many again that searches share; 2 by default. */
  readonly listConnections?: number | undefined
  /** Concurrent transactions; 8 by default. */
  readonly writeConnections?: number | undefined
}

/** A few seconds. A database that does not answer in this time counts as unavailable. */
const patience = 5000

/** The same for work that reads whole tables. */
const longPatience = 600_000

/** The same for migrations, which build indexes. */
const migrationPatience = 6 * 3_600_000

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
  // Starting a parallel worker takes longer than these short statements.
  max_parallel_workers_per_gather: "0",
  // A nested comparison of a batch's rows with a table's rows is cheap only while the table is small.
  cpu_operator_cost: "0.1"
}

/** For statements that read whole tables, within this many milliseconds. */
const forLongWork = (
  limit: number
): string => `SELECT set_config('statement_timeout', '${limit + 2 * patience}', true), set_config('enable_seqscan', 'on', true),
  set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
  set_config('max_parallel_workers_per_gather', '2', true)`

type WithoutSql<E> = Exclude<E, SqlError>

/**
 * The database, and the one place where an unavailable database becomes `StoreUnavailable`. Every method returns within a few
 * seconds, and works again automatically when the database is back. SQL errors die.
 */
export class Database extends Context.Service<
  Database,
  Reads & {
    /**
     * The same reads, which a replica may serve if the current `ReadPoint` allows it. Only for lists, public details, the feed and histories:
     * nothing that decides about money, permissions or sessions is read with it (DATABASE-8).
     */
    readonly replica: Reads
    /** Statements and transactions with a connection of their own. Inside `transaction` they are part of it. */
    readonly sql: SqlClient
    /** Runs statements of `sql`, each on its own. */
    readonly attempt: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** Runs statements of `sql` in one transaction. A failure rolls it back. */
    readonly transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** Runs the transactions with the same key one at a time, within this process. The key names what all of them lock. */
    readonly inTurn: Turns
    /** As `transaction`, with a limit of ten minutes: for long work such as an audit. */
    readonly longTransaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** As `longTransaction`, with a limit of six hours and more memory for building indexes. */
    readonly migration: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R>
    /** The rows of one long statement, read only as fast as they are consumed, on a separate connection. */
    readonly stream: <Row extends object>(
      text: string,
      parameters?: ReadonlyArray<unknown>
    ) => Stream.Stream<Row, StoreUnavailable>
    /** Positions for reads of replicas; null without replicas. */
    readonly positions: Positions | null
    /** Which host is the primary. Always certain for a single host without `target_session_attrs`. */
    readonly primary: Pick<PrimaryStatus, "isCertain" | "changes">
    /** One more connection, for uses that cannot share one. */
    readonly connect: Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope>
  }
>()("@agent-marketplace/postgres/Database") {
  static readonly layer = (config: DatabaseConfig): Layer.Layer<Database> =>
    Layer.effect(Database, make(config)).pipe(Layer.provide(Reactivity.layer))

  /** Provides the positions to the market's interfaces, such as HTTP. */
  static readonly positions: Layer.Layer<never, never, Database> = Layer.effect(
    StorePositions,
    Effect.map(Database, ({ positions }) => positions)
  )
}

/** Fails with `StoreUnavailable` while the database is unavailable; dies if the statement is at fault. */
const knownFailure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, WithoutSql<E> | StoreUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, WithoutSql<E> | StoreUnavailable> => {
    if (!(error instanceof SqlError)) return Effect.fail(error as WithoutSql<E>)
    const unavailable = asUnavailable(error)
    return unavailable === undefined ? Effect.die(error) : Effect.fail(unavailable)
  })

/** How often a read is sent again because its connection was lost: the other connections of its pool were probably lost too. */
const readRepeats = 3

/** A connection that fails later than this many milliseconds is not replaced: the database is unavailable. */
const lostSoon = 1000

/** Sends a read again if its connection turns out to be lost, as those of a process that slept are. */
const onAnotherConnection = <A, R>(read: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  Effect.suspend(() => {
    const until = performance.now() + lostSoon
    const isLost = ({ reason }: SqlError) => reason._tag === "ConnectionError" && performance.now() < until
    return Effect.retry(read, { times: readRepeats, while: isLost })
  })

/** A rollback over a lost connection dies, which would hide that the connection was lost. */
const lost = (defect: unknown): Effect.Effect<never, SqlError> =>
  defect instanceof SqlError ? Effect.fail(defect) : Effect.die(defect)

const late = (milliseconds: number) => () =>
  new StoreUnavailable({ cause: `the database did not answer within ${milliseconds} ms` })

const applicationName = "agent-marketplace"

const onlyHost = (url: Redacted.Redacted): Primary => ({ route: (config) => ({ ...config, url }) })

/** The connections of short reads and of lists to one host. */
const poolReads = Effect.fnUntraced(function* (
  { status, route }: Primary,
  config: DatabaseConfig,
  common: PgConnection.Config
) {
  const shared = { ...common, multiplex: true }
  const reads = yield* poolSessions(
    route({ ...shared, maxConnections: config.readConnections ?? 3, multiplexConcurrency: 64 }),
    { status, settings }
  )
  const poolLists = poolSessions(
    // A transaction that is given up while it waits for a connection is never started.
    route({ ...shared, maxConnections: config.listConnections ?? 2, multiplexConcurrency: 2 }),
    { status, settings }
  )
  return { reads, lists: yield* poolLists, searches: yield* poolLists }
})

const currentPosition = `SELECT ${positionOf("pg_current_wal_insert_lsn()")} AS position`

/** When a position is this old, every replica in use has reached it, even if this process has not seen that yet. */
const positionLifetime = 2 * longestLag

/** Reads from replicas, and the positions of writes. Without replicas every read goes to the primary, and no position is known. */
const makeReplicas = Effect.fnUntraced(function* (
  address: DatabaseUrl | undefined,
  config: DatabaseConfig,
  primary: Reads
): Effect.fn.Return<Pick<Database["Service"], "replica" | "positions">, SqlError, Scope.Scope> {
  if (address === undefined) return { replica: primary, positions: null }
  const replicas = yield* followReplicas(
    address,
    applicationName,
    Effect.map(primary.read<PrimaryReport>(primaryStatus), ([report]) => report)
  )
  const pools = new Map<Replica, ReplicaPools>()
  const common = { connectTimeout: patience / 5, applicationName }
  for (const replica of replicas.all) pools.set(replica, yield* poolReads(replica, config, common))
  const shared = yield* makeSharedReads<StorePosition | null, never>()
  const current = Effect.match(primary.read<{ readonly position: StorePosition }>(currentPosition), {
    onFailure: () => null,
    onSuccess: ([row]) => row?.position ?? null
  })
  return {
    replica: yield* replicaReads(replicas, pools, primary),
    positions: { current: shared("current", current), lifetime: positionLifetime }
  }
})

const make = Effect.fnUntraced(function* (config: DatabaseConfig) {
  const parsed = parseDatabaseUrl(config.url)
  if (Result.isFailure(parsed)) return yield* Effect.die(new TypeError(`The URL of the database ${parsed.failure}`))
  const address = parsed.success
  const replicas = config.readUrl === undefined ? undefined : parseReadUrl(config.readUrl)
  if (replicas !== undefined && Result.isFailure(replicas))
    return yield* Effect.die(new TypeError(`The URL of the replicas ${replicas.failure}`))
  const readAddress = replicas?.success
  const primary = address.hosts.length > 0 ? yield* followPrimary(address, applicationName) : onlyHost(address.url)
  const { status } = primary
  const common = primary.route({ connectTimeout: patience / 2, applicationName })
  const { lists, reads, searches } = yield* poolReads(primary, config, common)
  const sql = yield* sessionClient(
    yield* poolSessions(primary.route({ ...common, maxConnections: config.writeConnections ?? 8 }), {
      status,
      settings: writeSettings
    })
  )
  const whenCertain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    status === undefined ? knownFailure(effect) : Effect.andThen(status.certain, knownFailure(effect))
  const end = Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) => connection.executeUnprepared("ROLLBACK", [], undefined))
  )
  /** A returned connection with an aborted transaction refuses all statements. Each refusal ends one such connection, until all are found. */
  const healed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tapError(effect, (error) =>
      error instanceof SqlError && sqlStateOf(error) === transactionAborted ? Effect.ignore(end) : Effect.void
    )
  const transactionOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    whenCertain(healed(Effect.catchDefect(sql.withTransaction(effect), lost)))
  const within = yield* makeDeadline(patience)
  const withinLong = yield* makeDeadline(longPatience)
  const withinMigration = yield* makeDeadline(migrationPatience)
  const rowsOf = <Row extends object>(
    pool: Sessions,
    text: string,
    parameters: ReadonlyArray<unknown> | undefined,
    prepare: boolean
  ) =>
    within(
      whenCertain(
        Effect.map(
          onAnotherConnection(pool.use((connection) => connection.query(text, parameters, prepare))),
          (result) => result.rows as ReadonlyArray<unknown> as ReadonlyArray<Row>
        )
      ),
      late(patience)
    )
  const read = <Row extends object>(text: string, parameters?: ReadonlyArray<unknown>) =>
    rowsOf<Row>(reads, text, parameters, true)
  const shared = yield* makeSharedReads<ReadonlyArray<object>, StoreUnavailable>()
  const primaryReads: Reads = {
    read,
    readList: <Row extends object>(
      text: string,
      parameters: ReadonlyArray<unknown>,
      prepared: boolean,
      lane: ListLane = "lists"
    ) =>
      shared(
        keyOf(text, parameters),
        rowsOf(lane === "searches" ? searches : lists, text, parameters, prepared)
      ) as Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>,
    readEach: <Row extends { readonly key: string }>(text: string) =>
      Effect.map(
        gatheredReads((keys) => read<Row>(text, [keys])),
        (one) => (key) => Effect.map(one(key), Option.fromUndefinedOr)
      )
  }
  return Database.of({
    ...primaryReads,
    ...(yield* makeReplicas(readAddress, config, primaryReads)),
    sql,
    attempt: (effect) => within(whenCertain(healed(effect)), late(patience)),
    transaction: (effect) => within(transactionOf(effect), late(patience)),
    inTurn: makeTurns(),
    longTransaction: (effect) =>
      withinLong(transactionOf(Effect.andThen(sql.unsafe(forLongWork(longPatience)), effect)), late(longPatience)),
    migration: (effect) =>
      withinMigration(
        transactionOf(
          Effect.andThen(
            sql.unsafe(`${forLongWork(migrationPatience)}, set_config('maintenance_work_mem', '256MB', true)`),
            effect
          )
        ),
        late(migrationPatience)
      ),
    stream: <Row extends object>(text: string, parameters?: ReadonlyArray<unknown>) =>
      Stream.unwrap(
        Effect.map(
          Effect.andThen(
            status?.certain ?? Effect.void,
            openSession(common, { status, settings: { ...settings, statement_timeout: "0" } })
          ),
          (connection) => connection.stream(text, parameters)
        )
      ).pipe(
        Stream.map((row) => row as object as Row),
        Stream.catch((error) => Stream.fromEffect(knownFailure(Effect.fail(error))))
      ),
    connect: openSession(common, { status, settings }),
    primary: status ?? { isCertain: () => true, changes: () => 0 }
  })
}, Effect.orDie)
