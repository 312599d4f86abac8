import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { Effect, Layer, Schedule, Stream } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import type { EventRow } from "./EventRow.ts"
import { eventColumns, eventOf } from "./EventRow.ts"

const readHorizon = `SELECT event_horizon() AS horizon`

/** Runs after {@link readHorizon}, so that it sees all that was committed before. */
const readAfter = `
  SELECT ${eventColumns} FROM events
  WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq LIMIT $3::int`

export const PostgresEventLog: { readonly layer: Layer.Layer<EventLog, never, Database | Notifications> } = {
  layer: Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { read } = yield* Database
      const notifications = yield* Notifications
      const announced = Stream.map(notifications.stream("events"), (): void => undefined)
      // An event that a slower transaction held back, or whose announcement was lost, is found within a second.
      const everySecond = Stream.map(Stream.fromSchedule(Schedule.spaced("1 second")), (): void => undefined)
      return {
        read: Effect.fnUntraced(function* (after, limit) {
          const from = BigInt(after ?? "0")
          const [row] = yield* read<{ readonly horizon: bigint }>(readHorizon)
          if (row === undefined || row.horizon <= from) return []
          return (yield* read<EventRow>(readAfter, [from, row.horizon, limit])).map(eventOf)
        }),
        appended: Stream.merge(Stream.concat(Stream.succeed<void>(undefined), everySecond), announced)
      }
    })
  )
}
