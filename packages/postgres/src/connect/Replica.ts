import type { StorePosition } from "@agent-marketplace/core/consistency/ReadPoint"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import type { Redacted, Scope } from "effect"
import type { Socket } from "node:net"
import type { Host } from "./DatabaseUrl.ts"
import { nameOf, open } from "./Primary.ts"
import { positionOf } from "./positionOf.ts"

/** What a replica has reported. */
export interface ReplicaReport {
  /** What it has replayed. */
  readonly position: StorePosition
  /** Distinguishes this database from those of other clusters. */
  readonly identity: string
  /** Null on a standby. A host that was promoted has the timeline of its history. */
  readonly timeline: string | null
  /** When it was requested, in milliseconds of the process's monotonic clock. */
  readonly at: number
}

export interface Replica {
  readonly name: string
  /** Makes the connections of a configuration lead to this host. */
  readonly route: <C extends PgConnection.Config>(config: C) => C
  /** Undefined while it does not answer. */
  readonly report: () => ReplicaReport | undefined
}

/** The interval at which a replica reports its position. */
export const heartbeat = "250 millis"

/** How long it may take to answer, in milliseconds. */
const patience = 1000

/** The time between two attempts to connect. */
const pause = "1 second"

/** SQL for what distinguishes a database from those of other clusters. */
export const identity = `(SELECT system_identifier::text FROM pg_control_system()) || '/' || current_database()`

/** SQL for the timeline of a host that accepts writes. */
export const timeline = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`

const status = `SELECT ${identity} AS identity,
  CASE WHEN pg_is_in_recovery() THEN ${positionOf("pg_last_wal_replay_lsn()")} ELSE ${positionOf("pg_current_wal_insert_lsn()")} END AS position,
  CASE WHEN NOT pg_is_in_recovery() THEN ${timeline} END AS timeline`

/**
 * Reads four times a second which position one host of `READ_DATABASE_URL` has replayed. While it does not answer, all connections to it are cut,
 * so that reads in progress can be repeated elsewhere.
 */
export const followReplica = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  host: Host,
  applicationName: string,
  changed: (replica: Replica) => Effect.Effect<void>
): Effect.fn.Return<Replica, never, Scope.Scope> {
  const sockets = new Set<Socket>()
  const state: { report: ReplicaReport | undefined } = { report: undefined }
  const stream = (): Socket => {
    const socket = open(host)
    sockets.add(socket)
    return socket.once("close", () => sockets.delete(socket))
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const address = { url, host: host.host, port: host.port, stream }

  const replica: Replica = {
    name: nameOf(host),
    route: (config) => ({ ...config, ...address }),
    report: () => state.report
  }

  const ask = (connection: PgConnection.PgConnection) =>
    Effect.suspend(() => {
      const at = performance.now()
      // An interrupted query would wait for its server; one whose socket is closed fails.
      const timer = setTimeout(cut, patience)
      return Effect.ensuring(
        connection.query(status, [], false),
        Effect.sync(() => clearTimeout(timer))
      ).pipe(
        Effect.flatMap(({ rows }) => {
          state.report = { ...(rows[0] as Omit<ReplicaReport, "at">), at }
          return changed(replica)
        })
      )
    })

  const session = Effect.gen(function* () {
    const connection = yield* PgConnection.make({ ...address, connectTimeout: patience, applicationName })
    const pinned = yield* connection.pin
    yield* Effect.repeat(ask(pinned), Schedule.spaced(heartbeat))
  }).pipe(
    Effect.scoped,
    Effect.ensuring(
      Effect.suspend(() => {
        state.report = undefined
        cut()
        return changed(replica)
      })
    )
  )
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(session), Schedule.spaced(pause)))
  return replica
})
