import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { EventReader, ItemHolder, LoggedEvent, SoulUser } from "@agent-marketplace/core/events/EventLog"
import { EventLog, isWanted } from "@agent-marketplace/core/events/EventLog"
import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, PubSub, Stream } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { holdsItem } from "../purchases/holdsItem.ts"
import { usesSoul } from "../souls/usesSoul.ts"

const isFor = (tables: MarketTables, reader: EventReader, event: LoggedEvent, now: Timestamp): boolean =>
  isWanted(reader, event) &&
  (event.audience === "everyone" ||
    event.accounts.includes(reader.accountId) ||
    (event.audience === "holders" && holdsItem(tables, event.subject, reader.accountId)) ||
    (event.audience === "users" && usesSoul(tables, event.subject as SoulId, reader.accountId, now)))

/** The cursor of the n-th event is n. */
export const MemoryEventLog: { readonly layer: Layer.Layer<EventLog, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { appended, tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      return {
        read: (after, limit) =>
          Effect.sync(() => {
            const start = Number(after ?? 0)
            return tables.events.slice(start, start + limit)
          }),
        end: Effect.sync(() => String(tables.events.length)),
        readFor: (reader, after, limit) =>
          Effect.map(clock.now, (now) => {
            const events: Array<LoggedEvent> = []
            let position = Number(after)
            for (; position < tables.events.length && events.length < limit; position++) {
              const event = tables.events[position]
              if (event !== undefined && isFor(tables, reader, event, now)) events.push(event)
            }
            return { events, cursor: String(position) }
          }),
        usersOf: (souls, accounts) =>
          Effect.map(clock.now, (now) =>
            souls.flatMap((soul) =>
              accounts
                .filter((account: AccountId) => usesSoul(tables, soul as SoulId, account, now))
                .map((account): SoulUser => [soul, account])
            )
          ),
        holdersOf: (items, accounts) =>
          Effect.sync(() =>
            items.flatMap((item) =>
              accounts
                .filter((account) => holdsItem(tables, item, account))
                .map((account): ItemHolder => [item, account])
            )
          ),
        // Subscribed before the first tick, so that an event appended while a reader handles that tick is not missed.
        appended: Stream.unwrap(
          Effect.map(PubSub.subscribe(appended), (ticks) =>
            Stream.concat(Stream.succeed<void>(undefined), Stream.fromSubscription(ticks))
          )
        )
      }
    })
  )
}
