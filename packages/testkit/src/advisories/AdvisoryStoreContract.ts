import type { Advisory, AdvisoryDraft } from "@agent-marketplace/core/advisories/Advisory"
import { advisoryId } from "@agent-marketplace/core/advisories/Advisory"
import type { SignAdvisory } from "@agent-marketplace/core/advisories/AdvisoryStore"
import { AdvisoryStore } from "@agent-marketplace/core/advisories/AdvisoryStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { AdvisoryId } from "@agent-marketplace/core/ids/Ids"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { claimed, listening } from "../notifications/channelFixtures.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"

const draft = (fields: Partial<AdvisoryDraft> = {}): AdvisoryDraft => ({
  itemId: freshId("lst"),
  creatorId: freshId("usr"),
  versions: ["1.0.0", "1.1.0"],
  sha256: ["ab".repeat(32), "cd".repeat(32)],
  severity: "critical",
  reason: "It reads credentials.",
  action: "remove",
  ...fields
})

/** Stands for the market's key: the digest of a payload is the advisory's id. */
const sign: SignAdvisory = ({ creatorId: _, ...about }, { last, position }) =>
  Effect.succeed({
    ...about,
    id: advisoryId(position + 1),
    publishedAt: 1_700_000_000_000 + position,
    previous: last === null ? null : `after ${last.id}`,
    envelope: { payloadType: "test", payload: "e30=", signatures: [{ keyid: "key", sig: "c2ln" }] }
  })

const feed = Effect.gen(function* () {
  const store = yield* AdvisoryStore
  const all: Array<Advisory> = []
  for (;;) {
    const page = Option.getOrThrow(yield* store.list(all.at(-1)?.id, 3))
    if (page.length === 0) return all
    all.push(...page)
  }
})

const publishAll = Effect.gen(function* () {
  const store = yield* AdvisoryStore
  while ((yield* store.publish(2, sign)) > 0) yield* Effect.void
})

