import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { popularSales } from "@agent-marketplace/core/names/NameFindings"
import type { Release, ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import type { Finding, Sketch } from "@agent-marketplace/core/releases/Verdict"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { eventually } from "../fixtures/eventually.ts"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { freshName, nearNames } from "../fixtures/nearNames.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { freshDigest, newRelease, scanOfLevel, storedRelease } from "../fixtures/release.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const ruleset = "2026.11.1"

let next = 0

/** 32 keys that no other test has; some negative, and shingles beyond 2³¹. */
const freshSketch = (): Sketch => {
  const first = next++ * 1000 - 2_000_000_000
  return { shingles: [7, 4_000_000_000 + next], keys: Array.from({ length: 32 }, (_, n) => first + n) }
}

/** Stores a release with this sketch. */
const sketched = Effect.fnUntraced(function* (item: ItemId, sketch: Sketch | null, fields: Partial<ReleaseHead> = {}) {
  const sha256 = freshDigest()
  yield* (yield* ReleaseStore).keepScan(sha256, scanOfLevel("clean"), sketch)
  return yield* storedRelease(item, "clean", { sha256, ...fields })
})

const alikeTo = ({ sha256 }: Pick<Release, "sha256">, creatorId: AccountId) =>
  Effect.flatMap(ReleaseStore, (store) => store.alike({ sha256, ruleset, creatorId }))

const itemsAlike = (release: Pick<Release, "sha256">, creator: Account) =>
  Effect.map(alikeTo(release, creator.id), (found) =>
    Option.getOrThrow(found).releases.map(({ creatorId, itemId, listed }) => ({ creatorId, itemId, listed }))
  )

const copyCases = (it: StoreIt): void => {
  it.effect(
    "a release is compared with those that are on sale or were, by the keys of their sketches (RELEASE-30)",
    () =>
      Effect.gen(function* () {
        const [author, other] = [yield* openAccount(), yield* openAccount()]
        const [original, unrelated, copy] = [
          yield* listingOnSale(author),
          yield* listingOnSale(author),
          yield* listingOnSale(other)
        ]
        const sketch = freshSketch()
        const near = { shingles: [7, 8], keys: sketch.keys.map((key, n) => (n === 5 ? key : key + 500)) }
        const release = yield* sketched(original.id, sketch)
        yield* sketched(unrelated.id, freshSketch())
        const candidate = yield* sketched(copy.id, near, { status: "in_review", awaits: "operator" })
        const found = Option.getOrThrow(yield* alikeTo(candidate, other.id))
        assert.deepStrictEqual(found.shingles, near.shingles)
        assert.deepStrictEqual(
          found.releases.map(({ since: _, ...one }) => one),
          [{ itemId: original.id, creatorId: author.id, listed: true, shingles: sketch.shingles }]
        )
        assert.deepStrictEqual(
          (yield* itemsAlike(release, author)).map(({ itemId }) => itemId),
          [original.id],
          "a release that was never on sale is not compared, the creator's own one is"
        )
        assert.deepStrictEqual(
          yield* alikeTo(yield* sketched(copy.id, null, { version: "2.0.0" }), other.id),
          Option.none()
        )
        assert.deepStrictEqual(yield* alikeTo({ sha256: freshDigest() }, other.id), Option.none())
      })
  )

  it.effect(
    "the order in which releases were on sale decides, and remains when they are yanked or deleted (RELEASE-30)",
    () =>
      Effect.gen(function* () {
        const [store, listings] = [yield* ReleaseStore, yield* ListingStore]
        const sketch = freshSketch()
        const sellers = [yield* openAccount(), yield* openAccount(), yield* openAccount()] as const
        // The second one is uploaded first, and on sale last.
        const waiting = yield* listingOnSale(sellers[1], { status: "pending_review" })
        const late = yield* sketched(waiting.id, sketch)
        const first = yield* listingOnSale(sellers[0])
        const original = yield* sketched(first.id, sketch)
        const itemsFor = (account: Account) =>
          Effect.map(alikeTo(original, account.id), (found) =>
            Option.getOrThrow(found)
              .releases.toSorted((a, b) => a.since - b.since)
              .map(({ itemId }) => itemId)
          )
        assert.deepStrictEqual(yield* itemsFor(sellers[2]), [first.id], "an item that nobody could see is not compared")
        yield* listings.modify(waiting.id, (one) =>
          Result.succeed({ listing: { ...one, status: "approved" }, events: [] })
        )
        assert.deepStrictEqual(yield* itemsFor(sellers[2]), [first.id, waiting.id])
        yield* store.modify(first.id, () =>
          Result.succeed({ changed: [{ ...original, status: "yanked", yankedAt: 9_000 }] })
        )
        yield* listings.modify(first.id, (one) =>
          Result.succeed({ listing: { ...one, status: "deleted" }, events: [] })
        )
        assert.deepStrictEqual(yield* itemsFor(sellers[2]), [first.id, waiting.id])
        const gone = (yield* itemsAlike(original, sellers[2])).find(({ itemId }) => itemId === first.id)
        assert.deepStrictEqual(gone, { itemId: first.id, creatorId: sellers[0].id, listed: false })
        // What an operator found to be stolen is no original.
        yield* store.modify(waiting.id, () =>
          Result.succeed({
            changed: [
              { ...late, status: "quarantined", decidedBy: "operator", reason: { code: "copy", text: "Stolen." } }
            ]
          })
        )
        assert.deepStrictEqual(yield* itemsFor(sellers[2]), [first.id])
        yield* store.modify(waiting.id, () =>
          Result.succeed({
            changed: [{ ...late, status: "quarantined", reason: { code: "malware", text: "Harmful." } }]
          })
        )
        assert.deepStrictEqual(yield* itemsFor(sellers[2]), [first.id, waiting.id])
      })
  )

  it.effect(
    "many versions of an item count once, and hide neither another item nor the creator's own (RELEASE-31)",
    () =>
      Effect.gen(function* () {
        const sketch = freshSketch()
        const [author, other] = [yield* openAccount(), yield* openAccount()]
        const [mine, theirs] = [yield* listingOnSale(author), yield* listingOnSale(other)]
        for (let n = 0; n < 40; n++) yield* sketched(theirs.id, sketch, { version: `1.${n}.0` })
        const release = yield* sketched(mine.id, sketch)
        const found = yield* itemsAlike(release, author)
        assert.sameMembers(
          found.map(({ itemId }) => itemId),
          [theirs.id, mine.id]
        )
      })
  )

  it.effect("a soul is compared once it is public (RELEASE-30, SOUL-48)", () =>
    Effect.gen(function* () {
      const [souls, sketch] = [yield* SoulStore, freshSketch()]
      const [author, other] = [yield* openAccount(), yield* openAccount()]
      const soul = yield* publishedSoul(author, { visibility: "private" })
      const release = yield* sketched(soul.id, sketch, { version: "7.0.0", mediaType: "text/markdown" })
      assert.deepStrictEqual(yield* itemsAlike(release, other), [])
      yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, visibility: "public" }, events: [] }))
      assert.deepStrictEqual(
        (yield* itemsAlike(release, other)).map(({ itemId }) => itemId),
        [soul.id]
      )
    })
  )

  it.effect("a quarantine because the item is a copy does not stop the bytes of the original (RELEASE-27)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const [original, copy] = [yield* listingOnSale(yield* openAccount()), yield* listingOnSale(yield* openAccount())]
      const { sha256 } = yield* storedRelease(original.id, "clean")
      yield* storedRelease(copy.id, "clean", { sha256 })
      const quarantine = (fields: Pick<ReleaseHead, "decidedBy" | "reason">) =>
        store.modify(copy.id, ({ releases }) =>
          Result.succeed({ changed: releases.map((one) => ({ ...one, ...fields, status: "quarantined" })) })
        )
      const affected = Effect.map(store.affectedByBytes(1000), (heads) => heads.some((head) => head.sha256 === sha256))
      for (const code of ["copy", "impersonation"]) {
        yield* quarantine({ decidedBy: "operator", reason: { code, text: "Stolen." } })
        assert.deepStrictEqual([yield* store.isQuarantined(sha256), yield* affected], [false, false], code)
      }
      for (const fields of [
        { decidedBy: "operator", reason: { code: "malware", text: "Harmful." } },
        { decidedBy: "scan", reason: { code: "impersonation", text: "SOUL-1 in SOUL.md" } },
        { decidedBy: "operator", reason: null }
      ] as const) {
        yield* quarantine(fields)
        assert.deepStrictEqual([yield* store.isQuarantined(sha256), yield* affected], [true, true])
      }
    })
  )

  it.effect(
    "the findings about an item are stored with the release, and its verdict and level have them (RELEASE-8)",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const listing = yield* listingOnSale(yield* openAccount())
        const release = yield* storedRelease(listing.id, "notice")
        const finding: Finding = {
          rule: "SKILL-COPY-003",
          level: "warn",
          family: "copies",
          file: "",
          line: 0,
          evidence: "“name”, as lst_1",
          message: "Choose another name.",
          owasp: "AST04"
        }
        const { capabilities: _, verdict: before, statement: __, files: ___, frontMatter: ____, ...head } = release
        yield* store.modify(listing.id, () => Result.succeed({ changed: [{ ...head, itemFindings: [finding] }] }))
        const after = Option.getOrThrow(yield* store.find(listing.id, release.version))
        assert.deepStrictEqual(after.itemFindings, [finding])
        assert.deepStrictEqual(after.verdict, {
          level: "warn",
          ruleset: before?.ruleset ?? "",
          findings: [finding, ...(before?.findings ?? [])]
        })
        const detail = Option.getOrThrow(yield* (yield* ListingStore).detail(listing.id, null))
        assert.deepStrictEqual([detail.listing.trust, detail.listed], ["warn", true])
        const other = yield* newRelease(listing.id, { sha256: release.sha256, version: "2.0.0" })
        yield* store.upload(listing.id, () =>
          Result.succeed({ added: { ...other, files: release.files, frontMatter: release.frontMatter } })
        )
        yield* store.modify(listing.id, () =>
          Result.succeed({ changed: [{ ...other, status: "published", level: "notice", ruleset }] })
        )
        assert.deepStrictEqual(Option.getOrThrow(yield* store.find(listing.id, "2.0.0")).verdict, before)
      })
  )
}

