import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { NotificationChannel } from "./NotificationChannel.ts"
import { paced } from "./NotificationChannel.ts"
import type { SendResult } from "./Notifier.ts"

const { hour, minute, second } = Time

/** The delays between the attempts of one message (NOTIFY-6). Approvals wait behind it, so no delay is longer than an hour. */
const retryDelays: ReadonlyArray<number> = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  hour,
  hour
]

/** The channel after an attempt, null if it is removed; and whether the message is finished. */
export interface AfterSend {
  readonly channel: NotificationChannel | null
  readonly finished: boolean
}

/** Applies the result of an attempt to the channel (NOTIFY-6, NOTIFY-13). Pure. */
export const afterSend = (channel: NotificationChannel, result: SendResult, now: Timestamp): AfterSend => {
  const idle = { ...channel, tries: 0, retryAt: null }
  switch (result._tag) {
    case "Sent":
      return { channel: { ...paced(idle, now), problem: null, lastSentAt: now }, finished: true }
    case "Refused":
      return { channel: { ...paced(idle, now), problem: result.problem }, finished: true }
    case "Gone":
      return channel.kind === "push"
        ? { channel: null, finished: true }
        : { channel: { ...idle, enabled: false, problem: result.problem }, finished: true }
    case "Failed": {
      const delay = retryDelays[channel.tries]
      if (delay === undefined) return { channel: { ...idle, problem: result.problem }, finished: true }
      const wait = Math.min(Math.max(delay, result.retryAfterMillis ?? 0), hour)
      const tried = { ...channel, tries: channel.tries + 1, retryAt: now + wait, problem: result.problem }
      return { channel: tried, finished: false }
    }
  }
}
