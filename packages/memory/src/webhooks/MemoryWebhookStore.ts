import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { AccountId, DeliveryId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedDelivery, Delivery } from "@agent-marketplace/core/webhooks/Delivery"
import type { AttemptRule, FanOut, MadeAttempt } from "@agent-marketplace/core/webhooks/WebhookStore"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Clock, Effect, Layer, Option, PubSub, Result, Stream } from "effect"
import { admitRecord } from "../identity/admitRecord.ts"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { holdsItem } from "../purchases/holdsItem.ts"
import { usesSoul } from "../souls/usesSoul.ts"
import { claimable, dueOf } from "./claimDeliveries.ts"
import { countDeliveries } from "./countDeliveries.ts"
import type { DeliveryTable } from "./deliveryTable.ts"
import { deliveryTable } from "./deliveryTable.ts"

/** By time, then by id: the order of the log of deliveries. */
const newestFirst = (a: Delivery, b: Delivery): number =>
  b.eventAt - a.eventAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const earlier = (oldest: number | null, { nextAttemptAt }: { readonly nextAttemptAt: number }): number =>
  oldest === null ? nextAttemptAt : Math.min(oldest, nextAttemptAt)

const fanOutNext = (
  tables: MarketTables,
  table: DeliveryTable,
  limit: number,
  fanOut: FanOut,
  now: Timestamp
): number => {
  const from = tables.fannedOut.events
  const events = tables.events.slice(from, from + limit)
  events.forEach((appended, i) => {
    const event = { ...appended, accounts: accountsOf(tables, appended, now) }
    const webhooks = event.accounts
      .flatMap((account) => Index.records(tables.webhooksOf, account, tables.webhooks))
      .filter(({ id }) => (tables.webhookStarts.get(id) ?? 0) <= from + i)
    for (const delivery of fanOut(event, webhooks)) table.insert(delivery)
  })
  tables.fannedOut.events = from + events.length
  return events.length
}

/** The accounts that get an event, including those of its audience. */
const accountsOf = (tables: MarketTables, event: LoggedEvent, now: Timestamp): ReadonlyArray<AccountId> => {
  const { accounts, audience, subject } = event
  if (audience === undefined) return accounts
  const belongs = {
    everyone: () => true,
    users: (account: AccountId) => usesSoul(tables, subject as SoulId, account, now),
    holders: (account: AccountId) => holdsItem(tables, subject, account)
  } as const
  const listening = [...tables.webhooksOf.keys()].filter(belongs[audience])
  return [...new Set([...accounts, ...listening])]
}

const recordOne = (tables: MarketTables, table: DeliveryTable, made: MadeAttempt, rule: AttemptRule): void => {
  const delivery = tables.deliveries.get(made.deliveryId)
  const webhook = delivery === undefined ? undefined : tables.webhooks.get(delivery.webhookId)
  if (delivery === undefined || webhook === undefined) return
  const holds = tables.claims.get(delivery.id)?.claim === made.claim
  const after = rule({ delivery, webhook, holds }, made)
  tables.attempts.set(delivery.id, [...(tables.attempts.get(delivery.id) ?? []), made.attempt])
  if (holds) tables.claims.delete(delivery.id)
  table.put(after.delivery)
  table.putWebhook(after.webhook)
}

