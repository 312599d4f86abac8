import { ReadPoint } from "@agent-marketplace/core/consistency/ReadPoint"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Option } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { makeDeadline } from "../Deadline.ts"
import { gatheredReads } from "../GatheredReads.ts"
import { keyOf, makeSharedReads } from "../SharedReads.ts"
import type { Replica } from "./Replica.ts"
import type { Replicas } from "./Replicas.ts"
import type { Sessions } from "./Sessions.ts"

type Parameters = ReadonlyArray<unknown>
type Rows = ReadonlyArray<object>

/** Reads of one statement each. */
export interface Reads {
  /**
   * One short statement on the connections that all reads share (never part of a transaction). The text must be constant: it is
   * prepared once for each connection. Arrays are typed by their elements; a cast in the text types an empty one.
   */
  readonly read: <Row extends object>(
    text: string,
    parameters?: Parameters
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * One statement that may take milliseconds, such as a search, on connections where no short read waits behind it. Identical requests
   * that arrive while it runs share its next result. `prepared` prepares the text, which must then be constant; otherwise the statement is
   * planned for its parameters. Searches have connections of their own, so that neither they nor other lists wait for each other (LOAD-9).
   */
  readonly readList: <Row extends object>(
    text: string,
    parameters: Parameters,
    prepared: boolean,
    lane?: ListLane
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** As `read`, one row by its `key`, with a text whose only parameter is an array of keys. All waiting keys are read together. */
  readonly readEach: <Row extends { readonly key: string }>(
    text: string
  ) => Effect.Effect<(key: string) => Effect.Effect<Option.Option<Row>, StoreUnavailable>, never, Scope.Scope>
}

/** The connections of a statement that may take milliseconds. */
export type ListLane = "lists" | "searches"

/** The pools of connections to one replica. */
export interface ReplicaPools extends Readonly<Record<ListLane, Sessions>> {
  readonly reads: Sessions
}

/** The time limit of a read on a replica, in milliseconds. After that it is repeated on the primary. */
const patience = 2000

/**
 * Reads from a replica that has reached the position of the current `ReadPoint`, or from the primary if there is none. A read that fails on a
 * replica, for whatever reason, is repeated once on the primary (DATABASE-7).
 */
export const replicaReads = Effect.fnUntraced(function* (
  replicas: Replicas,
  pools: ReadonlyMap<Replica, ReplicaPools>,
  primary: Reads
): Effect.fn.Return<Reads, never, Scope.Scope> {
  const within = yield* makeDeadline(patience)
  const shared = yield* makeSharedReads<Rows, StoreUnavailable>()

  const query = (sessions: Sessions, text: string, parameters: Parameters | undefined, prepared: boolean) =>
    within(
      Effect.map(
        sessions.use((connection) => connection.query(text, parameters, prepared)),
        ({ rows }) => rows as ReadonlyArray<unknown> as Rows
      ),
      () => undefined
    )

  const orPrimary = <A>(
    onReplica: Effect.Effect<A, SqlError | undefined>,
    otherwise: Effect.Effect<A, StoreUnavailable>
  ) =>
    Effect.catch(onReplica, () => {
      replicas.count(undefined)
      return otherwise
    })

  /** Runs on the replica that the current read point allows, which is decided before the read waits for others. */
  const onReplica = <A>(
    use: (replica: Replica, to: ReplicaPools) => Effect.Effect<A, StoreUnavailable>,
    otherwise: Effect.Effect<A, StoreUnavailable>
  ) =>
    Effect.flatMap(ReadPoint, (after) => {
      if (after === null) return otherwise
      const replica = replicas.choose(after)
      const to = replica && pools.get(replica)
      replicas.count(to && replica)
      return replica === undefined || to === undefined ? otherwise : use(replica, to)
    })

  const read = <Row extends object>(text: string, parameters?: Parameters) =>
    onReplica(
      (_, { reads }) =>
        orPrimary(
          query(reads, text, parameters, true) as Effect.Effect<ReadonlyArray<Row>, SqlError>,
          primary.read<Row>(text, parameters)
        ),
      primary.read<Row>(text, parameters)
    )

  const readList = <Row extends object>(
    text: string,
    parameters: Parameters,
    prepared: boolean,
    lane: ListLane = "lists"
  ) => {
    const otherwise = primary.readList<Row>(text, parameters, prepared, lane)
    return onReplica(
      ({ name }, pools) =>
        shared(
          `${name} ${keyOf(text, parameters)}`,
          orPrimary<Rows>(query(pools[lane], text, parameters, prepared), otherwise)
        ) as Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>,
      otherwise
    )
  }

  const readEach = Effect.fnUntraced(function* <Row extends { readonly key: string }>(text: string) {
    const otherwise = yield* primary.readEach<Row>(text)
    const gathered = new Map<Replica, (key: string) => Effect.Effect<Row | undefined, StoreUnavailable>>()
    for (const [replica, { reads }] of pools) {
      const one = yield* gatheredReads<Row, StoreUnavailable>((keys) =>
        orPrimary(
          query(reads, text, [keys], true) as Effect.Effect<ReadonlyArray<Row>, SqlError>,
          primary.read<Row>(text, [keys])
        )
      )
      gathered.set(replica, one)
    }
    return (key: string) =>
      onReplica((replica) => {
        const one = gathered.get(replica)
        return one === undefined ? otherwise(key) : Effect.map(one(key), Option.fromUndefinedOr)
      }, otherwise(key))
  })

  return { read, readList, readEach }
})
