import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { EventData, EventType } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Schedule, Stream } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"

interface Row {
  readonly seq: bigint
  readonly type: string
  readonly at: Date
  readonly subject: string
  readonly accounts: ReadonlyArray<string>
  readonly data: EventData
}

const readHorizon = `SELECT event_horizon() AS horizon`

/** In a statement after {@link readHorizon}, so that it sees all that was committed before that. */
const readAfter = `
  SELECT seq, type, at, subject, accounts, data FROM events
  WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq LIMIT $3::int`

/** The event's id: its number in the log, which no other event ever has. */
export const eventId = (seq: bigint): string => `evt_${seq.toString(32).padStart(13, "0")}`

const logged = ({ accounts, at, data, seq, subject, type }: Row): LoggedEvent => ({
  id: eventId(seq),
  cursor: seq.toString(),
  type: type as EventType,
  at: at.getTime(),
  subject,
  accounts: accounts as ReadonlyArray<AccountId>,
  data
})

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
        read: Effect.fnUntraced(function* (after, limit) {
          const from = BigInt(after ?? "0")
          const [row] = yield* read<{ readonly horizon: bigint }>(readHorizon)
          if (row === undefined || row.horizon <= from) return []
          return (yield* read<Row>(readAfter, [from, row.horizon, limit])).map(logged)
        }),
        appended: Stream.merge(Stream.concat(Stream.succeed<void>(undefined), everySecond), announced)
      }
    })
  )
}
