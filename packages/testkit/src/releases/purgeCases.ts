import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { bytesPurged, purgedScan } from "@agent-marketplace/core/releases/Purge"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { releaseVersionOf } from "@agent-marketplace/core/souls/SoulRelease"
import type { SoulRelease } from "@agent-marketplace/core/souls/SoulRelease"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { Slug } from "@agent-marketplace/core/slugs/Slug"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { freshText } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { draftSoul } from "../fixtures/publishedSoul.ts"
import {
  freshDigest,
  newRelease,
  releaseFiles,
  releaseFrontMatter,
  scanOfLevel,
  storedRelease
} from "../fixtures/release.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"

const purgedAt = 9_000

/** Purges the releases of the item with these versions, as an operator. */
const purge = Effect.fnUntraced(function* (item: ItemId, ...versions: ReadonlyArray<string>) {
  yield* (yield* ReleaseStore).modify(item, ({ releases }) => {
    const targets = releases.filter(({ version }) => versions.includes(version))
    const changed = targets.map((one): ReleaseHead => ({
      ...one,
      status: "quarantined",
      decidedBy: "operator",
      awaits: null,
      reason: { code: "illegal", text: "Leaked." },
      purgedAt
    }))
    return Result.succeed({ changed, purged: targets.map(({ id }) => id) })
  })
})

const envelope = {
  payloadType: "application/vnd.in-toto+json",
  payload: "e30=",
  signatures: [{ keyid: "k", sig: "s" }]
}

const sign = Effect.fnUntraced(function* ({ id, itemId }: ReleaseHead) {
  yield* (yield* ReleaseStore).modify(itemId, () => Result.succeed({ statement: { release: id, envelope } }))
})

const read = (item: ItemId, version: string) =>
  Effect.flatMap(ReleaseStore, (store) => Effect.map(store.find(item, version), Option.getOrThrow))

/** Adds a release with files of its own, unless its digest was purged. */
const uploadOwn = Effect.fnUntraced(function* (release: ReleaseHead, files: ReadonlyArray<Sha256>) {
  yield* (yield* BlobRegistry).announce(files)
  const manifest = files.map((sha256, n) => ({ path: `file-${n}.txt`, size: 1, sha256 }))
  return yield* (yield* ReleaseStore).upload(release.itemId, () =>
    Result.succeed({ added: { ...release, files: manifest, frontMatter: releaseFrontMatter } })
  )
})

const upload = (release: ReleaseHead) => uploadOwn(release, [])

/** Claims what garbage collection removes without the grace of an hour. */
const claimDue = Effect.flatMap(BlobRegistry, (registry) =>
  registry.claim({ unusedFor: 3600, unfinishedFor: 86_400, limit: 1000 })
)

const soulRelease = (soul: ItemId, content: string, version: number, sha256: Sha256, createdAt: number) =>
  Effect.map(
    newRelease(soul, {
      version: releaseVersionOf(version),
      mediaType: "text/markdown",
      sha256,
      status: "published",
      ruleset: "2026.11.1",
      level: "notice",
      createdAt
    }),
    (head): SoulRelease => ({
      version,
      content,
      head: { ...head, files: [{ path: "SOUL.md", size: 7, sha256 }], frontMatter: null },
      statement: envelope
    })
  )

/** A soul that is on sale with a release of its text. */
const releasedSoul = Effect.fnUntraced(function* (author: Account, content: string, sha256: Sha256) {
  const draft = yield* draftSoul(author, { content })
  yield* (yield* ReleaseStore).keepScan(sha256, scanOfLevel("notice"))
  const release = yield* soulRelease(draft.id, content, 1, sha256, draft.createdAt)
  return yield* (yield* SoulStore).insert(draft, Slug.base(draft.name, "soul", freshText().slice(0, 8)), (soul) => ({
    soul: { ...soul, releaseVersion: "1.0.0", trust: "notice" },
    events: [],
    release
  }))
})

/** Changes the text. */
const revised = Effect.fnUntraced(function* (slug: string, content: string, sha256: Sha256) {
  const souls = yield* SoulStore
  const { createdAt, id, version } = Option.getOrThrow(yield* souls.findBySlug(slug))
  yield* (yield* ReleaseStore).keepScan(sha256, scanOfLevel("notice"))
  const release = yield* soulRelease(id, content, version + 1, sha256, createdAt + 1)
  return yield* souls.modify(slug, (soul) =>
    Result.succeed({
      soul: { ...soul, content, version: version + 1, releaseVersion: releaseVersionOf(version + 1) },
      events: [],
      release
    })
  )
})

const listing = Effect.flatMap(openAccount(), (creator) => listingOnSale(creator))

