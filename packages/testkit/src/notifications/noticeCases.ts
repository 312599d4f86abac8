import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { noticesOf } from "@agent-marketplace/core/notifications/Notice"
import { defaultPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { happen } from "../webhooks/webhookFixtures.ts"
import { changed, claimed, dispatched, listening } from "./channelFixtures.ts"

const amounts = (
  messages: ReadonlyArray<{ readonly notices: ReadonlyArray<{ readonly facts: { amount?: string } }> }>
) => messages.flatMap(({ notices }) => notices.map(({ facts }) => facts.amount))

export const noticeCases = (it: StoreIt): void => {
  it.effect(
    "a channel gets the events of its account after its creation, if it is open and the kind is on (NOTIFY-2, NOTIFY-5)",
    () =>
      Effect.gen(function* () {
        const store = yield* NotificationStore
        const [account, stranger, deaf] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
        yield* happen(account)
        const open = yield* listening(account)
        const off = yield* listening(account, { enabled: false })
        const unconfirmed = yield* listening(account, { verifiedAt: null })
        const strange = yield* listening(stranger)
        const uninterested = yield* listening(deaf)
        yield* store.setPreferences(deaf.id, { ...defaultPreferences, deposit: false })
        yield* happen(account, 2)
        yield* happen(deaf)
        const messages = yield* claimed([open, off, unconfirmed, strange, uninterested])
        assert.deepStrictEqual(
          messages.map(({ channel }) => channel.id),
          [open.id]
        )
        assert.deepStrictEqual(amounts(messages), ["1.00", "2.00"])
      })
  )

  it.effect("an event makes one notice for each channel, however many workers read the log (NOTIFY-5)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const channels = [yield* listening(account), yield* listening(account)]
      yield* Effect.all(
        [...Array.from({ length: 6 }, () => happen(account)), ...Array.from({ length: 6 }, () => dispatched)],
        {
          concurrency: "unbounded"
        }
      )
      const messages = yield* claimed(channels)
      assert.lengthOf(messages, 2)
      for (const { notices } of messages) assert.strictEqual(new Set(notices.map(({ id }) => id)).size, 6)
      assert.lengthOf(amounts(messages), 12)
    })
  )

  it.effect("a sale notifies the seller, and a first review the creator once (NOTIFY-1)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const now = yield* (yield* MarketClock).now
      const [buyer, seller] = [yield* openAccount(), yield* openAccount()]
      const item = yield* listingOnSale(seller)
      yield* fund(buyer, usdt(1000))
      const channels = [yield* listening(buyer), yield* listening(seller)]
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      for (const rating of [4, 2]) {
        yield* listings.putReview({
          id: freshId("rev"),
          itemId: item.id,
          authorId: buyer.id,
          author: buyer.name,
          rating,
          comment: null,
          createdAt: now,
          updatedAt: now
        })
      }
      const messages = yield* claimed(channels)
      assert.lengthOf(messages, 1)
      const message = messages[0] ?? assert.fail("no message")
      assert.strictEqual(message.channel.accountId, seller.id)
      const found = message.notices.map(({ facts, kind }) => [kind, facts["name"], facts["rating"]])
      assert.sameDeepMembers(found, [
        ["sale", item.name, undefined],
        ["review", item.name, "4"]
      ])
      assert.notInclude(JSON.stringify(message.notices), buyer.id)
    })
  )

  it.effect(
    "notices wait for the digest; a shorter one applies to those that wait; a closed channel loses them (NOTIFY-7)",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const hourly = yield* listening(account, { digest: "hourly" })
        const daily = yield* listening(account, { digest: "daily" })
        const closed = yield* listening(account, { digest: "hourly" })
        const now = yield* (yield* MarketClock).now
        yield* happen(account, 3)
        assert.lengthOf(yield* claimed([hourly, daily, closed], { now }), 0)
        yield* changed(closed, { enabled: false })
        yield* changed(closed, { enabled: true })
        const later = now + Timestamp.hour
        const first = yield* claimed([hourly, closed, daily], { now: later })
        const due = first.filter(({ channel }) => channel.id === hourly.id)
        assert.deepStrictEqual(amounts(due), ["1.00", "2.00", "3.00"])
        assert.isFalse(first.some(({ channel }) => channel.id === closed.id))
        yield* changed(daily, { digest: "none" })
        const brought = yield* claimed([daily])
        assert.lengthOf(amounts([...first.filter(({ channel }) => channel.id === daily.id), ...brought]), 3)
      })
  )

  it.effect("an event whose notice exists already makes no second one", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const account = yield* openAccount()
      const channel = yield* listening(account)
      const now = yield* (yield* MarketClock).now
      yield* happen(account)
      yield* store.dispatch(1000, (event, listeners) => {
        const notices = noticesOf(event, listeners, now)
        return [...notices, ...notices]
      })
      assert.lengthOf(amounts(yield* claimed([channel])), 1)
    })
  )
}