export const advisoryStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: AdvisoryStore`, stores, (it) => {
    it.effect("drafts are published in their order, each signed after the one before it (ADVISORY-3, ADVISORY-5)", () =>
      Effect.gen(function* () {
        const store = yield* AdvisoryStore
        yield* publishAll
        const before = yield* feed
        const drafts = [draft(), draft({ versions: [], sha256: [], severity: "info", action: "note" }), draft()]
        for (const each of drafts) yield* store.add(each)
        assert.strictEqual((yield* feed).length, before.length)
        yield* publishAll
        const after = (yield* feed).slice(before.length)
        const expected = drafts.map(({ creatorId: _, ...about }) => about)
        assert.deepStrictEqual(
          after.map(({ envelope: _, id: __, previous: ___, publishedAt: ____, ...about }) => about),
          expected
        )
        const last = before.at(-1)?.id
        assert.deepStrictEqual(
          after.map(({ previous }) => previous),
          [last === undefined ? null : `after ${last}`, `after ${after[0]?.id}`, `after ${after[1]?.id}`]
        )
        assert.deepStrictEqual(yield* store.list(after[1]?.id, 100), Option.some(after.slice(2)))
        assert.deepStrictEqual(yield* store.list(after[2]?.id, 100), Option.some([]))
      })
    )

    it.effect("a cursor that is no advisory's id is reported (ADVISORY-3)", () =>
      Effect.gen(function* () {
        const store = yield* AdvisoryStore
        const unknown = [
          advisoryId(900_000_000),
          "adv_1",
          "adv_",
          "rel_0000000000001",
          "adv_zzzzzzzzzzzzz",
          "adv_0000000000000"
        ]
        for (const id of unknown) assert.deepStrictEqual(yield* store.list(id as AdvisoryId, 10), Option.none())
      })
    )

    it.effect("many publishers publish each draft once, and no position is used twice (ADVISORY-3)", () =>
      Effect.gen(function* () {
        const store = yield* AdvisoryStore
        const start = (yield* feed).length
        const reasons = Array.from({ length: 30 }, (_, i) => `concurrent ${i}`)
        yield* Effect.forEach(
          reasons,
          (reason) => Effect.andThen(store.add(draft({ reason })), store.publish(5, sign)),
          { concurrency: "unbounded" }
        )
        yield* publishAll
        const published = (yield* feed).slice(start)
        assert.deepStrictEqual(published.map(({ reason }) => reason).toSorted(), reasons.toSorted())
        published.forEach(({ id }, i) => assert.strictEqual(id, advisoryId(start + i + 1)))
      })
    )

    it.effect("an advisory that cannot be signed stays a draft, and nothing of it is visible (ADVISORY-6)", () =>
      Effect.gen(function* () {
        const store = yield* AdvisoryStore
        yield* publishAll
        const before = yield* feed
        const one = draft()
        yield* store.add(one)
        const failed = yield* Effect.exit(store.publish(10, () => Effect.die("no key")))
        assert.strictEqual(failed._tag, "Failure")
        assert.deepStrictEqual(yield* feed, before)
        assert.deepStrictEqual(yield* subjectEvents(one.itemId), [])
        yield* publishAll
        assert.strictEqual((yield* feed).at(-1)?.itemId, one.itemId)
      })
    )

    it.effect(
      "the event, and a notification, goes to the creator and to those who hold or held a license, refunded or not (ADVISORY-7, NOTIFY-1)",
      () =>
        Effect.gen(function* () {
          const store = yield* AdvisoryStore
          const log = yield* EventLog
          const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
          const stranger = yield* openAccount()
          const other = yield* listingOnSale(seller)
          const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
          resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
          const from = yield* log.end
          const channels = yield* Effect.forEach([buyer, seller, stranger], (account) => listening(account))
          yield* store.add(draft({ itemId: item.id, creatorId: seller.id }))
          yield* store.add(draft({ itemId: other.id, creatorId: seller.id }))
          yield* publishAll
          const event = (yield* subjectEvents(item.id)).at(-1)
          const all = yield* feed
          const published = all.find(({ itemId }) => itemId === item.id)
          assert.deepInclude(event, { accounts: [seller.id], audience: "holders" })
          assert.deepStrictEqual(event?.data, {
            advisoryId: published?.id ?? "",
            itemId: item.id,
            versions: ["1.0.0", "1.1.0"],
            severity: "critical",
            action: "remove",
            reason: "It reads credentials.",
            publishedAt: Timestamp.toIso(published?.publishedAt ?? 0)
          })
          const accounts = [buyer.id, seller.id, stranger.id]
          assert.deepStrictEqual(yield* log.holdersOf([item.id, other.id], accounts), [[item.id, buyer.id]])
          assert.deepStrictEqual(yield* log.holdersOf([], accounts), [])
          const received = Effect.fnUntraced(function* (accountId: typeof buyer.id) {
            const reader = { accountId, agentId: null, types: new Set(["advisory.published" as const]) }
            return (yield* log.readFor(reader, from, 100)).events.map(({ subject }) => subject)
          })
          assert.deepStrictEqual(yield* received(buyer.id), [item.id])
          assert.deepStrictEqual(yield* received(seller.id), [item.id, other.id])
          assert.deepStrictEqual(yield* received(stranger.id), [])
          const messages = yield* claimed(channels)
          const notified = messages.map(({ channel, notices }) => [
            channel.accountId,
            ...notices.map(({ facts, kind }) => `${kind} ${facts["itemId"] ?? ""}`).sort()
          ])
          assert.sameDeepMembers(notified, [
            [buyer.id, `advisory ${item.id}`],
            [seller.id, ...[item.id, other.id].map((id) => `advisory ${id}`).sort()]
          ])
        })
    )

    it.effect("a reader that follows the feed while advisories are published misses none (ADVISORY-3)", () =>
      Effect.gen(function* () {
        const store = yield* AdvisoryStore
        const clock = yield* MarketClock
        yield* clock.now
        let cursor = (yield* feed).at(-1)?.id
        const seen: Array<string> = []
        const reasons = Array.from({ length: 20 }, (_, i) => `followed ${i}`)
        const read = Effect.gen(function* () {
          const page = Option.getOrThrow(yield* store.list(cursor, 2))
          cursor = page.at(-1)?.id ?? cursor
          seen.push(...page.map(({ reason }) => reason))
          return page.length
        })
        const writing = Effect.forEach(
          reasons,
          (reason) => Effect.andThen(store.add(draft({ reason })), store.publish(10, sign)),
          { concurrency: 4 }
        )
        yield* Effect.all([writing, Effect.repeat(read, { times: 60 })], { concurrency: "unbounded" })
        yield* publishAll
        while ((yield* read) > 0) yield* Effect.void
        assert.deepStrictEqual(seen.toSorted(), reasons.toSorted())
      })
    )
  })
