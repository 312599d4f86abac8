import type { StorePosition } from "@agent-marketplace/core/consistency/ReadPoint"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Metric, Schedule } from "effect"
import type { Scope } from "effect"
import type { DatabaseUrl } from "./DatabaseUrl.ts"
import { nameOf } from "./Primary.ts"
import { positionOf } from "./positionOf.ts"
import { followReplica, heartbeat, identity, timeline } from "./Replica.ts"
import type { Replica } from "./Replica.ts"

/** What the primary has reported. */
export interface PrimaryReport {
  readonly identity: string
  readonly timeline: string
  /** Everything that was committed before the report is at a lower position. */
  readonly inserted: StorePosition
  /** What replicas can have received. */
  readonly flushed: StorePosition
}

export const primaryStatus = `SELECT ${identity} AS identity, ${timeline} AS timeline,
  ${positionOf("pg_current_wal_insert_lsn()")} AS inserted, ${positionOf("pg_current_wal_flush_lsn()")} AS flushed`

/** A replica that is further behind is not used, in milliseconds. */
export const longestLag = 10_000

/** A report that is older is not used, in milliseconds: this process was busy or frozen. */
const longestSilence = 2000

/** Positions of the primary are remembered for this many milliseconds, so a longer lag is reported as this long. */
const remembered = 60_000

interface Reached {
  readonly position: StorePosition
  readonly at: number
}

export interface Replicas {
  readonly all: ReadonlyArray<Replica>
  /** The next replica that is in use and has reached the position. */
  readonly choose: (after: StorePosition) => Replica | undefined
  /** Counts a read for the metrics; undefined is the primary. */
  readonly count: (replica: Replica | undefined) => void
}

const makeMetrics = Effect.map(Effect.context<never>(), (context) => {
  const series = (host: string) => {
    const attributes = { host }
    return {
      lag: Metric.gauge("database_replica_lag_seconds", {
        description: "How far the replica is behind the primary, at most 60 seconds.",
        attributes
      }),
      used: Metric.gauge("database_replica_used", {
        description: "Whether reads may be served by the replica: 1 or 0.",
        attributes
      }),
      reads: Metric.counter("database_replica_reads_total", {
        description: "Reads that replicas may serve, by the host that served them.",
        incremental: true,
        attributes
      })
    }
  }
  return { context, series }
})

/**
 * Follows the hosts of `READ_DATABASE_URL` and says which of them may serve a read (DATABASE-7). The lag of a replica is the time since the
 * primary had a position that the replica has not reached.
 */
export const followReplicas = Effect.fnUntraced(function* (
  { hosts, url }: DatabaseUrl,
  applicationName: string,
  askPrimary: Effect.Effect<PrimaryReport | undefined, StoreUnavailable>
): Effect.fn.Return<Replicas, never, Scope.Scope> {
  const { context, series } = yield* makeMetrics
  const history: Array<Reached> = []
  /**
   * Replicas that were ahead of the primary, and its timeline then. The primary passes their position, so they stay left out until they have
   * been started again or another host is the primary.
   */
  const diverged = new Map<Replica, string>()
  /** Why each replica is left out, as logged; null if it is used. */
  const logged = new Map<Replica, string | null>()
  const state: { primary: PrimaryReport | undefined; turn: number } = { primary: undefined, turn: 0 }

  const lagOf = (position: StorePosition, now: number): number => {
    const missing = history.find((entry) => entry.position > position)
    return missing === undefined ? 0 : now - missing.at
  }

  const isUsed = (replica: Replica, now: number): boolean => {
    const report = replica.report()
    const { primary } = state
    if (report === undefined || primary === undefined || now - report.at > longestSilence) return false
    if (report.identity !== primary.identity || diverged.get(replica) === primary.timeline) return false
    if (report.timeline !== null && report.timeline !== primary.timeline) return false
    return lagOf(report.position, now) <= longestLag
  }

  const metrics = new Map(hosts.map((host) => [nameOf(host), series(nameOf(host))]))
  const onPrimary = series("primary").reads
  /** Updates the metrics of a replica, and logs whether it is used, and why not, if that has changed. */
  const observe = (replica: Replica) => {
    const now = performance.now()
    const report = replica.report()
    if (report === undefined) diverged.delete(replica)
    const used = isUsed(replica, now)
    metrics.get(replica.name)?.used.updateUnsafe(used ? 1 : 0, context)
    if (report !== undefined) metrics.get(replica.name)?.lag.updateUnsafe(lagOf(report.position, now) / 1000, context)
    const reason = used ? null : whyNot(report, state.primary, diverged.has(replica))
    if (logged.get(replica) === reason) return Effect.void
    logged.set(replica, reason)
    if (reason === null) return Effect.logInfo(`Replica ${replica.name} serves reads`)
    return Effect.logWarning(`Replica ${replica.name} serves no reads: ${reason}`)
  }

  const all = yield* Effect.forEach(hosts, (host) => followReplica(url, host, applicationName, observe))

  const renew = Effect.gen(function* () {
    const before = all.map((replica) => [replica, replica.report()?.position] as const)
    const report = yield* askPrimary
    if (report === undefined) return
    const at = performance.now()
    state.primary = report
    const oldest = history.findIndex((entry) => at - entry.at < remembered)
    history.splice(0, oldest === -1 ? history.length : oldest)
    if (history.at(-1)?.position !== report.flushed) history.push({ position: report.flushed, at })
    for (const [replica, position] of before) {
      // A replica cannot have replayed more than the primary had written at a later time, unless their histories differ.
      if (position !== undefined && position > report.inserted) diverged.set(replica, report.timeline)
    }
  })
  yield* Effect.ignore(renew)
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(renew), Schedule.spaced(heartbeat)))

  return {
    all,
    choose: (after) => {
      const now = performance.now()
      const usable = all.filter((replica) => isUsed(replica, now) && (replica.report()?.position ?? "") >= after)
      return usable[state.turn++ % usable.length]
    },
    count: (replica) => (replica === undefined ? onPrimary : metrics.get(replica.name)?.reads)?.updateUnsafe(1, context)
  }
})

const whyNot = (
  report: ReturnType<Replica["report"]>,
  primary: PrimaryReport | undefined,
  isAhead: boolean
): string => {
  if (report === undefined) return "it does not answer"
  if (primary === undefined) return "the primary does not answer"
  if (report.identity !== primary.identity) return "it belongs to another database than DATABASE_URL"
  return isAhead
    ? "its history differs from that of the primary"
    : "it is too far behind, or has not followed the promotion of the primary"
}
