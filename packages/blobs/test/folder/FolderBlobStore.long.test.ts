import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { blobStoreContract } from "@agent-marketplace/testkit/blobs/BlobStoreContract"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { FolderBlobStore } from "../../src/folder/FolderBlobStore.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "blobs-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

blobStoreContract(
  "folder",
  Layer.unwrap(Effect.map(temporary, (folder) => FolderBlobStore.layer(join(folder, "of", "blobs")))),
  { constantMemory: true }
)

const inFolder = <A, E>(folder: string, effect: Effect.Effect<A, E, BlobStore>) =>
  Effect.provide(effect, Layer.fresh(FolderBlobStore.layer(folder)))

const blob = (size: number) => {
  const bytes = randomBytes(size)
  return { bytes, size, sha256: Sha256.make(createHash("sha256").update(bytes).digest("hex")) }
}

const putBlob = ({ bytes, sha256, size }: ReturnType<typeof blob>) =>
  Effect.flatMap(BlobStore, (store) => store.put(sha256, size, Stream.make(bytes)))

const refusal = (folder: string) =>
  Effect.map(
    Effect.flip(
      inFolder(
        folder,
        Effect.flatMap(BlobStore, ({ check }) => check)
      )
    ),
    (error) => (error._tag === "BlobFolderRefused" ? error.message : error._tag)
  )

describe("a folder of blobs", () => {
  it.live("is readable by its user only, with files under two digits of their digest (BLOB-10)", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const one = blob(1000)
      yield* inFolder(folder, putBlob(one))
      const mode = (path: string) => Effect.promise(async () => (await stat(path)).mode & 0o777)
      const shard = join(folder, one.sha256.slice(0, 2))
      assert.deepStrictEqual(
        [yield* mode(folder), yield* mode(shard), yield* mode(join(shard, one.sha256))],
        [0o700, 0o700, 0o600]
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(folder, "parts"))), [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "refuses a folder with other files, a link, a changed marker, and one that everybody may write to (BLOB-10)",
    () =>
      Effect.gen(function* () {
        const parent = yield* temporary
        const [foreign, link, open, changed] = ["foreign", "link", "open", "changed"].map((name) =>
          join(parent, name)
        ) as [string, string, string, string]
        yield* Effect.promise(async () => {
          for (const each of [foreign, open, changed]) await mkdir(each)
          await writeFile(join(foreign, "notes.txt"), "mine")
          await symlink(foreign, link)
          await writeFile(join(changed, "agent-marketplace-blobs"), "something else")
        })
        yield* inFolder(open, putBlob(blob(1)))
        yield* Effect.promise(() => chmod(open, 0o777))
        assert.include(yield* refusal(foreign), "contains notes.txt, which is no blob")
        assert.include(yield* refusal(link), "is a link or a file")
        assert.include(yield* refusal(open), "every user may write")
        assert.include(yield* refusal(changed), "was changed")
        assert.include(yield* refusal(join(foreign, "notes.txt", "below")), "cannot be used")
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(foreign)), ["notes.txt"])
      }).pipe(Effect.scoped)
  )

  it.live("is unavailable while the folder is away, and works again when it is back (BLOB-7)", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "blobs")
      yield* inFolder(
        folder,
        Effect.gen(function* () {
          const store = yield* BlobStore
          yield* Effect.promise(() => rm(folder, { recursive: true }))
          assert.strictEqual((yield* Effect.flip(store.check))._tag, "StoreUnavailable")
          assert.strictEqual((yield* Effect.flip(putBlob(blob(10))))._tag, "StoreUnavailable")
          yield* Effect.promise(() => mkdir(join(folder, "parts"), { recursive: true }))
          yield* store.check
          yield* putBlob(blob(10))
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("parts of killed puts are removed after an hour, younger ones stay (BLOB-5)", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      yield* inFolder(folder, putBlob(blob(10)))
      const parts = join(folder, "parts")
      yield* Effect.promise(async () => {
        await writeFile(join(parts, "old"), "half")
        await writeFile(join(parts, "young"), "half")
        const { mtimeMs } = await stat(join(parts, "old"))
        await utimes(join(parts, "old"), mtimeMs / 1000 - 3660, mtimeMs / 1000 - 3660)
      })
      assert.strictEqual(
        yield* inFolder(
          folder,
          Effect.flatMap(BlobStore, ({ prune }) => prune)
        ),
        1
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(parts)), ["young"])
    }).pipe(Effect.scoped)
  )

  it.live("two processes that are killed while they store the same blobs leave each whole or not at all (BLOB-2)", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "blobs")
      const program = fileURLToPath(new URL("../fixtures/storeForever.ts", import.meta.url))
      for (let round = 0; round < 3; round++)
        yield* Effect.promise(async () => {
          const children = [0, 1].map(() =>
            spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] })
          )
          await Promise.all(children.map((child) => once(child.stdout, "data")))
          for (const child of children) child.kill("SIGKILL")
          await Promise.all(children.map((child) => once(child, "exit")))
        })
      const stored = yield* Effect.promise(async () => {
        const names = await readdir(folder, { recursive: true })
        return names.filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{64}$/.test(name)).map((name) => name.slice(3))
      })
      assert.isNotEmpty(stored)
      yield* inFolder(
        folder,
        Effect.gen(function* () {
          const store = yield* BlobStore
          for (const name of stored) {
            const bytes = Buffer.concat(yield* Stream.runCollect(store.read(Sha256.make(name))))
            assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), name)
          }
        })
      )
    }).pipe(Effect.scoped)
  )
})
