import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import {
  freshDigest,
  newRelease,
  releaseFiles,
  releaseFrontMatter,
  scanOfLevel,
  storedRelease
} from "../fixtures/release.ts"
import { fund, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"

const listed = Effect.gen(function* () {
  const creator = yield* openAccount()
  return { creator, listing: yield* listingOnSale(creator) }
})

/** Adds a release unless its version is taken. */
const upload = (release: ReleaseHead) =>
  Effect.flatMap(ReleaseStore, (store) =>
    store.upload(release.itemId, ({ releases }) =>
      releases.some(({ version }) => version === release.version)
        ? Result.fail(new Conflict({ state: "version_taken" }))
        : Result.succeed({ added: { ...release, files: releaseFiles, frontMatter: releaseFrontMatter } })
    )
  )

const isUploaded = (changed: Option.Option<Result.Result<unknown, Conflict>>): boolean =>
  Option.isSome(changed) && Result.isSuccess(changed.value)

const bought = Effect.fnUntraced(function* (buyer: Account, item: { readonly id: ListingId }) {
  yield* fund(buyer, usdt(100))
  return resultOf(yield* settle(Commands.buy(buyer, item)), "Bought").purchase
})

export const releaseCases = (it: StoreIt): void => {
  it.effect("a release is stored completely, with events and the operator's action", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { creator, listing } = yield* listed
      const release = yield* newRelease(listing.id, { version: "1.0.0-rc.1+b.5", mediaType: "application/zip" })
      const action = { ...actionDraft("item.release", listing.id), before: null, after: null }
      yield* store.upload(listing.id, ({ item, releases, sold }) => {
        assert.deepStrictEqual({ sold, releases, name: item.name }, { sold: false, releases: [], name: listing.name })
        return Result.succeed({ added: { ...release, files: releaseFiles, frontMatter: releaseFrontMatter } })
      })
      const before = Option.getOrThrow(yield* store.find(listing.id, release.version))
      assert.deepStrictEqual(before, {
        ...release,
        files: releaseFiles,
        frontMatter: releaseFrontMatter,
        verdict: null,
        capabilities: null,
        statement: null
      })
      const scan = yield* store.keepScan(release.sha256, scanOfLevel("warn"))
      const envelope = {
        payloadType: "application/vnd.in-toto+json",
        payload: "e30=",
        signatures: [{ keyid: "k", sig: "s" }]
      }
      const head: ReleaseHead = {
        ...release,
        status: "in_review",
        awaits: "operator",
        level: "warn",
        ruleset: scan.verdict.ruleset,
        decidedBy: "operator",
        reason: { code: "theft", text: "Sends “keys”." },
        rescannedAt: release.createdAt + 5
      }
      yield* store.modify(listing.id, () =>
        Result.succeed({
          changed: [head],
          statement: { release: release.id, envelope },
          events: [
            {
              type: "release.quarantined",
              at: release.createdAt,
              subject: release.id,
              accounts: [creator.id],
              data: { releaseId: release.id }
            }
          ],
          action
        })
      )
      const after = { ...head, files: releaseFiles, frontMatter: releaseFrontMatter, ...scan, statement: envelope }
      assert.deepStrictEqual(yield* store.find(listing.id, release.version), Option.some(after))
      assert.deepStrictEqual(yield* store.list(listing.id, { page: 1, limit: 5 }), { items: [after], total: 1 })
      assert.strictEqual((yield* onlyEvent(release.id)).type, "release.quarantined")
      assert.deepStrictEqual(yield* store.find(listing.id, "1.0.0"), Option.none())
      assert.deepStrictEqual(yield* store.find(freshId("lst"), release.version), Option.none())
    })
  )

  it.effect("releases are listed newest first; a refused change stores nothing", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { listing } = yield* listed
      for (const version of ["1.0.0", "1.1.0", "0.9.0"]) yield* storedRelease(listing.id, "clean", { version })
      const page = yield* store.list(listing.id, { page: 1, limit: 2 })
      assert.strictEqual(page.total, 3)
      assert.deepStrictEqual(
        page.items.map(({ version }) => version),
        ["0.9.0", "1.1.0"]
      )
      const refused = yield* store.modify(listing.id, () => Result.fail(new Conflict({ state: "no" })))
      assert.isFalse(isUploaded(refused))
      assert.deepStrictEqual(yield* store.modify(freshId("lst"), () => Result.succeed({})), Option.none())
    })
  )

  it.effect("of concurrent uploads of one version, one is stored (RELEASE-3)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { listing } = yield* listed
      const releases = yield* Effect.forEach(Array.from({ length: 8 }), () => newRelease(listing.id))
      const outcomes = yield* Effect.forEach(releases, upload, { concurrency: "unbounded" })
      assert.lengthOf(outcomes.filter(isUploaded), 1)
      assert.strictEqual((yield* store.list(listing.id, { page: 1, limit: 10 })).total, 1)
    })
  )

  it.effect(
    "concurrent uploads stop exactly at the quota of bytes, and a deleted listing makes room (QUOTA-1, QUOTA-3)",
    () =>
      Effect.gen(function* () {
        const listings = yield* ListingStore
        const { creator, listing } = yield* listed
        const other = yield* listingOnSale(creator)
        yield* (yield* IdentityStore).updateAccount(creator.id, { quotas: { releaseBytes: 3_500 } })
        const make = (n: number) => newRelease(n % 2 === 0 ? listing.id : other.id, { version: `1.0.${n}` })
        const releases = yield* Effect.forEach(Array.from({ length: 8 }), (_, n) => make(n))
        const outcomes = yield* Effect.forEach(releases, (release) => Effect.result(upload(release)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter(Result.isSuccess), 3)
        const refused = yield* Effect.flip(upload(yield* newRelease(listing.id, { version: "2.0.0" })))
        assert.deepInclude(refused, { _tag: "QuotaExceeded", quota: "releaseBytes", limit: 3_500, used: 3_000 })
        for (const { id } of [listing, other]) {
          yield* listings.modify(id, (one) => Result.succeed({ listing: { ...one, status: "deleted" }, events: [] }))
        }
        const third = yield* listingOnSale(creator)
        assert.isTrue(isUploaded(yield* upload(yield* newRelease(third.id, { size: 3_500 }))))
      })
  )

  it.effect("nothing is uploaded for a frozen account (ACCOUNT-12)", () =>
    Effect.gen(function* () {
      const { creator, listing } = yield* listed
      yield* (yield* IdentityStore).setFrozen(creator.id, { since: 7_000, reason: "stolen" })
      assert.deepInclude(yield* Effect.flip(upload(yield* newRelease(listing.id))), { _tag: "AccountFrozen" })
    })
  )

  it.effect("a verdict never changes for the same bytes and ruleset (RELEASE-9)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const sha256 = freshDigest()
      const scans = [scanOfLevel("block"), scanOfLevel("clean"), scanOfLevel("warn")]
      const kept = yield* Effect.forEach(scans, (scan) => store.keepScan(sha256, scan), { concurrency: "unbounded" })
      assert.lengthOf(new Set(kept.map((scan) => JSON.stringify(scan))), 1)
      assert.deepStrictEqual(yield* store.findScan(sha256, "2026.11.1"), Option.some(kept[0] ?? scanOfLevel("clean")))
      assert.deepStrictEqual(yield* store.findScan(sha256, "2026.11.2"), Option.none())
      const next = yield* store.keepScan(sha256, scanOfLevel("notice", "2026.11.2"))
      assert.strictEqual(next.verdict.level, "notice")
    })
  )

  it.effect("texts with NUL or half of a surrogate pair are stored with U+FFFD in their place (RELEASE-9)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { capabilities, verdict } = scanOfLevel("warn")
      const odd = (text: string) => `${text}\u0000\ud83d \ude00 😀`
      const scan = (of: (text: string) => string) => ({
        verdict: {
          ...verdict,
          findings: verdict.findings.map((one) => ({
            ...one,
            evidence: of(one.evidence),
            message: of(one.message),
            file: of(one.file)
          }))
        },
        capabilities: { ...capabilities, used: { ...capabilities.used, commands: [of("curl")], hosts: [of("a")] } }
      })
      const sha256 = freshDigest()
      const stored = scan((text) => `${text}\ufffd\ufffd \ufffd 😀`)
      assert.deepStrictEqual(yield* store.keepScan(sha256, scan(odd)), stored)
      assert.deepStrictEqual(yield* store.findScan(sha256, verdict.ruleset), Option.some(stored))
    })
  )

  it.effect(
    "due are new releases, published ones of another ruleset, and those that awaited the approval of their listing",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const listings = yield* ListingStore
        const { creator, listing } = yield* listed
        const waiting = yield* listingOnSale(creator, { status: "pending_review" })
        const [scanning, published, incomplete, yanked, awaiting] = [
          yield* storedRelease(listing.id, "clean", { version: "1.0.0", status: "scanning" }),
          yield* storedRelease(listing.id, "clean", { version: "1.0.1" }),
          yield* storedRelease(listing.id, "clean", { version: "1.0.2" }),
          yield* storedRelease(listing.id, "clean", { version: "1.0.3", status: "yanked", yankedAt: 8_000 }),
          yield* storedRelease(waiting.id, "clean", { status: "in_review", awaits: "listing" })
        ]
        const { verdict } = yield* store.keepScan(incomplete.sha256, scanOfLevel("warn", "2026.12.1+incomplete"))
        yield* store.modify(listing.id, ({ releases }) =>
          Result.succeed({
            changed: releases.flatMap((one) => (one.id === incomplete.id ? [{ ...one, ruleset: verdict.ruleset }] : []))
          })
        )
        const dueIds = (ruleset: string) =>
          Effect.map(store.due(ruleset, 1000), (due) =>
            due.flatMap(({ id, itemId }) => (itemId === listing.id || itemId === waiting.id ? [id] : []))
          )
        assert.deepStrictEqual(yield* dueIds("2026.11.1"), [scanning.id, incomplete.id])
        assert.deepStrictEqual(yield* dueIds("2026.12.1"), [scanning.id, published.id])
        yield* listings.modify(waiting.id, (one) =>
          Result.succeed({ listing: { ...one, status: "approved" }, events: [] })
        )
        assert.deepStrictEqual(yield* dueIds("2026.12.1"), [scanning.id, published.id, awaiting.id])
        assert.lengthOf(yield* store.due("2026.12.1", 1), 1)
        const except = [scanning.id, published.id, awaiting.id]
        assert.notIncludeMembers(
          (yield* store.due("2026.12.1", 1000, except)).map(({ id }) => id),
          except,
          "those that are left out (RELEASE-33)"
        )
        assert.notInclude(yield* dueIds("2026.12.1"), yanked.id)
      })
  )

  it.effect("quarantined bytes are known by their digest, whatever the item (RELEASE-13)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const [one, other] = [yield* listed, yield* listed]
      const { sha256 } = yield* storedRelease(one.listing.id, "clean")
      yield* storedRelease(other.listing.id, "clean", { sha256 })
      assert.isFalse(yield* store.isQuarantined(sha256))
      yield* store.modify(one.listing.id, ({ quarantinedBytes, releases }) => {
        assert.strictEqual(quarantinedBytes.size, 0)
        return Result.succeed({ changed: releases.map((release) => ({ ...release, status: "quarantined" })) })
      })
      assert.isTrue(yield* store.isQuarantined(sha256))
      for (const { elsewhere, id } of [
        { id: one.listing.id, elsewhere: [] },
        { id: other.listing.id, elsewhere: [sha256] }
      ]) {
        yield* store.modify(id, ({ quarantinedBytes, quarantinedElsewhere }) => {
          assert.deepStrictEqual([...quarantinedBytes], [sha256])
          assert.deepStrictEqual([...quarantinedElsewhere], elsewhere)
          return Result.succeed({})
        })
      }
    })
  )

  it.effect(
    "free skills are public, cost nothing, and have a release on sale whose bytes are not quarantined (INSTALLER-1)",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const creator = yield* openAccount()
        const free = (fields: Partial<Listing> = {}) => listingOnSale(creator, { price: usdt(0), ...fields })
        const [old, sold, paid, waiting, yanked, unscanned, shared, source, bare] = [
          yield* free({ createdAt: 1_000 }),
          yield* free(),
          yield* listingOnSale(creator),
          yield* free({ status: "pending_review" }),
          yield* free(),
          yield* free(),
          yield* free(),
          yield* listingOnSale(creator),
          yield* free()
        ]
        for (const { id } of [old, sold, paid, waiting]) yield* storedRelease(id, "clean", { version: "1.0.0" })
        yield* storedRelease(old.id, "notice", { version: "1.10.0" })
        yield* storedRelease(old.id, "clean", { version: "1.9.0" })
        yield* storedRelease(yanked.id, "clean", { status: "yanked", yankedAt: 8_000 })
        yield* storedRelease(unscanned.id, "clean", { status: "scanning" })
        const { sha256 } = yield* storedRelease(shared.id, "clean")
        yield* bought(yield* openAccount(), sold)
        const all = [old, sold, paid, waiting, yanked, unscanned, shared, source, bare].map(({ id }) => id)
        const found = Effect.map(store.freeSkills(100_000), (skills) =>
          skills
            .filter(({ itemId }) => all.includes(itemId))
            .map(({ itemId, slug, version }) => [itemId, slug, version])
        )
        const [first, second] = [
          [sold.id, sold.slug, "1.0.0"],
          [old.id, old.slug, "1.10.0"]
        ]
        assert.deepStrictEqual(yield* found, [first, [shared.id, shared.slug, "1.0.0"], second])
        yield* storedRelease(source.id, "block", { sha256, status: "quarantined" })
        assert.deepStrictEqual(yield* found, [first, second])
        assert.lengthOf(yield* store.freeSkills(1), 1)
        for (const only of [old.id, old.slug]) {
          assert.deepStrictEqual(yield* store.freeSkills(5, only), [
            { itemId: old.id, slug: old.slug, version: "1.10.0" }
          ])
        }
        for (const only of [paid.slug, shared.id, "", "lst_"])
          assert.deepStrictEqual(yield* store.freeSkills(5, only), [])
      })
  )

  it.effect(
    "releases with quarantined bytes are found in every item, also when the quarantine has ended (RELEASE-27)",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const [one, other] = [yield* listed, yield* listed]
        const { sha256 } = yield* storedRelease(one.listing.id, "clean")
        yield* storedRelease(other.listing.id, "clean", { sha256 })
        const setStatus = (id: ListingId, status: ReleaseHead["status"], copied = false) =>
          store.modify(id, ({ releases }) => {
            const reason = copied ? ({ code: "policy", text: "The same bytes.", copied: true } as const) : null
            return Result.succeed({ changed: releases.map((release) => ({ ...release, status, reason })) })
          })
        const affected = Effect.map(store.affectedByBytes(1000), (heads) =>
          heads.flatMap((head) => (head.sha256 === sha256 ? [head.itemId] : []))
        )
        assert.deepStrictEqual(yield* affected, [])
        yield* setStatus(one.listing.id, "quarantined")
        assert.deepStrictEqual(yield* affected, [other.listing.id])
        yield* setStatus(other.listing.id, "quarantined", true)
        assert.deepStrictEqual(yield* affected, [])
        yield* setStatus(one.listing.id, "published")
        assert.deepStrictEqual(yield* affected, [other.listing.id])
        assert.isFalse(yield* store.isQuarantined(sha256), "a copy alone stops no bytes")
      })
  )

  it.effect("a license counts from its purchase, while it is valid (RELEASE-12)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const clock = yield* MarketClock
      const { listing } = yield* listed
      const buyer = yield* openAccount()
      const purchase = yield* bought(buyer, listing)
      const before = (at: number) => store.licensedBefore(buyer.id, listing.id, at)
      assert.isFalse(yield* before(purchase.purchasedAt))
      assert.isTrue(yield* before(purchase.purchasedAt + 1))
      const stranger = yield* openAccount()
      assert.isFalse(yield* store.licensedBefore(stranger.id, listing.id, (yield* clock.now) + 1))
      yield* store.modify(listing.id, ({ sold }) => {
        assert.isTrue(sold)
        return Result.succeed({})
      })
    })
  )
}
