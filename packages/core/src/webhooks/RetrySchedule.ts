import { Timestamp } from "../clock/Timestamp.ts"
import type { DeliveryId } from "../ids/Ids.ts"

const { day, hour, minute, second } = Timestamp

/** The delay between a failed attempt and the next one (DELIVERY-7). */
const delays: ReadonlyArray<number> = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour]

/** Jitter only lengthens a delay, by at most this share. */
const jitter = 0.1

/** The maximum delay that a receiver can request. */
const longestWait = day

/** A number from 0 to 1 derived from a text (FNV-1a). It spreads simultaneous deliveries and keeps the schedule a pure function. */
const fraction = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // The last character hardly changes FNV's high bits; this mixes them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .* GMT$/

const retryAfter = (header: string | null, now: Timestamp): number => {
  const text = header?.trim() ?? ""
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * second, longestWait)
  if (!httpDate.test(text)) return 0
  const until = Date.parse(text)
  return Number.isNaN(until) ? 0 : Math.min(Math.max(until - now, 0), longestWait)
}

/** The time of the next attempt (DELIVERY-7, DELIVERY-8). Pure. */
export const RetrySchedule: {
  /** The first attempt and seven more. */
  readonly attempts: number
  readonly delays: ReadonlyArray<number>
  /** The maximum share that jitter adds to a delay. */
  readonly jitter: number
  /**
   * The delay in milliseconds after the `tries`th failed attempt of a run, counted from 1; undefined after the last one. `header` is the
   * response's `Retry-After` (seconds, or an HTTP date). It can lengthen the delay to up to a day, but never shorten it.
   */
  readonly delay: (id: DeliveryId, tries: number, header: string | null, now: Timestamp) => number | undefined
} = {
  attempts: delays.length + 1,
  delays,
  jitter,
  delay: (id, tries, header, now) => {
    const planned = delays[tries - 1]
    if (planned === undefined) return undefined
    return Math.max(Math.round(planned * (1 + jitter * fraction(`${id}.${tries}`))), retryAfter(header, now))
  }
}
