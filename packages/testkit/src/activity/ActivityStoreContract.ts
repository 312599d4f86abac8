import type { FeedEvent } from "@agent-marketplace/core/activity/ActivityStore"
import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Result } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

/** The newest 50 activities about the item of that name. */
const about = Effect.fnUntraced(function* (name: string, limit = 50) {
  const activity = yield* ActivityStore
  const { events } = yield* activity.recent(limit)
  return events.filter((one) => one.name === name)
})

const shown = ({ amount, creator, type }: FeedEvent) => ({ amount, creator, type })

const streamCases = (it: StoreIt): void => {
  it.effect("the feed's items between two positions of the log are returned oldest first (LIVE-10)", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const log = yield* EventLog
      const start = yield* log.end
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
      yield* claimedAgent(seller.id)
      yield* settle(Commands.buy(buyer, item))
      const middle = yield* log.end
      const soul = yield* publishedSoul(seller)
      const end = yield* log.end
      const happened = yield* activity.happened(start, middle)
      assert.deepStrictEqual(
        happened.map(({ type }) => type),
        ["listing", "registration", "purchase", "earning"]
      )
      const { events } = yield* activity.recent(5)
      assert.sameDeepMembers([...happened, ...(yield* activity.happened(middle, end))], [...events])
      const [listed, ...more] = yield* activity.happened(middle, end)
      assert.deepStrictEqual([listed?.name, more], [soul.name, []])
      assert.deepStrictEqual(yield* activity.happened(end, end), [])
    })
  )
}

const happeningCases = (it: StoreIt): void => {
  it.effect("the trade shows the price, the earning the seller's net, and both share a key (FEED-7)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
      yield* clock.advance(1)
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const found = yield* about(item.name)
      assert.lengthOf(found, 3)
      assert.deepStrictEqual(
        found
          .slice(0, 2)
          .map(({ type }) => type)
          .toSorted(),
        ["earning", "purchase"]
      )
      const bought = found.find(({ type }) => type === "purchase")
      const earned = found.find(({ type }) => type === "earning")
      assert.deepStrictEqual([bought?.amount, earned?.amount], [usdt(10), usdt(9.5)])
      assert.deepStrictEqual([bought?.key, bought?.at], [earned?.key, purchase.purchasedAt])
      const [listed] = found.slice(2)
      assert.isDefined(listed)
      assert.deepStrictEqual(shown(listed), { amount: usdt(0), creator: seller.name, type: "listing" })
    })
  )

  it.effect("a free purchase, and one that the platform's fee takes whole, make no earning (FEED-8)", () =>
    Effect.gen(function* () {
      const free = yield* market(usdt(0), { price: usdt(0), pricingModel: "free" })
      const charged = yield* market(usdt(10), { price: usdt(10) })
      resultOf(yield* settle(Commands.buy(free.buyer, free.item)), "Bought")
      resultOf(yield* settle(Commands.buy(charged.buyer, charged.item, { feeBps: 10_000 })), "Bought")
      for (const { item } of [free, charged]) {
        const types = (yield* about(item.name)).map(({ type }) => type)
        assert.sameMembers(types, ["purchase", "listing"])
      }
    })
  )

  it.effect("both a self-registered and a created agent appear as registrations (FEED-10)", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const clock = yield* MarketClock
      const owner = yield* openAccount()
      const keys = Effect.map(activity.recent(50), ({ events }) =>
        events.filter(({ type }) => type === "registration").map(({ key }) => key)
      )
      const before = new Set(yield* keys)
      yield* clock.advance(1)
      yield* claimedAgent(owner.id)
      yield* claimedAgent(owner.id)
      assert.lengthOf(
        (yield* keys).filter((key) => !before.has(key)),
        2
      )
    })
  )

  it.effect("a listing is shown only while it is approved (FEED-9)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const listing = yield* listingOnSale(yield* openAccount())
      const change = (status: "approved" | "suspended") =>
        listings.modify(listing.id, (one) => Result.succeed({ listing: { ...one, status }, events: [] }))
      assert.lengthOf(yield* about(listing.name), 1)
      yield* change("suspended")
      assert.lengthOf(yield* about(listing.name), 0)
      yield* change("approved")
      assert.lengthOf(yield* about(listing.name), 1)
      const waiting = yield* listingOnSale(yield* openAccount(), { status: "pending_review" })
      assert.lengthOf(yield* about(waiting.name), 0)
    })
  )

  it.effect("a published soul is shown as a listing, only while everybody may read it (FEED-9)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount()
      const soul = yield* publishedSoul(author)
      const shownAs = (name: string) => Effect.map(about(name), (found) => found.map(shown))
      const listed = [{ amount: usdt(0), creator: author.name, type: "listing" as const }]
      const change = (fields: Partial<typeof soul>) =>
        souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, ...fields }, events: [] }))
      assert.deepStrictEqual(yield* shownAs(soul.name), listed)
      for (const hidden of [
        { visibility: "private" as const },
        { suspension: "a test" },
        { withheld: true },
        { deleted: true }
      ]) {
        yield* change(hidden)
        assert.deepStrictEqual(yield* shownAs(soul.name), [], JSON.stringify(hidden))
        yield* change({ visibility: "public", suspension: null, withheld: false, deleted: false })
      }
    })
  )

  it.effect(
    "a sale is shown only while its item is on sale, in the stream too; the statistics count it (FEED-19, LISTING-23)",
    () =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore
        const listings = yield* ListingStore
        const log = yield* EventLog
        const souls = yield* SoulStore
        const start = yield* log.end
        const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
        const soul = yield* publishedSoul(seller, { price: usdt(5) })
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
        resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
        const end = yield* log.end
        const salesOf = Effect.fnUntraced(function* (name: string) {
          const isSale = (one: FeedEvent) => one.name === name && one.type !== "listing"
          const [recent, streamed] = [(yield* activity.recent(50)).events, yield* activity.happened(start, end)]
          assert.sameDeepMembers(recent.filter(isSale), streamed.filter(isSale))
          return recent.filter(isSale).length
        })
        const sums = Effect.map(activity.recent(1), ({ revenue, trades }) => [trades, revenue] as const)
        const before = yield* sums
        const states = [
          { status: "suspended" as const },
          { status: "deleted" as const },
          { withheld: true },
          { quarantined: true }
        ]
        const shownState = { status: "approved" as const, withheld: false, quarantined: false }
        assert.deepStrictEqual([yield* salesOf(item.name), yield* salesOf(soul.name)], [2, 2])
        for (const state of states) {
          const change = (fields: object) =>
            listings.modify(item.id, (one) => Result.succeed({ listing: { ...one, ...fields }, events: [] }))
          yield* change(state)
          assert.deepStrictEqual([yield* salesOf(item.name), yield* salesOf(soul.name)], [0, 2], JSON.stringify(state))
          assert.deepStrictEqual(yield* sums, before)
          yield* change(shownState)
          assert.strictEqual(yield* salesOf(item.name), 2)
        }
        const hidden = [
          { visibility: "private" as const },
          { quarantined: true },
          { suspension: "a test" },
          { withheld: true },
          { deleted: true }
        ]
        const shownSoul = {
          visibility: "public" as const,
          quarantined: false,
          suspension: null,
          withheld: false,
          deleted: false
        }
        for (const state of hidden) {
          const change = (fields: Partial<typeof soul>) =>
            souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, ...fields }, events: [] }))
          yield* change(state)
          assert.deepStrictEqual([yield* salesOf(item.name), yield* salesOf(soul.name)], [2, 0], JSON.stringify(state))
          assert.deepStrictEqual(yield* sums, before)
          yield* change(shownSoul)
          assert.strictEqual(yield* salesOf(soul.name), 2)
        }
      })
  )

  it.effect("purchases that await approval and events older than 24 hours are not shown (FEED-3)", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const clock = yield* MarketClock
      const { buyer, item } = yield* market(usdt(100))
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      yield* clock.advance(86_400 - 60)
      assert.lengthOf(yield* about(item.name), 3)
      yield* clock.advance(60)
      assert.lengthOf(yield* about(item.name), 0)
      assert.deepStrictEqual(yield* activity.recent(50), {
        events: [],
        activeAgents: 0,
        trades: 0,
        revenue: usdt(0)
      })
    })
  )

  it.effect("lists the newest first, up to the requested number", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const clock = yield* MarketClock
      const creator = yield* openAccount()
      const names: Array<string> = []
      for (let n = 0; n < 6; n++) {
        yield* clock.advance(1)
        names.unshift((yield* listingOnSale(creator)).name)
      }
      const { events } = yield* activity.recent(5)
      assert.deepStrictEqual(
        events.map(({ name }) => name),
        names.slice(0, 5)
      )
      const all = yield* activity.recent(50)
      const times = all.events.map(({ at }) => at)
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => b - a)
      )
      assert.strictEqual(new Set(all.events.map(({ key, type }) => `${type} ${key}`)).size, all.events.length)
    })
  )
}

