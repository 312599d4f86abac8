import type { ItemHolder, SoulUser } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Schedule, Stream } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import { everLicensed } from "../purchases/everLicensed.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { arrayOf } from "../Rowset.ts"
import type { EventRow } from "./EventRow.ts"
import { eventColumns, eventOf } from "./EventRow.ts"

const readHorizon = `SELECT event_horizon() AS horizon`

/** Runs after {@link readHorizon}, so that it sees all that was committed before. */
const readAfter = `
  SELECT ${eventColumns} FROM events
  WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq LIMIT $3::int`

/** How many numbers of the log one call of `readFor` searches, so that its time is bounded however long the log is. */
const searched = 20_000n

const usesSoul = (account: string, soul: string) => `(
    EXISTS (SELECT FROM soul_downloads WHERE soul_id = ${soul} AND soul_downloads.account_id = ${account})
    OR ${liveLicense(account, soul)})`

const holdsItem = (account: string, item: string) => `(
    EXISTS (SELECT FROM soul_downloads WHERE soul_id = ${item} AND soul_downloads.account_id = ${account})
    OR ${everLicensed(account, item)})`

const readOwn = `
  SELECT ${eventColumns} FROM events
  WHERE seq > $1::bigint AND seq <= $2::bigint AND type = ANY($4::text[]) AND ($5::text IS NULL OR agent_id = $5::text)
    AND ($3::text = ANY(accounts) OR audience = 'everyone' OR (audience = 'users' AND ${usesSoul("$3::text", "events.subject")})
      OR (audience = 'holders' AND ${holdsItem("$3::text", "events.subject")}))
  ORDER BY seq LIMIT $6::int`

const findUsers = `
  SELECT soul, account FROM unnest($1::text[]) AS soul CROSS JOIN unnest($2::text[]) AS account
  WHERE ${usesSoul("account", "soul")}`

const findHolders = `
  SELECT item, account FROM unnest($1::text[]) AS item CROSS JOIN unnest($2::text[]) AS account
  WHERE ${holdsItem("account", "item")}`

export const PostgresEventLog: { readonly layer: Layer.Layer<EventLog, never, Database | Notifications> } = {
  layer: Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { read, readList } = yield* Database
      const notifications = yield* Notifications
      const announced = Stream.map(notifications.stream("events"), (): void => undefined)
      // An event that a slower transaction held back, or whose announcement was lost, is found within a second.
      const everySecond = Stream.map(Stream.fromSchedule(Schedule.spaced("1 second")), (): void => undefined)
      const horizon = Effect.map(read<{ readonly horizon: bigint }>(readHorizon), ([row]) => row?.horizon ?? 0n)
      return {
        end: Effect.map(horizon, String),
        readFor: Effect.fnUntraced(function* ({ accountId, agentId, types }, after, limit) {
          const from = BigInt(after)
          const end = yield* horizon
          if (end <= from) return { events: [], cursor: after }
          const to = end - from > searched ? from + searched : end
          const parameters = [from, to, accountId, arrayOf("text", [...types]), agentId, limit]
          const rows = yield* readList<EventRow>(readOwn, parameters, true)
          const last = rows.length === limit ? rows.at(-1)?.seq : undefined
          return { events: rows.map(eventOf), cursor: String(last ?? to) }
        }),
        usersOf: (souls, accounts) =>
          souls.length === 0 || accounts.length === 0
            ? Effect.succeed([])
            : Effect.map(
                read<{ readonly soul: string; readonly account: string }>(findUsers, [
                  arrayOf("text", souls),
                  arrayOf("text", accounts)
                ]),
                (rows) => rows.map(({ account, soul }): SoulUser => [soul, account as AccountId])
              ),
        holdersOf: (items, accounts) =>
          items.length === 0 || accounts.length === 0
            ? Effect.succeed([])
            : Effect.map(
                read<{ readonly item: string; readonly account: string }>(findHolders, [
                  arrayOf("text", items),
                  arrayOf("text", accounts)
                ]),
                (rows) => rows.map(({ account, item }): ItemHolder => [item, account as AccountId])
              ),
        read: Effect.fnUntraced(function* (after, limit) {
          const from = BigInt(after ?? "0")
          const end = yield* horizon
          return end <= from ? [] : (yield* read<EventRow>(readAfter, [from, end, limit])).map(eventOf)
        }),
        appended: Stream.merge(Stream.concat(Stream.succeed<void>(undefined), everySecond), announced)
      }
    })
  )
}
