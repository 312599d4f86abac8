import { isLeased, momentNow } from "../Lease.ts"
import type { Moment } from "../Lease.ts"
import type { Host } from "./DatabaseUrl.ts"

/** What is known of a host after it was asked. */
export interface Answer {
  /** The timeline of its history, if it accepts writes: each promotion starts a higher one. Null otherwise, and if it does not answer. */
  readonly timeline: number | null
  /** When it was asked. */
  readonly asked: Moment
}

/** What an answer has changed. `none`: no host is the primary. */
export type Finding = "found" | "confirmed" | "lost" | "none" | undefined

/**
 * Decides by the answers of several hosts which one is the primary (DATABASE-3). That decision may be relied on for one lease after the primary was last asked. Once
 * the lease has ended, as it has for a process that was frozen, all hosts must answer new questions first: another one may have been promoted.
 */
export class PrimarySearch {
  readonly #hosts: ReadonlyArray<Host>
  readonly #answers = new Map<Host, Answer>()
  /** Answers to earlier questions do not count. Only a higher timeline is always believed. */
  #since = momentNow()
  /** When this process last showed that it was not frozen. */
  #awake = this.#since
  /** When the primary was last asked; undefined while all hosts are being asked. */
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

  /** How often the primary became another one. */
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

  /** Whether the host has not yet answered a question that counts. */
  isOutdated(host: Host): boolean {
    const answer = this.#answers.get(host)
    return answer === undefined || answer.asked.monotonic <= this.#since.monotonic
  }

  /**
   * Starts again with new questions if a lease has ended, also if this process was frozen while nothing was certain. Returns whether it did. Must be called
   * more often than a lease lasts.
   */
  startAgainIfLapsed(): boolean {
    const isLapsed = !isLeased(this.#awake) || (this.#confirmed !== undefined && !isLeased(this.#confirmed))
    this.#awake = momentNow()
    if (isLapsed) this.#startAgain()
    return isLapsed
  }

  answered(host: Host, answer: Answer): Finding {
    this.startAgainIfLapsed()
    this.#answers.set(host, answer)
    const newest = this.#newest()
    if (newest !== undefined && (this.#timeline > 0 || this.#hasAll)) return this.#use(...newest)
    if (this.isOutdated(host)) return undefined
    if (this.#isFound) return this.#stays(host, answer)
    if (!this.#hasAll) return undefined
    const same = [...this.#answers].find(([, { timeline }]) => timeline === this.#timeline)
    if (same !== undefined) return this.#use(...same)
    this.#startAgain()
    return "none"
  }

  get #hasAll(): boolean {
    return this.#hosts.every((host) => !this.isOutdated(host))
  }

  #startAgain(): void {
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
  #use(host: Host, { asked, timeline }: Answer): Finding {
    if (host !== this.#host || timeline !== this.#timeline) this.#changes += 1
    this.#host = host
    this.#timeline = timeline ?? this.#timeline
    this.#isFound = true
    this.#confirmed = this.isCertain || this.#hasAll ? asked : undefined
    return "found"
  }

  /** While there is a primary. */
  #stays(host: Host, { asked, timeline }: Answer): Finding {
    if (host === this.#host && timeline !== this.#timeline) {
      this.#isFound = false
      this.#startAgain()
      return "lost"
    }
    if (this.#confirmed !== undefined) {
      if (host === this.#host) this.#confirmed = asked
      return undefined
    }
    if (!this.#hasAll) return undefined
    this.#confirmed = this.#answers.get(this.#host)?.asked
    return "confirmed"
  }
}
