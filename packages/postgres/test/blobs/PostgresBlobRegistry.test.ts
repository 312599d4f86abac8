import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { blobRegistryContract } from "@agent-marketplace/testkit/blobs/BlobRegistryContract"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { randomBytes } from "node:crypto"
import { dropBlobReferences, referBlobs } from "../../src/blobs/referBlobs.ts"
import { Database } from "../../src/Database.ts"
import { testStores } from "../testStores.ts"

const fresh = (): Sha256 => Sha256.make(randomBytes(32).toString("hex"))

const atOnce = { unusedFor: 0, unfinishedFor: 3600, limit: 1000 } as const

/** How many statements wait for a lock. */
const waiting = Effect.flatMap(Database, ({ attempt, sql }) =>
  attempt(sql<{ readonly count: bigint }>`
    SELECT count(*) AS count FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      OR NOT granted AND locktype = 'transactionid'`)
)

blobRegistryContract("postgres", testStores, {
  refer: (owner, blobs) =>
    Effect.flatMap(Database, ({ sql, transaction }) => transaction(referBlobs(sql, owner, blobs))),
  drop: (owners) => Effect.flatMap(Database, ({ sql, transaction }) => transaction(dropBlobReferences(sql, owners)))
})

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("references in PostgreSQL", (it) => {
  it.effect(
    "a blob is not claimed while the transaction that refers to it is open, nor once it is committed (BLOB-6)",
    () =>
      Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const registry = yield* BlobRegistry
        const blob = fresh()
        yield* registry.announce([blob])
        const [referred, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        const upload = transaction(
          Effect.andThen(referBlobs(sql, "rel_open", [blob]), Effect.andThen(referred.open, end.await))
        )
        const fiber = yield* Effect.forkChild(upload)
        yield* referred.await
        assert.deepStrictEqual(yield* registry.claim(atOnce), [])
        yield* end.open
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(yield* registry.claim(atOnce), [])
      })
  )

  it.effect("a purge waits for the transaction that refers to a blob, and then keeps the blob (PURGE-9)", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const registry = yield* BlobRegistry
      const [blob, other] = [fresh(), fresh()]
      yield* registry.announce([blob, other])
      const [referred, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      const upload = yield* Effect.forkChild(
        transaction(Effect.andThen(referBlobs(sql, "rel_slow", [blob]), Effect.andThen(referred.open, end.await)))
      )
      yield* referred.await
      const purge = yield* Effect.forkChild(registry.claimUnused([blob, other]))
      yield* Effect.repeat(waiting, { until: ([row]) => (row?.count ?? 0n) >= 1n })
      yield* end.open
      yield* Fiber.join(upload)
      assert.deepStrictEqual(yield* Fiber.join(purge), { claimed: [other], removing: [] })
      yield* registry.removed(other)
    })
  )

  it.effect("a reference waits for a claim that has not ended, and is then refused (BLOB-6)", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const registry = yield* BlobRegistry
      const blob = fresh()
      yield* registry.announce([blob])
      const [claimed, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      // As a claim locks and removes it.
      const collection = transaction(
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM blobs WHERE sha256 = ${blob} FOR UPDATE`
          yield* claimed.open
          yield* end.await
          yield* sql`DELETE FROM blobs WHERE sha256 = ${blob}`
          yield* sql`INSERT INTO blob_removals (sha256, claimed_at) VALUES (${blob}, clock_timestamp())`
        })
      )
      const collecting = yield* Effect.forkChild(collection)
      yield* claimed.await
      const referring = yield* Effect.forkChild(Effect.flip(transaction(referBlobs(sql, "rel_late", [blob]))))
      const announcing = yield* Effect.forkChild(Effect.flip(registry.announce([blob])))
      yield* Effect.repeat(waiting, { until: ([row]) => (row?.count ?? 0n) >= 2n })
      yield* end.open
      yield* Fiber.join(collecting)
      assert.strictEqual((yield* Fiber.join(referring))._tag, "StoreUnavailable")
      assert.strictEqual((yield* Fiber.join(announcing))._tag, "StoreUnavailable")
    })
  )
})