const statisticsCases = (it: StoreIt): void => {
  it.effect("trades and revenue count the completed, not refunded purchases of 24 hours (FEED-12, FEED-13)", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const clock = yield* MarketClock
      yield* clock.advance(86_400)
      const sums = Effect.map(activity.recent(1), ({ revenue, trades }) => [trades, revenue] as const)
      const one = yield* market(usdt(100), { price: usdt(10) })
      const two = yield* market(usdt(100), { price: usdt(2.5) })
      const free = yield* market(usdt(0), { price: usdt(0), pricingModel: "free" })
      const { purchase } = resultOf(yield* settle(Commands.buy(one.buyer, one.item)), "Bought")
      resultOf(yield* settle(Commands.buy(two.buyer, two.item)), "Bought")
      resultOf(yield* settle(Commands.buy(free.buyer, free.item)), "Bought")
      assert.deepStrictEqual(yield* sums, [3, usdt(12.5)])
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.deepStrictEqual(yield* sums, [2, usdt(2.5)])
      yield* clock.advance(86_400)
      assert.deepStrictEqual(yield* sums, [0, usdt(0)])
    })
  )

  it.effect("accounts and agents whose keys were used in the last hour count as active, each once (FEED-11)", () =>
    Effect.gen(function* () {
      const activity = yield* ActivityStore
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      yield* clock.advance(7200)
      const active = Effect.map(activity.recent(1), ({ activeAgents }) => activeAgents)
      const account = yield* openAccount()
      const agent = yield* claimedAgent(account.id)
      const own = [yield* apiKey({ accountId: account.id }), yield* apiKey({ accountId: account.id })]
      const agents = yield* apiKey({ accountId: account.id, agentId: agent.id })
      for (const key of [...own, agents]) yield* identity.createKey(key, null)
      assert.strictEqual(yield* active, 0)
      const now = yield* clock.now
      yield* identity.touchKeys(own.map(({ id }) => [id, now] as const))
      assert.strictEqual(yield* active, 1)
      yield* identity.touchKeys([[agents.id, now]])
      assert.strictEqual(yield* active, 2)
      yield* clock.advance(3600)
      assert.strictEqual(yield* active, 0)
    })
  )
}

/** The contract of `ActivityStore`. */
export const activityStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ActivityStore`, stores, (it) => {
    happeningCases(it)
    streamCases(it)
    statisticsCases(it)
  })
