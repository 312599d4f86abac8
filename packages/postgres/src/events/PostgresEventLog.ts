import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { EventData, EventType } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Schedule, Stream } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"

interface Row {
  readonly seq: bigint
  readonly xid: string
  readonly type: string
  readonly at: Date
  readonly subject: string
  readonly accounts: ReadonlyArray<string>
  readonly data: EventData
}

/**
 * Only what is older than every transaction that is still running: whatever commits from now on is newer, so that a reader who
 * goes on from (xid, seq) passes over nothing.
 */
const readAfter = `
  SELECT seq, xid::text AS xid, type, at, subject, accounts, data FROM events
  WHERE (xid, seq) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY events.xid, events.seq LIMIT $3::int`

/** The event's id: its number in the log, which no other event ever has. */
export const eventId = (seq: bigint): string => `evt_${seq.toString(32).padStart(13, "0")}`

const logged = ({ accounts, at, data, seq, subject, type, xid }: Row): LoggedEvent => ({
  id: eventId(seq),
  cursor: `${xid}.${seq}`,
  type: type as EventType,
  at: at.getTime(),
  subject,
  accounts: accounts as ReadonlyArray<AccountId>,
  data
})

const position = (cursor: string | undefined): readonly [xid: string, seq: bigint] => {
  const [xid = "0", seq = "0"] = (cursor ?? "0.0").split(".")
  return [xid, BigInt(seq)]
}

export const PostgresEventLog: { readonly layer: Layer.Layer<EventLog, never, Database | Notifications> } = {
  layer: Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { read } = yield* Database
      const notifications = yield* Notifications
      const announced = Stream.map(notifications.stream("events"), (): void => undefined)
      // An event that a slower transaction kept back, or whose announcement was lost, is found at the next second.
      const everySecond = Stream.map(Stream.fromSchedule(Schedule.spaced("1 second")), (): void => undefined)
      return {
        read: (after, limit) =>
          Effect.map(read<Row>(readAfter, [...position(after), limit]), (rows) => rows.map(logged)),
        appended: Stream.merge(Stream.concat(Stream.succeed<void>(undefined), everySecond), announced)
      }
    })
  )
}
