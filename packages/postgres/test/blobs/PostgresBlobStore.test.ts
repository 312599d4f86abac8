import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { blobStoreContract } from "@agent-marketplace/testkit/blobs/BlobStoreContract"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Database } from "../../src/Database.ts"
import { testStores } from "../testStores.ts"

blobStoreContract("postgres", testStores, { constantMemory: true })

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("blobs in PostgreSQL", (it) => {
  it.effect(
    "an upload that a killed process left behind is removed after an hour, a younger one remains (BLOB-5)",
    () =>
      Effect.gen(function* () {
        const { attempt, sql } = yield* Database
        const store = yield* BlobStore
        const [old, young] = [randomUUID(), randomUUID()]
        yield* attempt(sql`
        INSERT INTO blob_uploads (id, started_at)
        VALUES (${old}::uuid, clock_timestamp() - interval '61 minutes'), (${young}::uuid, clock_timestamp())`)
        yield* attempt(sql`
        INSERT INTO blob_chunks (upload, position, bytes) VALUES (${old}::uuid, 0, '\\x00'), (${young}::uuid, 0, '\\x00')`)
        assert.strictEqual(yield* store.prune, 1)
        const left = yield* attempt(sql<{ readonly upload: string }>`SELECT upload::text AS upload FROM blob_chunks`)
        assert.deepStrictEqual(left, [{ upload: young }])
      })
  )
})