export const MemoryWebhookStore: { readonly layer: Layer.Layer<WebhookStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    WebhookStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      const table = deliveryTable(tables)
      const due = yield* PubSub.sliding<void>(1)
      const becameDue = () => void PubSub.publishUnsafe(due, undefined)
      let claims = 0

      const hold = (id: DeliveryId, until: number): ClaimedDelivery | undefined => {
        const delivery = tables.deliveries.get(id)
        const webhook = delivery === undefined ? undefined : tables.webhooks.get(delivery.webhookId)
        if (delivery === undefined || webhook === undefined) return undefined
        const claim = `${++claims}`
        tables.claims.set(id, { claim, until })
        return { delivery, webhook, claim }
      }

      const startRun = (delivery: Delivery, now: number): void =>
        table.put({ ...delivery, status: "pending", tries: 0, nextAttemptAt: now })

      return {
        create: (webhook) =>
          Effect.suspend(() => {
            const admitted = admitRecord(tables, webhook.accountId, "webhooks", webhook.createdAt)
            if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
            tables.webhooks.set(webhook.id, webhook)
            tables.webhookStarts.set(webhook.id, tables.events.length)
            Index.add(tables.webhooksOf, webhook.accountId, webhook.id)
            return Effect.void
          }),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.webhooks.get(id))),
        list: (account, agent, page) =>
          Effect.sync(() => {
            const records = Index.records(tables.webhooksOf, account, tables.webhooks).filter(
              ({ agentId }) => agent === null || agentId === agent
            )
            return Timeline.page(
              Timeline.newestFirst(records, ({ createdAt }) => createdAt),
              page
            )
          }),
        update: (id, account, rule) =>
          Effect.suspend(() => {
            const webhook = tables.webhooks.get(id)
            if (webhook?.accountId !== account) return Effect.succeedNone
            const result = rule(webhook)
            if (Result.isFailure(result)) return Effect.fail(result.failure)
            table.putWebhook(result.success)
            if (result.success.status === "active" && webhook.status === "disabled") becameDue()
            return Effect.succeedSome(result.success)
          }),
        remove: (id, account) =>
          Effect.sync(() => {
            const webhook = tables.webhooks.get(id)
            if (webhook?.accountId !== account) return false
            table.dropWebhook(webhook)
            return true
          }),
        dispatch: (limit, fanOut) =>
          Effect.map(clock.now, (now) => {
            const taken = fanOutNext(tables, table, limit, fanOut, now)
            if (taken > 0) becameDue()
            return taken
          }),
        add: (delivery, leaseSeconds) =>
          Effect.map(Clock.currentTimeMillis, (realNow) => {
            if (!tables.webhooks.has(delivery.webhookId)) return Option.none()
            table.insert(delivery)
            return Option.fromUndefinedOr(hold(delivery.id, realNow + leaseSeconds * Timestamp.second))
          }),
        claim: (request) =>
          Effect.map(Clock.currentTimeMillis, (realNow) => {
            const until = realNow + request.leaseSeconds * Timestamp.second
            return claimable(tables, table, request, realNow).flatMap((id) => hold(id, until) ?? [])
          }),
        record: (attempts, rule) =>
          Effect.sync(() => {
            for (const made of attempts) recordOne(tables, table, made, rule)
          }),
        release: (given) =>
          Effect.sync(() => {
            for (const { claim, deliveryId } of given) {
              if (tables.claims.get(deliveryId)?.claim === claim) tables.claims.delete(deliveryId)
            }
            becameDue()
          }),
        findDelivery: (id) =>
          Effect.sync(() => {
            const delivery = tables.deliveries.get(id)
            const webhook = delivery === undefined ? undefined : tables.webhooks.get(delivery.webhookId)
            if (delivery === undefined || webhook === undefined) return Option.none()
            return Option.some({ delivery: table.logged(delivery), webhook })
          }),
        listDeliveries: (webhook, { after, event, limit, status }) =>
          Effect.sync(() => {
            const last = after === undefined ? undefined : tables.deliveries.get(after)
            if (after !== undefined && last === undefined) return { items: [], next: null }
            const found = table
              .ofWebhook(webhook)
              .filter(
                (each) =>
                  (status === undefined || each.status === status) &&
                  (event === undefined || each.event === event) &&
                  (last === undefined || newestFirst(last, each) < 0)
              )
              .sort(newestFirst)
            const items = found.slice(0, limit)
            return { items: items.map(table.logged), next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
          }),
        countDeliveries: (account, filter) => Effect.sync(() => countDeliveries(tables, table, account, filter)),
        replay: (id, now) =>
          Effect.sync(() => {
            const delivery = tables.deliveries.get(id)
            if (delivery === undefined || tables.webhooks.get(delivery.webhookId)?.status !== "active") return false
            startRun(delivery, now)
            becameDue()
            return true
          }),
        recover: (webhook, since, now) =>
          Effect.sync(() => {
            if (tables.webhooks.get(webhook)?.status !== "active") return 0
            const lost = table.ofWebhook(webhook).filter((each) => each.status !== "delivered" && each.eventAt >= since)
            for (const delivery of lost) startRun(delivery, now)
            if (lost.length > 0) becameDue()
            return lost.length
          }),
        prune: (before, limit) =>
          Effect.map(Clock.currentTimeMillis, (realNow) => {
            const old = [...tables.deliveries.values()]
              .filter((each) => each.eventAt < before && each.nextAttemptAt === null && !table.isHeld(each.id, realNow))
              .slice(0, limit)
            for (const delivery of old) table.drop(delivery)
            return old.length
          }),
        backlog: (now) =>
          Effect.sync(() => {
            const all = [...tables.webhooks.values()].flatMap((webhook) => dueOf(tables, webhook, now))
            return { due: all.length, oldestDueAt: all.reduce<number | null>(earlier, null) }
          }),
        // Subscribed before the first tick, as the event log is.
        due: Stream.unwrap(
          Effect.map(PubSub.subscribe(due), (ticks) =>
            Stream.concat(Stream.succeed<void>(undefined), Stream.fromSubscription(ticks))
          )
        )
      }
    })
  )
}