export const purgeCases = (it: StoreIt): void => {
  it.effect("a purged release keeps digests, sizes and level, and loses what quotes its bytes (PURGE-4)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { id } = yield* listing
      const before = yield* storedRelease(id, "block")
      yield* sign(before)
      const other = yield* storedRelease(id, "block", { version: "2.0.0" })
      yield* purge(id, "1.0.0")
      const after = yield* read(id, "1.0.0")
      assert.deepStrictEqual(after, {
        ...before,
        status: "quarantined",
        decidedBy: "operator",
        reason: { code: "illegal", text: "Leaked." },
        purgedAt,
        files: releaseFiles
          .map(({ sha256, size }) => ({ path: sha256, size, sha256 }))
          .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
        frontMatter: null,
        statement: null,
        ...purgedScan(scanOfLevel("block"))
      })
      assert.deepStrictEqual(
        after.verdict?.findings.map(({ evidence, file, line, rule }) => ({ evidence, file, line, rule })),
        [{ evidence: "", file: "", line: 0, rule: "SKILL-EXEC-001" }]
      )
      assert.deepStrictEqual(yield* read(id, "2.0.0"), other)
      yield* purge(id, "1.0.0")
      assert.deepStrictEqual(yield* read(id, "1.0.0"), after)
      assert.isTrue(yield* store.isPurged(before.sha256))
      assert.isFalse(yield* store.isPurged(other.sha256))
    })
  )

  it.effect("evidence stays while a release that is not purged has the same bytes (PURGE-3, PURGE-4)", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* listing, yield* listing]
      const { sha256 } = yield* storedRelease(one.id, "block")
      const copy = yield* storedRelease(other.id, "block", { sha256 })
      yield* purge(one.id, "1.0.0")
      assert.deepStrictEqual((yield* read(other.id, "1.0.0")).verdict, copy.verdict)
      yield* purge(other.id, "1.0.0")
      for (const { id } of [one, other])
        assert.deepStrictEqual((yield* read(id, "1.0.0")).verdict, purgedScan(scanOfLevel("block")).verdict)
    })
  )

  it.effect("the sketch of purged bytes is removed, and a later scan stores none (PURGE-4)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { creatorId, id } = yield* listing
      const sha256 = freshDigest()
      const sketch = { shingles: [1, 2, 3], keys: [4, 5] }
      yield* store.keepScan(sha256, scanOfLevel("clean"), sketch)
      yield* storedRelease(id, "clean", { sha256 })
      const alike = (ruleset: string) => store.alike({ sha256, ruleset, creatorId })
      assert.deepStrictEqual(Option.getOrThrow(yield* alike("2026.11.1")).shingles, sketch.shingles)
      yield* purge(id, "1.0.0")
      yield* store.keepScan(sha256, scanOfLevel("clean", "2026.12.1"), sketch)
      assert.deepStrictEqual([yield* alike("2026.11.1"), yield* alike("2026.12.1")], [Option.none(), Option.none()])
    })
  )

  it.effect("blobs that no other release refers to are due for removal, shared ones stay (PURGE-2, PURGE-3)", () =>
    Effect.gen(function* () {
      const { id } = yield* listing
      const [own, shared] = [freshDigest(), freshDigest()]
      const first = yield* newRelease(id)
      const second = yield* newRelease(id, { version: "2.0.0" })
      yield* uploadOwn(first, [own, shared])
      yield* uploadOwn(second, [shared])
      yield* purge(id, "1.0.0")
      const ours = [first.sha256, second.sha256, own, shared]
      const due = (yield* claimDue).filter((blob) => ours.includes(blob))
      assert.sameMembers(due, [first.sha256, own])
      yield* purge(id, "2.0.0")
      const rest = (yield* claimDue).filter((blob) => ours.includes(blob))
      assert.sameMembers(rest, [second.sha256, shared])
      yield* Effect.forEach(ours, (yield* BlobRegistry).removed)
    })
  )

  it.effect(
    "purged bytes are not uploaded again in any item, and do not count towards the quota (PURGE-6, PURGE-10)",
    () =>
      Effect.gen(function* () {
        const creator = yield* openAccount()
        const [one, other] = [yield* listingOnSale(creator), yield* listingOnSale(creator)]
        yield* (yield* IdentityStore).updateAccount(creator.id, { quotas: { releaseBytes: 1_500 } })
        const { sha256 } = yield* storedRelease(one.id, "clean")
        assert.strictEqual((yield* Effect.flip(upload(yield* newRelease(other.id))))._tag, "QuotaExceeded")
        yield* purge(one.id, "1.0.0")
        for (const fields of [{ itemId: other.id }, { itemId: one.id, version: "3.0.0" }]) {
          const refused = yield* Effect.flip(upload(yield* newRelease(fields.itemId, { ...fields, sha256 })))
          assert.deepStrictEqual(refused, bytesPurged)
        }
        assert.deepStrictEqual(yield* (yield* ReleaseStore).find(other.id, "1.0.0"), Option.none())
        assert.isTrue(Option.isSome(yield* upload(yield* newRelease(other.id))))
      })
  )

  it.effect("a scan that ends after the purge stores no evidence (PURGE-9)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const [one, other] = [yield* listing, yield* listing]
      const { sha256 } = yield* storedRelease(one.id, "clean")
      yield* purge(one.id, "1.0.0")
      const late = scanOfLevel("block", "2026.12.1")
      assert.deepStrictEqual(yield* store.keepScan(sha256, late), purgedScan(late))
      assert.deepStrictEqual(yield* store.findScan(sha256, "2026.12.1"), Option.some(purgedScan(late)))
      const shared = yield* storedRelease(one.id, "clean", { version: "2.0.0" })
      yield* storedRelease(other.id, "clean", { sha256: shared.sha256 })
      yield* purge(one.id, "2.0.0")
      assert.deepStrictEqual(yield* store.keepScan(shared.sha256, late), late)
    })
  )

  it.effect("uploads and a purge of the same bytes at once: none is stored after the purge (PURGE-6)", () =>
    Effect.gen(function* () {
      const { id } = yield* listing
      const items = yield* Effect.forEach(Array.from({ length: 8 }), () => listing)
      const { sha256 } = yield* storedRelease(id, "clean")
      const releases = yield* Effect.forEach(items, (item) => newRelease(item.id, { sha256 }))
      let isPurged = false
      const late: Array<boolean> = []
      const uploadOne = Effect.fnUntraced(function* (release: ReleaseHead) {
        const after = isPurged
        const outcome = yield* Effect.result(upload(release))
        if (after) late.push(Result.isSuccess(outcome))
        if (Result.isFailure(outcome)) assert.deepStrictEqual(outcome.failure, bytesPurged)
      })
      yield* Effect.all(
        [
          Effect.forEach(releases, uploadOne, { concurrency: 2 }),
          Effect.tap(purge(id, "1.0.0"), () => Effect.sync(() => void (isPurged = true)))
        ],
        { concurrency: 2 }
      )
      yield* uploadOne(yield* newRelease((yield* listing).id, { sha256 }))
      assert.deepStrictEqual([...new Set(late)], [false])
    })
  )

  it.effect("purged releases are not among those that wait for an operator (RELEASE-29)", () =>
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { id } = yield* listing
      yield* storedRelease(id, "block", { status: "quarantined", createdAt: -1 })
      const waits = Effect.map(store.waiting("quarantined", { page: 1, limit: 100 }), ({ items }) =>
        items.some(({ itemId }) => itemId === id)
      )
      assert.isTrue(yield* waits)
      yield* purge(id, "1.0.0")
      assert.isFalse(yield* waits)
      assert.isTrue((yield* store.due("2027.1.1", 1000)).every(({ itemId }) => itemId !== id))
    })
  )

  it.effect("the text of a purged version is emptied, and the version before it is on sale (PURGE-7, SOUL-52)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const digests = [freshDigest(), freshDigest()] as const
      const soul = yield* releasedSoul(yield* openAccount(), "# SOUL\n\nFirst.", digests[0])
      yield* revised(soul.slug, "# SOUL\n\nA leaked secret.", digests[1])
      assert.include(Option.getOrThrow(yield* souls.detailJson(soul.slug)), "leaked secret")
      yield* purge(soul.id, "2.0.0")
      const current = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
      assert.deepInclude(current, { content: "# SOUL\n\nFirst.", version: 1, releaseVersion: "1.0.0" })
      assert.include(Option.getOrThrow(yield* souls.detailJson(soul.slug)), "First.")
      assert.strictEqual(Option.getOrThrow(yield* souls.findVersion(soul.id, 2)).content, "")
      assert.deepInclude((yield* read(soul.id, "2.0.0")).files, { path: digests[1], sha256: digests[1], size: 7 })
      yield* purge(soul.id, "1.0.0")
      const emptied = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
      assert.deepInclude(emptied, { content: "", version: 1, quarantined: true })
      assert.deepStrictEqual(yield* souls.detailJson(soul.slug), Option.none())
      const { items } = yield* souls.versions(soul.slug, { page: 1, limit: 5 })
      assert.deepStrictEqual(
        items.map(({ content }) => content),
        ["", ""]
      )
    })
  )

  it.effect("a text that was stopped before is emptied too, and cannot be published again (PURGE-6, PURGE-7)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount()
      const sha256 = freshDigest()
      const soul = yield* releasedSoul(author, "# SOUL\n\nLeaked.", sha256)
      const other = yield* releasedSoul(author, "# SOUL\n\nFine.", freshDigest())
      yield* (yield* ReleaseStore).modify(soul.id, ({ releases }) =>
        Result.succeed({ changed: releases.map((one): ReleaseHead => ({ ...one, status: "quarantined" })) })
      )
      yield* purge(soul.id, "1.0.0")
      assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).content, "")
      assert.strictEqual(Option.getOrThrow(yield* souls.detail(soul.id, author.id)).soul.content, "")
      const changed = yield* revised(other.slug, "# SOUL\n\nLeaked.", sha256)
      assert.deepStrictEqual(changed, Option.some(Result.fail(bytesPurged)))
      assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(other.slug)).version, 1)
      const refused = yield* Effect.flip(releasedSoul(author, "# SOUL\n\nLeaked.", sha256))
      assert.deepStrictEqual(refused, bytesPurged)
    })
  )
}
