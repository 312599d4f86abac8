import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Queue, Schedule } from "effect"
import type { Scope } from "effect"
import { connect } from "node:net"
import type { Socket } from "node:net"
import type { DatabaseUrl, Host } from "./DatabaseUrl.ts"

export interface Primary {
  /** Adds to a configuration where its connections lead: to the primary that is known when each of them is opened. */
  readonly route: <C extends PgConnection.Config>(config: C) => C
  /** Waits until a primary is known, at most two seconds. Absent for a single host, which is used whatever its role. */
  readonly known: Effect.Effect<void> | undefined
}

/** A host that accepts writes, with the timeline of its history: each promotion starts a higher one. */
interface Found {
  readonly host: Host
  readonly timeline: number
}

/** How long a host may take to report its role while a primary is searched, in milliseconds. */
const searchPatience = 1000

/** How long the primary may take to report that it still is one: longer, because it may only be busy. */
const watchPatience = 2000

/** The time between two rounds while no primary is known. */
const pause = "100 millis"

/** The interval at which the role of the primary is checked. */
const heartbeat = "1 second"

/** A channel on which nothing is announced. */
const channel = "primary"

/** The timeline; null on a standby, and if writes are refused for another reason. */
const timelineOf = `SELECT CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END AS timeline`

/** A host as messages and metrics name it. */
export const nameOf = ({ host, port }: Host) => `${host}:${port}`

/** A socket to a host. */
export const open = ({ host, port }: Host): Socket =>
  host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port, noDelay: true })

/**
 * Follows the primary among the hosts of a database (DATABASE-3). A fiber holds a connection to it and looks for another one when that
 * connection is lost or its host no longer accepts writes. Connections to a former primary are cut, even if it is only frozen. A
 * host whose timeline is older than the last primary's is not used: it missed the promotion.
 */
export const followPrimary = Effect.fnUntraced(function* (
  { hosts, url }: DatabaseUrl,
  applicationName: string
): Effect.fn.Return<Primary, never, Scope.Scope> {
  const sockets = new Map<Socket, Host>()
  const state: { host: Host; timeline: number; known: Deferred.Deferred<void>; reported: boolean } = {
    host: hosts[0] ?? { host: "localhost", port: 5432 },
    timeline: 0,
    known: Deferred.makeUnsafe(),
    reported: false
  }

  const stream = (): Socket => {
    const socket = open(state.host)
    sockets.set(socket, state.host)
    return socket.once("close", () => sockets.delete(socket))
  }

  /** Opens a connection to one host. The returned effect reads its timeline, or fails after so many milliseconds. */
  const ask = Effect.fnUntraced(function* (host: Host, patience: number) {
    let socket: Socket | undefined
    const connection = yield* PgConnection.make({
      url,
      host: host.host,
      port: host.port,
      stream: () => (socket = open(host)),
      connectTimeout: patience,
      applicationName
    })
    const pinned = yield* connection.pin
    const timeline = Effect.suspend(() => {
      // An interrupted query would wait for its server; one whose socket is closed fails.
      const timer = setTimeout(() => socket?.destroy(), patience)
      return Effect.ensuring(
        pinned.query(timelineOf, [], false),
        Effect.sync(() => clearTimeout(timer))
      )
    })
    return {
      connection: pinned,
      timeline: Effect.map(timeline, ({ rows }) => (rows[0] as { readonly timeline: number | null }).timeline)
    }
  })

  const probe = (host: Host) =>
    Effect.flatMap(ask(host, searchPatience), ({ timeline }) => timeline).pipe(
      Effect.scoped,
      Effect.map((timeline): ReadonlyArray<Found> => (timeline === null ? [] : [{ host, timeline }])),
      Effect.orElseSucceed((): ReadonlyArray<Found> => [])
    )

  const search = Effect.map(Effect.forEach(hosts, probe, { concurrency: "unbounded" }), (answers) =>
    answers
      .flat()
      .filter(({ timeline }) => timeline >= state.timeline)
      .toSorted((a, b) => b.timeline - a.timeline)
      .at(0)
  )

  const use = ({ host, timeline }: Found) =>
    Effect.suspend(() => {
      const changed = state.timeline > 0 && host !== state.host
      // An address may lead to another server after a promotion.
      const promoted = timeline !== state.timeline
      state.host = host
      state.timeline = timeline
      state.reported = false
      for (const [socket, at] of sockets) if (at !== host || promoted) socket.destroy()
      Deferred.doneUnsafe(state.known, Effect.void)
      return changed ? Effect.logWarning(`The primary database is now ${nameOf(host)}`) : Effect.void
    })

  /** Ends when the connection to the primary is lost, or the host is no longer the same primary. */
  const watch = Effect.fnUntraced(function* ({ host, timeline }: Found) {
    const asked = yield* ask(host, watchPatience)
    // The queue fails as soon as the connection is closed.
    const closed = Effect.flatMap(asked.connection.listen(channel), Queue.take)
    const stays = Effect.repeat(Effect.delay(asked.timeline, heartbeat), { while: (now) => now === timeline })
    yield* Effect.raceFirst(closed, stays)
  })

  const reportNone = Effect.suspend(() => {
    if (state.reported) return Effect.void
    state.reported = true
    return Effect.logWarning(`No host of DATABASE_URL accepts writes: ${hosts.map(nameOf).join(", ")}`)
  })

  const term = Effect.gen(function* () {
    const found = yield* search
    if (found === undefined) return yield* reportNone
    yield* use(found)
    yield* Effect.ignore(Effect.scoped(watch(found)))
    state.known = Deferred.makeUnsafe()
    yield* Effect.logWarning(`The primary database ${nameOf(found.host)} does not answer, or no longer accepts writes`)
  })

  yield* Effect.forkScoped(Effect.repeat(term, Schedule.spaced(pause)))
  const known = Effect.suspend(() =>
    Deferred.isDoneUnsafe(state.known)
      ? Effect.void
      : Effect.asVoid(Effect.timeoutOption(Deferred.await(state.known), "2 seconds"))
  )
  yield* known
  const route = {
    url,
    stream,
    get host() {
      return state.host.host
    },
    get port() {
      return state.host.port
    }
  }
  return {
    route: (config) => Object.defineProperties({ ...config }, Object.getOwnPropertyDescriptors(route)),
    known
  }
})