const nameCases = (it: StoreIt): void => {
  const namesakes = (itemId: ItemId, creator: Account, name: string | null = null) =>
    Effect.flatMap(ReleaseStore, (store) => store.namesakes({ itemId, creatorId: creator.id, name }))

  it.effect("of two items with one name, only the one that took it later has a namesake (NAME-2)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const name = freshWord()
      const [one, other] = [yield* openAccount(), yield* openAccount()]
      const old = yield* listingOnSale(other, { createdAt: 1_000, updatedAt: 1_000 })
      const first = yield* publishedSoul(one, { name, createdAt: 2_000, updatedAt: 2_000 })
      const none = { name, same: null, popular: null }
      const found = { name, same: first.id, popular: null }
      assert.deepStrictEqual(yield* namesakes(freshId("lst"), other, name), found, "an item that is not stored yet")
      assert.deepStrictEqual(yield* namesakes(old.id, other, name), found, "a name that the item is going to take")
      // The item is older, its name is younger.
      yield* listings.modify(old.id, (listing) =>
        Result.succeed({ listing: { ...listing, name, updatedAt: 3_000 }, events: [] })
      )
      yield* listings.modify(old.id, (listing) =>
        Result.succeed({ listing: { ...listing, description: "Changed later.", updatedAt: 4_000 }, events: [] })
      )
      assert.deepStrictEqual(yield* namesakes(old.id, other), found)
      assert.deepStrictEqual(yield* namesakes(first.id, one), none)
      assert.deepStrictEqual(yield* namesakes(old.id, one), { ...none }, "its creator's own item")
      assert.deepStrictEqual(yield* namesakes(freshId("lst"), other), { ...none, name: null })
    })
  )

  it.effect("an item of which 50 were sold is found by a name at distance one, also after a rename (NAME-3)", () =>
    Effect.gen(function* () {
      const listings = yield* ListingStore
      const [name, renamed] = [freshName(), freshName()]
      const [one, other] = [yield* openAccount(), yield* openAccount()]
      const item = yield* listingOnSale(one, { name, price: usdt(0), pricingModel: "free", createdAt: 1_000 })
      const sell = Effect.gen(function* () {
        resultOf(yield* settle(Commands.buy(yield* openAccount(), item)), "Bought")
      })
      yield* Effect.replicateEffect(sell, popularSales, { discard: true })
      yield* eventually(
        "the item counts as popular",
        Effect.map(namesakes(freshId("lst"), other, name), ({ popular }) => popular === item.id)
      )
      const popular = (wanted: string) => Effect.map(namesakes(freshId("lst"), other, wanted), (found) => found.popular)
      for (const wanted of nearNames(name)) assert.strictEqual(yield* popular(wanted), item.id, wanted)
      assert.isNull(yield* popular(`${name}xy`))
      const earlier = yield* listingOnSale(other, { name: `${name}x`, createdAt: 500, updatedAt: 500 })
      assert.isNull((yield* namesakes(earlier.id, other)).popular, "the earlier name")
      yield* listings.modify(item.id, (listing) =>
        Result.succeed({ listing: { ...listing, name: renamed, updatedAt: 2_000 }, events: [] })
      )
      for (const wanted of nearNames(renamed)) assert.strictEqual(yield* popular(wanted), item.id, wanted)
      assert.isNull(yield* popular(name))
    })
  )
}

/** Cases about copies of texts and equal names. */
export const resemblanceCases = (it: StoreIt): void => {
  copyCases(it)
  nameCases(it)
}
