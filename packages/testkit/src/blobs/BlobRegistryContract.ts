import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { assert, layer, vi } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { freshText } from "../fixtures/freshId.ts"

const fresh = (): Sha256 => Sha256.make(randomBytes(32).toString("hex"))

/** Claims all blobs of the suite, however young. */
const atOnce = { unusedFor: 0, unfinishedFor: 3600, limit: 1000 } as const

/** How a store of the adapter adds references, and removes those of a purged record, each in a transaction of its own. */
export interface BlobReferences<R> {
  readonly refer: (owner: string, blobs: ReadonlyArray<Sha256>) => Effect.Effect<void, StoreUnavailable, R>
  readonly drop: (owners: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable, R>
}

/** The contract of `BlobRegistry`. */
export const blobRegistryContract = <R, E>(
  name: string,
  stores: Layer.Layer<BlobRegistry | R, E>,
  { drop, refer }: BlobReferences<R>
): void => {
  vi.setConfig({ testTimeout: 120_000 })
  layer(stores, { excludeTestServices: true, timeout: "5 minutes" })(`${name}: BlobRegistry`, (it) => {
    it.effect("only blobs without references are claimed, after the grace (BLOB-6)", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const [used, unused, unknown] = [fresh(), fresh(), fresh()]
        yield* registry.announce([used, unused])
        yield* refer(freshText(), [used, used])
        assert.deepStrictEqual(yield* registry.claim({ ...atOnce, unusedFor: 3600 }), [])
        assert.strictEqual((yield* Effect.flip(refer(freshText(), [used, unknown])))._tag, "StoreUnavailable")
        assert.deepStrictEqual(yield* registry.claim(atOnce), [unused])
        assert.deepStrictEqual(yield* registry.claim(atOnce), [], "a claimed blob is not claimed again")
        yield* registry.removed(unused)
      })
    )

    it.effect(
      "a blob that is being removed is neither announced nor referred to until its removal is over (BLOB-6)",
      () =>
        Effect.gen(function* () {
          const registry = yield* BlobRegistry
          const [blob, other] = [fresh(), fresh()]
          yield* registry.announce([blob])
          assert.deepStrictEqual(yield* registry.claim(atOnce), [blob])
          assert.strictEqual((yield* Effect.flip(registry.announce([other, blob])))._tag, "StoreUnavailable")
          assert.strictEqual((yield* Effect.flip(refer(freshText(), [blob])))._tag, "StoreUnavailable")
          assert.strictEqual((yield* Effect.flip(refer(freshText(), [other])))._tag, "StoreUnavailable")
          yield* registry.removed(blob)
          yield* registry.announce([other, blob])
          yield* refer(freshText(), [other, blob])
          assert.deepStrictEqual(yield* registry.claim(atOnce), [])
        })
    )

    it.effect("equal files of one archive are announced and referred to once (BLOB-6)", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const [archive, twice] = [fresh(), fresh()]
        const owner = freshText()
        for (const _ of ["new blobs", "known blobs"]) {
          yield* registry.announce([twice, archive, twice])
          yield* refer(owner, [archive, twice, twice])
        }
        assert.deepStrictEqual(yield* registry.claim(atOnce), [])
      })
    )

    it.effect("a removal that did not end is claimed again", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const blob = fresh()
        yield* registry.announce([blob])
        assert.deepStrictEqual(yield* registry.claim(atOnce), [blob])
        assert.deepStrictEqual(yield* registry.claim({ ...atOnce, unfinishedFor: 0 }), [blob])
        yield* registry.removed(blob)
        assert.deepStrictEqual(yield* registry.claim({ ...atOnce, unfinishedFor: 0 }), [])
      })
    )

    it.effect("blobs that lose their last reference are claimed at once, others stay (PURGE-2, PURGE-3)", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const [own, shared, young] = [fresh(), fresh(), fresh()]
        const [owner, other] = [freshText(), freshText()]
        yield* registry.announce([own, shared, young])
        yield* refer(owner, [own, shared])
        yield* refer(other, [shared])
        yield* drop([owner])
        yield* drop([owner])
        assert.deepStrictEqual(yield* registry.claim({ ...atOnce, unusedFor: 3600 }), [own])
        yield* drop([other])
        assert.deepStrictEqual(yield* registry.claim({ ...atOnce, unusedFor: 3600 }), [shared])
        yield* Effect.forEach([own, shared], registry.removed)
        yield* refer(freshText(), [young])
      })
    )

    it.effect("certain blobs without references are claimed whatever their age, referenced ones never (PURGE-2)", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const [used, announced, unknown, removing] = [fresh(), fresh(), fresh(), fresh()]
        yield* registry.announce([used, announced, removing])
        yield* refer(freshText(), [used])
        assert.deepStrictEqual(yield* registry.claimUnused([removing]), { claimed: [removing], removing: [] })
        const { claimed, ...rest } = yield* registry.claimUnused([used, announced, unknown, removing])
        assert.sameMembers([...claimed], [announced, unknown])
        assert.deepStrictEqual(rest, { removing: [removing] })
        for (const blob of [announced, unknown, removing]) {
          assert.strictEqual((yield* Effect.flip(registry.announce([blob])))._tag, "StoreUnavailable")
          const refused = yield* Effect.flip(refer("rel_late", [blob]))
          assert.deepInclude(refused.cause, { _tag: "BlobRemoved", owner: "rel_late" })
          yield* registry.removed(blob)
        }
        yield* refer(freshText(), [used])
        yield* registry.announce([announced, unknown, removing])
        yield* refer(freshText(), [announced, unknown, removing])
        assert.deepStrictEqual(yield* registry.claimUnused([used, announced, unknown, removing]), {
          claimed: [],
          removing: []
        })
        assert.deepStrictEqual(yield* registry.claimUnused([]), { claimed: [], removing: [] })
      })
    )

    it.effect(
      "uploads and purges of the same blobs at once leave each blob either referred to or claimed (PURGE-9)",
      () =>
        Effect.gen(function* () {
          const registry = yield* BlobRegistry
          const blobs = Array.from({ length: 60 }, fresh)
          const referred = new Set<Sha256>()
          const claimed = new Set<Sha256>()
          const upload = (blob: Sha256) =>
            Effect.andThen(registry.announce([blob]), refer(freshText(), [blob])).pipe(
              Effect.andThen(Effect.sync(() => referred.add(blob))),
              Effect.ignore
            )
          const purge = (some: ReadonlyArray<Sha256>) =>
            Effect.tap(registry.claimUnused(some), ({ claimed: taken }) =>
              Effect.sync(() => taken.forEach((blob) => claimed.add(blob)))
            )
          const groups = Array.from({ length: 12 }, (_, n) => blobs.slice(n * 5, n * 5 + 5))
          yield* Effect.all(
            [
              Effect.forEach(blobs, upload, { concurrency: 8 }),
              // In both orders, so that purges and uploads would wait for each other in a circle if they locked in the order they are given.
              Effect.forEach([...groups, ...groups.map((some) => some.toReversed())], purge, { concurrency: 4 })
            ],
            { concurrency: 2 }
          )
          yield* purge(blobs)
          assert.deepStrictEqual(
            blobs.filter((blob) => referred.has(blob) === claimed.has(blob)),
            [],
            "a blob is lost, or kept without a reference"
          )
          yield* Effect.forEach(claimed, registry.removed)
        })
    )

    it.effect("a claim takes no more than its limit", () =>
      Effect.gen(function* () {
        const registry = yield* BlobRegistry
        const blobs = [fresh(), fresh(), fresh()]
        yield* registry.announce(blobs)
        const first = yield* registry.claim({ ...atOnce, limit: 2 })
        const second = yield* registry.claim({ ...atOnce, limit: 2 })
        assert.deepStrictEqual([first.length, second.length], [2, 1])
        assert.sameMembers([...first, ...second], blobs)
        yield* Effect.forEach(blobs, registry.removed)
      })
    )

    it.effect(
      "announcements, references and claims at once leave each blob either referred to or claimed (BLOB-6)",
      () =>
        Effect.gen(function* () {
          const registry = yield* BlobRegistry
          const blobs = Array.from({ length: 60 }, fresh)
          const referred = new Set<Sha256>()
          const claimed = new Set<Sha256>()
          const upload = (blob: Sha256) =>
            Effect.andThen(registry.announce([blob]), refer(freshText(), [blob])).pipe(
              Effect.andThen(Effect.sync(() => referred.add(blob))),
              Effect.ignore
            )
          const collect = Effect.tap(registry.claim(atOnce), (some) =>
            Effect.sync(() => some.forEach((blob) => claimed.add(blob)))
          )
          yield* Effect.all(
            [
              Effect.forEach(blobs, upload, { concurrency: 8 }),
              Effect.forEach(Array.from({ length: 40 }), () => collect, { concurrency: 2 })
            ],
            { concurrency: 2 }
          )
          yield* collect
          assert.deepStrictEqual(
            blobs.filter((blob) => referred.has(blob) === claimed.has(blob)),
            [],
            "a blob is lost, or kept without a reference"
          )
          yield* Effect.forEach(claimed, registry.removed)
        })
    )
  })
}
