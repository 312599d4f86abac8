import { bytesPurged, purgedScan } from "@agent-marketplace/core/releases/Purge"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import {
  newRelease,
  releaseFiles,
  releaseFrontMatter,
  scanOfLevel,
  storedRelease
} from "@agent-marketplace/testkit/fixtures/release"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Option, Result } from "effect"
import { Database } from "../../src/Database.ts"
import { modifyItemReleases } from "../../src/releases/modifyItemReleases.ts"
import { testStores } from "../testStores.ts"

/** How many statements wait for an advisory lock. */
const waiting = Effect.flatMap(Database, ({ attempt, sql }) =>
  attempt(sql<{ readonly count: bigint }>`
    SELECT count(*) AS count FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
)

const listing = Effect.flatMap(openAccount(), (creator) => listingOnSale(creator))

/** Purges the only release of an item, and commits when `end` is opened. */
const purgeUntil = Effect.fnUntraced(function* (release: ReleaseHead, purged: Latch.Latch, end: Latch.Latch) {
  const { sql, transaction } = yield* Database
  const marked: ReleaseHead = { ...release, status: "quarantined", decidedBy: "operator", purgedAt: 9_000 }
  const change = modifyItemReleases(sql, release.itemId, () =>
    Result.succeed({ changed: [marked], purged: [release.id] })
  )
  yield* transaction(Effect.andThen(change, Effect.andThen(purged.open, end.await)))
})

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("purges in PostgreSQL", (it) => {
  it.effect(
    "an upload and a scan of the same bytes wait for a purge that has not ended: the upload is refused, and the scan keeps no evidence (PURGE-6, PURGE-9)",
    () =>
      Effect.gen(function* () {
        const store = yield* ReleaseStore
        const [one, other] = [yield* listing, yield* listing]
        const release = yield* storedRelease(one.id, "clean")
        const copy = yield* newRelease(other.id, { sha256: release.sha256 })
        const [purged, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        const purge = yield* Effect.forkChild(purgeUntil(release, purged, end))
        yield* purged.await
        const added = { ...copy, files: releaseFiles, frontMatter: releaseFrontMatter }
        const upload = yield* Effect.forkChild(Effect.flip(store.upload(other.id, () => Result.succeed({ added }))))
        const late = scanOfLevel("block", "2026.12.1")
        const scan = yield* Effect.forkChild(store.keepScan(release.sha256, late))
        yield* Effect.repeat(waiting, { until: ([row]) => (row?.count ?? 0n) >= 2n })
        yield* end.open
        yield* Fiber.join(purge)
        assert.deepStrictEqual(yield* Fiber.join(upload), bytesPurged)
        assert.deepStrictEqual(yield* Fiber.join(scan), purgedScan(late))
        assert.deepStrictEqual(yield* store.find(other.id, copy.version), Option.none())
      })
  )
})
