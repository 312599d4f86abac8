import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { PgConnection } from "@effect/sql-pg"
import { Cause, Deferred, Effect } from "effect"
import type { Scope } from "effect"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { momentNow } from "../Lease.ts"
import type { Moment } from "../Lease.ts"
import type { DatabaseUrl, Host } from "./DatabaseUrl.ts"
import { PrimarySearch } from "./PrimarySearch.ts"
import type { Finding } from "./PrimarySearch.ts"

/** Where the connections of a process lead. */
export interface Primary {
  /** Adds to a configuration where its connections lead: to the primary that is known when each of them is opened. */
  readonly route: <C extends PgConnection.Config>(config: C) => C
  /** Present if the URL names several hosts or has `target_session_attrs`. Otherwise its host is used whatever its role. */
  readonly status?: PrimaryStatus
}

/** Which host is the primary, as far as this process knows. */
export interface PrimaryStatus {
  /** Waits until it is certain which host is the primary. Fails after two seconds. */
  readonly certain: Effect.Effect<void, StoreUnavailable>
  readonly isCertain: () => boolean
  /** How many times the host or the timeline of the primary changed, including the first time. */
  readonly changes: () => number
  /** Whether to use a connection to a server on this timeline: false for null, which a standby reports, and for one that is older than the primary's. */
  readonly accepts: (timeline: number | null) => boolean
}

/** How long a host may take to accept a connection, and to answer a query, in milliseconds. */
const patience = 1000

/** The interval at which each host is queried, in milliseconds. */
const heartbeat = 500

/** The same while no primary is known. */
const searchInterval = 100

/** SQL for the timeline; null on a standby, and if writes are refused for another reason. */
export const timelineIfPrimary = `CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END`

/** A host as messages and metrics name it. */
export const nameOf = ({ host, port }: Host) => `${host}:${port}`

/** A socket to a host. */
export const open = ({ host, port }: Host): Socket =>
  host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port, noDelay: true })

/** The state of one connection. */
interface Progress {
  /** When the last query was sent, or the connection was opened. */
  queriedAt: Moment
  answers: number
  /** Whether the last query was not answered in time. */
  isLate: boolean
}

const uncertain = new StoreUnavailable({ cause: "it is not certain which host of DATABASE_URL is the primary" })

/**
 * Follows the primary among the hosts of a database (DATABASE-3). A fiber for each host queries its role, over a connection that is kept. Connections to a
 * former primary are cut, even if it is only frozen. A host whose timeline is older than the last primary's is not used: it missed the promotion.
 */
