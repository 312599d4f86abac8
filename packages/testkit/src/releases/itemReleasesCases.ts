import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { ReleaseStatus } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { storedRelease } from "../fixtures/release.ts"
import { fund, refusalOf, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const setStatus = (item: ItemId, version: string, status: ReleaseStatus) =>
  Effect.flatMap(ReleaseStore, (store) =>
    store.modify(item, ({ releases }) =>
      Result.succeed({
        changed: releases.flatMap((one) =>
          one.version === version
            ? [{ ...one, status, awaits: status === "in_review" ? ("operator" as const) : null, yankedAt: 9_000 }]
            : []
        )
      })
    )
  )

const columns = Effect.fnUntraced(function* (item: ItemId) {
  const listing = yield* (yield* ListingStore).detail(item, null)
  const soul = yield* (yield* SoulStore).detail(item, null)
  const listed = Option.isSome(listing) ? listing.value.listed : Option.getOrThrow(soul).listed
  const record = Option.isSome(listing) ? listing.value.listing : Option.getOrThrow(soul).soul
  const { quarantine, quarantined, releaseVersion, trust } = record
  return { listed, quarantine, quarantined, releaseVersion, trust }
})

const onSale = { listed: true, quarantine: null, quarantined: false }

const items = Effect.gen(function* () {
  const creator = yield* openAccount()
  return [yield* listingOnSale(creator), yield* publishedSoul(creator)] as const
})

export const itemReleasesCases = (it: StoreIt): void => {
  it.effect(
    "releases that an operator can decide about are listed, the one that waits longest first (RELEASE-29)",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const [listing, soul] = yield* items
        const review = { status: "in_review", awaits: "operator" } as const
        const reason = { code: "malware", text: "Installs a miner." }
        const late = yield* storedRelease(soul.id, "warn", { ...review, createdAt: 5, reason: { ...reason, at: 40 } })
        const early = yield* storedRelease(listing.id, "warn", { ...review, createdAt: 10 })
        const stopped = yield* storedRelease(listing.id, "block", {
          version: "1.0.1",
          status: "quarantined",
          createdAt: 1,
          reason: { ...reason, at: 20 }
        })
        yield* storedRelease(listing.id, "clean", { version: "1.0.2", status: "in_review", awaits: "listing" })
        const gone = { status: "quarantined", createdAt: 0 } as const
        yield* storedRelease(listing.id, "clean", { ...gone, version: "1.0.3", reason: { ...reason, copied: true } })
        yield* storedRelease(listing.id, "block", { ...gone, version: "1.0.4", reason: { ...reason, revoked: true } })
        const ours = new Set<string>([listing.id, soul.id])
        const idsOf = (status: "in_review" | "quarantined" | undefined) =>
          Effect.map(store.waiting(status, { page: 1, limit: 100 }), ({ items }) =>
            items.filter(({ itemId }) => ours.has(itemId)).map(({ id }) => id)
          )
        assert.deepStrictEqual(yield* idsOf(undefined), [early.id, stopped.id, late.id])
        assert.deepStrictEqual(yield* idsOf("in_review"), [early.id, late.id])
        assert.deepStrictEqual(yield* idsOf("quarantined"), [stopped.id])
        const first = yield* store.waiting(undefined, { page: 1, limit: 1 })
        assert.lengthOf(first.items, 1)
        assert.isAtLeast(first.total, 3)
      })
  )

  it.effect("an item shows the newest release on sale that is no pre-release, and its level (RELEASE-11)", () =>
    Effect.gen(function* () {
      for (const { id } of yield* items) {
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: null, trust: null })
        yield* storedRelease(id, "clean", { version: "1.9.0" })
        yield* storedRelease(id, "notice", { version: "1.10.0" })
        yield* storedRelease(id, "warn", { version: "2.0.0-rc.1" })
        yield* storedRelease(id, "clean", { version: "1.2.0" })
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: "1.10.0", trust: "notice" })
        yield* setStatus(id, "1.10.0", "yanked")
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: "1.9.0", trust: "clean" })
      }
    })
  )

  it.effect("an item is quarantined when nothing is on sale, and only then (RELEASE-10)", () =>
    Effect.gen(function* () {
      for (const { id } of yield* items) {
        yield* storedRelease(id, "block", { version: "1.0.0", status: "quarantined" })
        const gone = { listed: false, quarantine: null, quarantined: true, releaseVersion: null, trust: null }
        assert.deepStrictEqual(yield* columns(id), gone)
        yield* storedRelease(id, "clean", { version: "1.0.1" })
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: "1.0.1", trust: "clean" })
        yield* setStatus(id, "1.0.1", "yanked")
        assert.deepStrictEqual(yield* columns(id), gone)
        yield* storedRelease(id, "warn", { version: "1.0.2", status: "in_review", awaits: "operator" })
        yield* setStatus(id, "1.0.2", "published")
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: "1.0.2", trust: "warn" })
      }
    })
  )

  it.effect("an item without releases can be quarantined as a whole, and released", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const quarantine = { code: "malware", text: 'Installs a "miner".' }
      for (const { id } of yield* items) {
        yield* store.modify(id, () => Result.succeed({ quarantine }))
        const found = yield* columns(id)
        assert.deepStrictEqual(found, {
          listed: false,
          quarantine,
          quarantined: true,
          releaseVersion: null,
          trust: null
        })
        yield* store.modify(id, () => Result.succeed({ quarantine: null }))
        assert.deepStrictEqual(yield* columns(id), { ...onSale, releaseVersion: null, trust: null })
      }
    })
  )

  it.effect("a quarantined item is not listed, bought or shown in the feed, and a clean version returns it", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const feed = yield* ActivityStore
      const creator = yield* openAccount()
      const [listing, soul] = [yield* listingOnSale(creator), yield* publishedSoul(creator)]
      const names = Effect.map(feed.recent(100), ({ events }) => events.map(({ name }) => name))
      for (const { id } of [listing, soul])
        yield* storedRelease(id, "block", { version: "1.0.0", status: "quarantined" })
      const buyer = yield* openAccount()
      yield* fund(buyer, usdt(100))
      const shown = listings.list({ offset: 0, limit: 10, creatorId: creator.id }, "skill", "all")
      assert.strictEqual((yield* shown).total, 0)
      assert.notInclude(yield* names, listing.name)
      assert.notInclude(yield* names, soul.name)
      assert.deepStrictEqual(yield* listings.skillJson(listing.slug), Option.none())
      for (const item of [listing, soul]) {
        refusalOf(yield* settle(Commands.buy(buyer, item)), "NotFound")
        yield* storedRelease(item.id, "clean", { version: "1.0.1" })
        resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      }
      assert.strictEqual((yield* shown).total, 2)
      assert.include(yield* names, listing.name)
      assert.include((yield* shown).json, '"delivery":"release","trust":"clean"')
    })
  )
}
