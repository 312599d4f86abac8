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
  /** Present if there are several hosts. A single host is used whatever its role. */
  readonly among?: PrimaryAmong
}

/** The primary among several hosts. */
export interface PrimaryAmong {
  /** Waits until it is certain which host is the primary, at most two seconds. */
  readonly certain: Effect.Effect<void, StoreUnavailable>
  readonly isCertain: () => boolean
  /** How often the primary became another one. */
  readonly changes: () => number
  /** Whether a connection may be used whose server reports this timeline: it is not a standby, and has not missed a promotion. */
  readonly accepts: (timeline: number | null) => boolean
}

/** How long a host may take to accept a connection, and to answer a question, in milliseconds. */
const patience = 1000

/** How long a primary that is certain may take to answer: longer, because it may only be busy. */
const primaryPatience = 2000

/** The interval at which each host is asked, in milliseconds. */
const heartbeat = 500

/** The same while no primary is known. */
const haste = 100

/** SQL for the timeline; null on a standby, and if writes are refused for another reason. */
export const timelineIfPrimary = `CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::bool
  THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END`

/** A host as messages and metrics name it. */
export const nameOf = ({ host, port }: Host) => `${host}:${port}`

/** A socket to a host. */
export const open = ({ host, port }: Host): Socket =>
  host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port, noDelay: true })

/** What has come of one connection to a host. */
interface Progress {
  /** When the last question was asked, or the connection was begun. */
  asked: Moment
  answers: number
  /** Whether the last question was not answered in time. */
  isLate: boolean
}

const uncertain = new StoreUnavailable({ cause: "it is not certain which host of DATABASE_URL is the primary" })

/**
 * Follows the primary among the hosts of a database (DATABASE-3). A fiber for each host asks it for its role, over a connection that is kept. Connections to a
 * former primary are cut, even if it is only frozen. A host whose timeline is older than the last primary's is not used: it missed the promotion.
 */
export const followPrimary = Effect.fnUntraced(function* (
  { hosts, url }: DatabaseUrl,
  applicationName: string
): Effect.fn.Return<Primary, never, Scope.Scope> {
  const search = new PrimarySearch(hosts)
  const sockets = new Map<Socket, Host>()
  /** The sockets on which hosts are asked. */
  const questions = new Set<Socket>()
  const signals = { ask: Deferred.makeUnsafe<void>(), certain: Deferred.makeUnsafe<void>() }
  let isReported = false

  const give = (signal: keyof typeof signals): void => {
    const given = signals[signal]
    signals[signal] = Deferred.makeUnsafe()
    Deferred.doneUnsafe(given, Effect.void)
  }

  /** Connections from before a freeze may lead to a server that is no longer at the address, or to none. */
  const noticeFreeze = (): void => {
    if (!search.startAgainIfLapsed()) return
    for (const socket of questions) socket.destroy()
    give("ask")
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
    if (finding === "found" || finding === "confirmed") give("certain")
    if (finding === "lost" || (finding === "found" && !search.isCertain)) give("ask")
    if (finding === "lost")
      return Effect.logWarning(
        `The primary database ${nameOf(search.host)} does not answer, or no longer accepts writes`
      )
    if (finding !== "none" || isReported) return Effect.void
    isReported = true
    return Effect.logWarning(`No host of DATABASE_URL accepts writes: ${hosts.map(nameOf).join(", ")}`)
  }

  const note = (host: Host, timeline: number | null, asked: Moment) =>
    Effect.suspend(() => {
      noticeFreeze()
      const before = { host: search.host, timeline: search.timeline }
      const finding = search.answered(host, { timeline, asked })
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
  const connectTo = Effect.fnUntraced(function* (host: Host, progress: Progress) {
    let socket: Socket | undefined
    const connection = yield* PgConnection.make({
      url,
      host: host.host,
      port: host.port,
      stream: () => {
        const opened = open(host)
        questions.add(opened)
        // A later one only cancels a question.
        socket ??= opened
        return opened.once("close", () => {
          questions.delete(opened)
          if (progress.answers > 0) give("ask")
        })
      },
      connectTimeout: patience,
      applicationName
    })
    const ask = Effect.suspend(() => {
      // An interrupted query would wait for its server; one whose socket is closed fails.
      const giveUp = () => {
        progress.isLate = true
        socket?.destroy()
      }
      const timer = setTimeout(giveUp, search.isCertain && host === search.host ? primaryPatience : patience)
      return Effect.ensuring(
        connection.query(`SELECT ${timelineIfPrimary} AS timeline`, [], false),
        Effect.sync(() => clearTimeout(timer))
      )
    })
    return { ask: Effect.map(ask, ({ rows }) => (rows[0] as { readonly timeline: number | null }).timeline) }
  })

  const untilNext = (host: Host, { asked }: Progress) =>
    Effect.suspend(() => {
      if (search.isFound && search.isOutdated(host)) return Effect.void
      const pause = search.isFound ? heartbeat - (performance.now() - asked.monotonic) : haste
      return Effect.timeoutOption(Deferred.await(signals.ask), Math.max(0, pause))
    })

  /** Asks a host over one connection until that is lost. It is then opened again before the host counts as lost. */
  const session = (host: Host) =>
    Effect.suspend(() => {
      const progress: Progress = { asked: momentNow(), answers: 0, isLate: false }
      const asking = Effect.gen(function* () {
        const { ask } = yield* connectTo(host, progress)
        for (;;) {
          progress.asked = momentNow()
          yield* note(host, yield* ask, progress.asked)
          progress.answers += 1
          yield* untilNext(host, progress)
        }
      })
      const unanswered = Effect.suspend(() =>
        Effect.andThen(note(host, null, progress.asked), untilNext(host, progress))
      )
      const isFailure = (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause)
      return Effect.catchCauseIf(Effect.scoped(asking), isFailure, () =>
        progress.answers > 0 && !progress.isLate ? Effect.void : unanswered
      )
    })

  for (const host of hosts) yield* Effect.forkScoped(Effect.forever(session(host)))

  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(noticeFreeze), heartbeat)))

  const certain: Effect.Effect<void> = Effect.suspend(() => {
    noticeFreeze()
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
    among: {
      certain: Effect.suspend(() => (search.isCertain ? Effect.void : soonCertain)),
      isCertain: () => search.isCertain,
      changes: () => search.changes,
      accepts: (timeline) => timeline !== null && timeline >= search.timeline
    }
  }
})