export const followPrimary = Effect.fnUntraced(function* (
  { hosts, url }: DatabaseUrl,
  applicationName: string
): Effect.fn.Return<Primary, never, Scope.Scope> {
  const search = new PrimarySearch(hosts)
  const sockets = new Map<Socket, Host>()
  /** The sockets over which hosts are queried. */
  const querySockets = new Set<Socket>()
  const signals = { query: Deferred.makeUnsafe<void>(), certain: Deferred.makeUnsafe<void>() }
  let isReported = false

  const notify = (signal: keyof typeof signals): void => {
    const waited = signals[signal]
    signals[signal] = Deferred.makeUnsafe()
    Deferred.doneUnsafe(waited, Effect.void)
  }

  /** After a lease has ended, older connections may lead to a server that is no longer at the address, or to none. */
  const restartIfLapsed = (): void => {
    if (!search.restartIfLapsed()) return
    for (const socket of querySockets) socket.destroy()
    notify("query")
  }

  const stream = (): Socket => {
    const socket = open(search.host)
    sockets.set(socket, search.host)
    return socket.once("close", () => sockets.delete(socket))
  }

  /** Cuts the connections to other hosts; all of them after a promotion, because an address may lead to another server then. */
  const cut = (isPromoted: boolean): void => {
    for (const [socket, host] of sockets) if (host !== search.host || isPromoted) socket.destroy()
  }

  const respond = (finding: Finding): Effect.Effect<void> => {
    if (finding === "found" || finding === "confirmed") notify("certain")
    if (finding === "lost" || (finding === "found" && !search.isCertain)) notify("query")
    if (finding === "lost")
      return Effect.logWarning(
        `The primary database ${nameOf(search.host)} does not answer, or no longer accepts writes`
      )
    if (finding !== "none" || isReported) return Effect.void
    isReported = true
    return Effect.logWarning(`No host of DATABASE_URL accepts writes: ${hosts.map(nameOf).join(", ")}`)
  }

  const handleAnswer = (host: Host, timeline: number | null, queriedAt: Moment) =>
    Effect.suspend(() => {
      restartIfLapsed()
      const before = { host: search.host, timeline: search.timeline }
      const finding = search.answered(host, { timeline, queriedAt })
      if (finding !== "found") return respond(finding)
      isReported = false
      cut(search.timeline !== before.timeline)
      const change =
        before.timeline > 0 && search.host !== before.host
          ? Effect.logWarning(`The primary database is now ${nameOf(search.host)}`)
          : Effect.void
      return Effect.andThen(respond(finding), change)
    })

  /** A connection to one host. The returned effect reads its timeline, and fails if the connection is lost or the answer takes too long. */
  const openConnection = Effect.fnUntraced(function* (host: Host, progress: Progress) {
    let socket: Socket | undefined
    const connection = yield* PgConnection.make({
      url,
      host: host.host,
      port: host.port,
      stream: () => {
        const opened = open(host)
        querySockets.add(opened)
        // Later ones only carry cancel requests.
        socket ??= opened
        return opened.once("close", () => {
          querySockets.delete(opened)
          if (progress.answers > 0) notify("query")
        })
      },
      connectTimeout: patience,
      applicationName
    })
    const query = Effect.suspend(() => {
      // An interrupted query would wait for its server; one whose socket is closed fails.
      const giveUp = () => {
        progress.isLate = true
        socket?.destroy()
      }
      const timer = setTimeout(giveUp, patience)
      return Effect.ensuring(
        connection.query(`SELECT ${timelineIfPrimary} AS timeline`, [], false),
        Effect.sync(() => clearTimeout(timer))
      )
    })
    return { query: Effect.map(query, ({ rows }) => (rows[0] as { readonly timeline: number | null }).timeline) }
  })

  const untilNext = (host: Host, { queriedAt }: Progress) =>
    Effect.suspend(() => {
      if (search.isFound && search.needsAnswer(host)) return Effect.void
      const pause = search.isFound ? heartbeat - (performance.now() - queriedAt.monotonic) : searchInterval
      return Effect.timeoutOption(Deferred.await(signals.query), Math.max(0, pause))
    })

  /** Queries a host over one connection until that is lost. If the host had answered, and in time, it is connected to again before it counts as lost. */
  const session = (host: Host) =>
    Effect.suspend(() => {
      const progress: Progress = { queriedAt: momentNow(), answers: 0, isLate: false }
      const querying = Effect.gen(function* () {
        const { query } = yield* openConnection(host, progress)
        for (;;) {
          progress.queriedAt = momentNow()
          yield* handleAnswer(host, yield* query, progress.queriedAt)
          progress.answers += 1
          yield* untilNext(host, progress)
        }
      })
      const unanswered = Effect.suspend(() =>
        Effect.andThen(handleAnswer(host, null, progress.queriedAt), untilNext(host, progress))
      )
      const isFailure = (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause)
      return Effect.catchCauseIf(Effect.scoped(querying), isFailure, () =>
        progress.answers > 0 && !progress.isLate ? Effect.void : unanswered
      )
    })

  for (const host of hosts) yield* Effect.forkScoped(Effect.forever(session(host)))

  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(restartIfLapsed), heartbeat)))

  const certain: Effect.Effect<void> = Effect.suspend(() => {
    restartIfLapsed()
    return search.isCertain ? Effect.void : Effect.andThen(Deferred.await(signals.certain), certain)
  })
  const soonCertain = Effect.timeoutOrElse(certain, { duration: "2 seconds", orElse: () => Effect.fail(uncertain) })
  yield* Effect.ignore(soonCertain)
  const route = {
    url,
    stream,
    get host() {
      return search.host.host
    },
    get port() {
      return search.host.port
    }
  }
  return {
    route: (config) => Object.defineProperties({ ...config }, Object.getOwnPropertyDescriptors(route)),
    status: {
      certain: Effect.suspend(() => (search.isCertain ? Effect.void : soonCertain)),
      isCertain: () => search.isCertain,
      changes: () => search.changes,
      accepts: (timeline) => timeline !== null && timeline >= search.timeline
    }
  }
})
