import type { Activity, FeedEvent } from "@agent-marketplace/core/activity/ActivityStore"
import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { ListingId, PurchaseId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { Effect, Layer, Result } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"

const units = (value: unknown): Usdt => Result.getOrElse(Usdt.parse(String(value ?? "0")), () => Usdt.zero)

/** Whether an item is on sale to everybody. */
const isShown = (tables: MarketTables, id: string): boolean => {
  const listing = tables.listings.get(id as ListingId)?.listing
  if (listing !== undefined) return isPublic(listing)
  const soul = tables.souls.get(id as SoulId)?.soul
  return soul !== undefined && isListed(soul)
}

/** A free purchase has no earning (FEED-8), and a sale of an item that is not on sale is not shown (FEED-19). */
const purchaseEvents = (tables: MarketTables, event: LoggedEvent): ReadonlyArray<FeedEvent> => {
  const purchase = tables.purchases.get(event.subject as PurchaseId)
  if (purchase === undefined || !isShown(tables, purchase.item.id)) return []
  const { amount, fee, item } = purchase
  const common = { key: event.id, at: event.at, name: item.name, creator: "" }
  const trade: FeedEvent = { ...common, type: "purchase", amount }
  return amount === fee ? [trade] : [trade, { ...common, type: "earning", amount: Usdt.of(amount - fee) }]
}

/** The earnings of a renewal, taken from the event: the renewal may have been refunded since. */
const renewalEvents = ({ at, data, id }: LoggedEvent): ReadonlyArray<FeedEvent> => {
  const amount = Usdt.of(units(data["amount"]) - units(data["fee"]))
  return amount === 0n ? [] : [{ type: "earning", key: id, at, name: "", creator: "", amount }]
}

const listingEvents = (tables: MarketTables, event: LoggedEvent): ReadonlyArray<FeedEvent> => {
  const listing = tables.listings.get(event.subject as ListingId)?.listing
  if (listing === undefined || !isPublic(listing)) return []
  const { creatorName, name } = listing
  return [{ type: "listing", key: event.id, at: event.at, name, creator: creatorName, amount: Usdt.zero }]
}

const soulEvents = (tables: MarketTables, event: LoggedEvent): ReadonlyArray<FeedEvent> => {
  const soul = tables.souls.get(event.subject as SoulId)?.soul
  if (soul === undefined || !isListed(soul)) return []
  return [{ type: "listing", key: event.id, at: event.at, name: soul.name, creator: soul.author, amount: Usdt.zero }]
}

const feedEventsOf = (tables: MarketTables, event: LoggedEvent): ReadonlyArray<FeedEvent> => {
  switch (event.type) {
    case "purchase.completed":
      return purchaseEvents(tables, event)
    case "subscription.renewed":
      return renewalEvents(event)
    case "listing.approved":
      return listingEvents(tables, event)
    case "soul.created":
      return soulEvents(tables, event)
    case "agent.registered":
      return [{ type: "registration", key: event.id, at: event.at, name: "", creator: "", amount: Usdt.zero }]
    default:
      return []
  }
}

/** The events of the last 24 hours, newest first. The log is in the order of time, unless a clock was set back. */
function* lastDay(events: ReadonlyArray<LoggedEvent>, now: Timestamp): Generator<LoggedEvent> {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i]
    if (event === undefined || now - event.at >= Timestamp.day) return
    yield event
  }
}

const activeAgents = (tables: MarketTables, now: Timestamp): number => {
  const active = new Set<string>()
  for (const { accountId, agentId, lastUsedAt } of tables.keys.values()) {
    const user = agentId ?? accountId
    if (user !== null && lastUsedAt !== null && now - lastUsedAt < Timestamp.hour) active.add(user)
  }
  return active.size
}

const recent = (tables: MarketTables, now: Timestamp, limit: number): Activity => {
  const events: Array<FeedEvent> = []
  let trades = 0
  let revenue = 0n
  for (const { amount, at, status } of tables.renewals.values()) {
    if (status === "completed" && now - at < Timestamp.day) revenue += amount
  }
  for (const event of lastDay(tables.events, now)) {
    if (events.length < limit) events.push(...feedEventsOf(tables, event))
    const sold = event.type === "purchase.completed" ? tables.purchases.get(event.subject as PurchaseId) : undefined
    if (sold?.status !== "completed") continue
    trades++
    revenue += sold.amount
  }
  return {
    events: events.slice(0, limit),
    activeAgents: activeAgents(tables, now),
    trades,
    revenue: Usdt.of(revenue)
  }
}

export const MemoryActivityStore: { readonly layer: Layer.Layer<ActivityStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    ActivityStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      return {
        recent: (limit) => Effect.map(clock.now, (now) => recent(tables, now, limit)),
        happened: (after, upTo) =>
          Effect.sync(() =>
            tables.events.slice(Number(after), Number(upTo)).flatMap((event) => feedEventsOf(tables, event))
          )
      }
    })
  )
}
