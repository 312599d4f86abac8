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

/** What an answer has changed. After `lapsed` and `lost` all hosts must be asked at once. */
export type Finding = "found" | "confirmed" | "lapsed" | "lost" | "none" | undefined

/**
 * Decides by the answers of several hosts which one is the primary (DATABASE-3). That decision may be relied on for one lease after the primary was last asked. Once
 * the lease has ended, as it has for a process that was frozen, it must be confirmed by new answers of all hosts: another one may have been promoted.
 */
export class PrimarySearch {
  readonly #hosts: ReadonlyArray<Host>
  readonly #answers = new Map<Host, Answer>()
  /** Answers to earlier questions are not enough for a decision. */
  #since = momentNow()
  /** When the primary was last asked; undefined while all hosts are being asked. */
  #confirmed: Moment | undefined
  #host: Host
  #timeline = 0
  #isFound = false

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

  /** Whether there is a primary, certain or not. */
  get isFound(): boolean {
    return this.#isFound
  }

  /** Whether the primary is certain. */
  get isConfirmed(): boolean {
    return this.#confirmed !== undefined && isLeased(this.#confirmed)
  }

  /** Whether the host must be asked again before a decision. */
  isOutdated(host: Host): boolean {
    const answer = this.#answers.get(host)
    return answer === undefined || answer.asked.monotonic <= this.#since.monotonic
  }

  /** Whether a lease has just ended: all hosts must then be asked. */
  noticeLapse(): boolean {
    if (this.#confirmed === undefined || isLeased(this.#confirmed)) return false
    this.#askAgain()
    return true
  }

  answered(host: Host, answer: Answer): Finding {
    const lapsed = this.noticeLapse()
    this.#answers.set(host, answer)
    return this.#decide(host, answer) ?? (lapsed ? "lapsed" : undefined)
  }

  #decide(host: Host, answer: Answer): Finding {
    const newest = this.#newest()
    if (newest !== undefined && (this.#timeline > 0 || this.#hasAll)) return this.#use(...newest)
    if (this.#isFound) return this.#stays(host, answer)
    if (!this.#hasAll) return undefined
    const same = this.#hosts.find((each) => this.#answers.get(each)?.timeline === this.#timeline)
    const found = same && this.#answers.get(same)
    if (same !== undefined && found !== undefined) return this.#use(same, found)
    this.#askAgain()
    return "none"
  }

  get #hasAll(): boolean {
    return this.#hosts.every((host) => !this.isOutdated(host))
  }

  #askAgain(): void {
    this.#confirmed = undefined
    this.#since = momentNow()
  }

  /** The host with the highest timeline that is higher than any primary's so far. */
  #newest(): readonly [Host, Answer] | undefined {
    return [...this.#answers]
      .filter(([, { timeline }]) => (timeline ?? 0) > this.#timeline)
      .toSorted(([, a], [, b]) => (b.timeline ?? 0) - (a.timeline ?? 0))[0]
  }

  /** If the last primary was no longer certain, the other hosts must answer first: yet another one may have been promoted. */
  #use(host: Host, { asked, timeline }: Answer): Finding {
    this.#host = host
    this.#timeline = timeline ?? this.#timeline
    this.#isFound = true
    this.#confirmed = this.isConfirmed || this.#hasAll ? asked : undefined
    return "found"
  }

  /** While there is a primary. */
  #stays(host: Host, { asked, timeline }: Answer): Finding {
    if (host === this.#host && timeline !== this.#timeline) {
      this.#isFound = false
      this.#askAgain()
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
