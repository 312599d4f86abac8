import { isLeased, momentNow } from "../Lease.ts"
import type { Moment } from "../Lease.ts"
import type { Host } from "./DatabaseUrl.ts"

/** The result of querying a host for its role. */
export interface Answer {
  /** The timeline of its history, if it accepts writes: each promotion starts a higher one. Null otherwise, and if it does not answer. */
  readonly timeline: number | null
  /** When the query was sent. */
  readonly queriedAt: Moment
}

/** The effect of an answer. `none`: no host is the primary. */
export type Finding = "found" | "confirmed" | "lost" | "none" | undefined

/**
 * Decides by the answers of the hosts which one is the primary (DATABASE-3). The decision is certain for one lease after the last answered query to the primary was
 * sent. After that, as in a process that was frozen, it is certain again only once every host has answered a new query or failed to: another one may have been
 * promoted (DATABASE-6).
 */
export class PrimarySearch {
  readonly #hosts: ReadonlyArray<Host>
  readonly #answers = new Map<Host, Answer>()
  /** Answers to earlier queries count only if their timeline is higher. */
  #since = momentNow()
  /** When this process last showed that it was not frozen. */
  #awake = this.#since
  /** When the last answered query to the primary was sent; undefined while it is not certain. */
  #confirmed: Moment | undefined
  #host: Host
  #timeline = 0
  #isFound = false
  #changes = 0

  constructor(hosts: ReadonlyArray<Host>) {
    this.#hosts = hosts
    this.#host = hosts[0] ?? { host: "localhost", port: 5432 }
  }

  /** The primary, or the last one; the first host before any was found. */
  get host(): Host {
    return this.#host
  }

  /** The highest timeline of a primary so far; 0 before any was found. */
  get timeline(): number {
    return this.#timeline
  }

  /** How many times the host or the timeline of the primary changed, including the first time. */
  get changes(): number {
    return this.#changes
  }

  /** Whether there is a primary, certain or not. */
  get isFound(): boolean {
    return this.#isFound
  }

  /** Whether the primary is certain. */
  get isCertain(): boolean {
    return this.#confirmed !== undefined && isLeased(this.#confirmed)
  }

  /** Whether no answer of the host counts yet. */
  needsAnswer(host: Host): boolean {
    const answer = this.#answers.get(host)
    return answer === undefined || answer.queriedAt.monotonic <= this.#since.monotonic
  }

  /**
   * Restarts the search if the lease has ended, or if this process was frozen while nothing was certain. Returns whether it did. Must be called more often than a
   * lease lasts.
   */
  restartIfLapsed(): boolean {
    const isLapsed = !isLeased(this.#awake) || (this.#confirmed !== undefined && !isLeased(this.#confirmed))
    this.#awake = momentNow()
    if (isLapsed) this.#restart()
    return isLapsed
  }

  answered(host: Host, answer: Answer): Finding {
    this.restartIfLapsed()
    this.#answers.set(host, answer)
    const newest = this.#newest()
    if (newest !== undefined && (this.#timeline > 0 || this.#hasAll)) return this.#use(...newest)
    if (this.needsAnswer(host)) return undefined
    if (this.#isFound) return this.#keep(host, answer)
    if (!this.#hasAll) return undefined
    const same = [...this.#answers].find(([, { timeline }]) => timeline === this.#timeline)
    if (same !== undefined) return this.#use(...same)
    this.#restart()
    return "none"
  }

  get #hasAll(): boolean {
    return this.#hosts.every((host) => !this.needsAnswer(host))
  }

  #restart(): void {
    this.#confirmed = undefined
    this.#since = momentNow()
  }

  /** The host with the highest timeline, if that is higher than any primary's so far. */
  #newest(): readonly [Host, Answer] | undefined {
    return [...this.#answers]
      .filter(([, { timeline }]) => (timeline ?? 0) > this.#timeline)
      .toSorted(([, a], [, b]) => (b.timeline ?? 0) - (a.timeline ?? 0))[0]
  }

  /** If the last primary was no longer certain, the other hosts must answer first: yet another one may have been promoted. */
  #use(host: Host, { queriedAt, timeline }: Answer): Finding {
    if (host !== this.#host || timeline !== this.#timeline) this.#changes += 1
    this.#host = host
    this.#timeline = timeline ?? this.#timeline
    this.#isFound = true
    this.#confirmed = this.isCertain || this.#hasAll ? queriedAt : undefined
    return "found"
  }

  /** Handles an answer while there is a primary. */
  #keep(host: Host, { queriedAt, timeline }: Answer): Finding {
    if (host === this.#host && timeline !== this.#timeline) {
      this.#isFound = false
      this.#restart()
      return "lost"
    }
    if (this.#confirmed !== undefined) {
      if (host === this.#host) this.#confirmed = queriedAt
      return undefined
    }
    if (!this.#hasAll) return undefined
    this.#confirmed = this.#answers.get(this.#host)?.queriedAt
    return "confirmed"
  }
}
