import type { ByteRange } from "@agent-marketplace/core/blobs/BlobStore"
import { BlobNotFound, BlobStore, longestPut, staleAfterMinutes } from "@agent-marketplace/core/blobs/BlobStore"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { verifiedBytes } from "@agent-marketplace/core/blobs/verifiedBytes"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import { Effect, Layer, Option, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { lstat, mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { makeHasher } from "../makeHasher.ts"
import { BlobFolderRefused, ownFolder, partsFolder } from "./ownFolder.ts"

const chunkBytes = 256 * 1024

/** Two digits of the digest name a folder, so that no folder has millions of entries. */
const pathOf = (folder: string, sha256: Sha256): string => join(folder, sha256.slice(0, 2), sha256)

/** The operating system's code alone: messages contain paths. */
const unavailable = (error: unknown): StoreUnavailable =>
  new StoreUnavailable({ cause: `the folder of blobs: ${(error as NodeJS.ErrnoException).code ?? "failed"}` })

const attempt = <A>(run: () => Promise<A>): StoreEffect<A> => Effect.tryPromise({ try: run, catch: unavailable })

/** None where there is no such file. */
const ifFound = <A>(run: () => Promise<A>): StoreEffect<Option.Option<A>> =>
  attempt(async () => {
    try {
      return Option.some(await run())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return Option.none()
      throw error
    }
  })

/** Makes the names in a folder outlast a power failure. */
const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const opened = (path: string, flags: number | string) =>
  Effect.acquireRelease(
    ifFound(() => open(path, flags, 0o600)),
    Option.match({ onNone: () => Effect.void, onSome: (handle) => Effect.promise(() => handle.close()) })
  )

/** Writes the part and syncs it. It gets the blob's name only then, so that a killed process leaves the whole blob or none. */
const write = <E>(folder: string, sha256: Sha256, bytes: Stream.Stream<Uint8Array, E>) => {
  const part = join(folder, partsFolder, randomUUID())
  const path = pathOf(folder, sha256)
  const filled = Effect.gen(function* () {
    const handle = yield* Effect.flatMap(opened(part, "wx"), (found) =>
      Effect.fromOption(found).pipe(Effect.mapError(() => unavailable({ code: "ENOENT" })))
    )
    yield* Stream.runForEach(bytes, (chunk) => attempt(() => handle.writeFile(chunk)))
    yield* attempt(() => handle.sync())
  }).pipe(Effect.scoped)
  const named = attempt(async () => {
    const parent = dirname(path)
    if ((await mkdir(parent, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(folder)
    await rename(part, path)
    await syncFolder(parent)
  })
  return Effect.andThen(filled, named).pipe(Effect.ensuring(Effect.ignore(attempt(() => rm(part, { force: true })))))
}

const readChunks = (handle: FileHandle, { end, start }: ByteRange): Stream.Stream<Uint8Array, StoreUnavailable> =>
  Stream.paginate(start, (position) =>
    Effect.map(
      attempt(async () => {
        const length = Math.min(chunkBytes, end - position)
        if (length <= 0) return new Uint8Array()
        const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, position)
        return buffer.subarray(0, bytesRead)
      }),
      (chunk) =>
        chunk.length === 0
          ? ([[], Option.none<number>()] as const)
          : ([[chunk], Option.some(position + chunk.length)] as const)
    )
  )

/** Parts of puts that ended long ago. */
const prune = async (folder: string): Promise<number> => {
  const parts = join(folder, partsFolder)
  const oldest = Date.now() - staleAfterMinutes * 60_000
  let count = 0
  for (const name of await readdir(parts)) {
    const path = join(parts, name)
    const info = await lstat(path).catch(() => undefined)
    if (info === undefined || info.mtimeMs > oldest) continue
    await rm(path, { force: true })
    count++
  }
  return count
}

const make = (folder: string): BlobStore["Service"] => {
  const stat = (sha256: Sha256) =>
    Effect.map(
      ifFound(() => lstat(pathOf(folder, sha256))),
      Option.flatMap((info) => (info.isFile() ? Option.some({ size: info.size }) : Option.none()))
    )
  return {
    put: Effect.fn("FolderBlobStore.put")(function* <E>(
      sha256: Sha256,
      size: number,
      bytes: Stream.Stream<Uint8Array, E>
    ) {
      const verified = verifiedBytes(sha256, size, bytes, makeHasher)
      const known = yield* stat(sha256)
      const isStored = Option.isSome(known) && known.value.size === size
      yield* Effect.timeoutOrElse(isStored ? Stream.runDrain(verified) : write(folder, sha256, verified), {
        duration: longestPut,
        orElse: () => Effect.fail(new StoreUnavailable({ cause: `the blob was not complete within ${longestPut}` }))
      })
    }),
    read: (sha256, range = { start: 0, end: Number.MAX_SAFE_INTEGER }) =>
      Stream.unwrap(
        Effect.map(
          opened(pathOf(folder, sha256), constants.O_RDONLY | constants.O_NOFOLLOW),
          Option.match({
            onNone: (): Stream.Stream<Uint8Array, BlobNotFound | StoreUnavailable> =>
              Stream.fail(new BlobNotFound({ sha256 })),
            onSome: (handle) => readChunks(handle, range)
          })
        )
      ),
    stat,
    remove: (sha256) =>
      Effect.map(
        ifFound(() => unlink(pathOf(folder, sha256))),
        Option.isSome
      ),
    prune: attempt(() => prune(folder)),
    check: attempt(async () => {
      const path = join(folder, partsFolder, randomUUID())
      const handle = await open(path, "wx", 0o600)
      try {
        await handle.writeFile("x")
      } finally {
        await handle.close()
        await rm(path, { force: true })
      }
    })
  }
}

/**
 * Blobs as files of a folder (BLOB-10), named by their digest, which only this user can read. Any number of processes may share the folder, also over a
 * network, if its file system renames atomically. Fails at the start with `BlobFolderRefused` if the folder contains other files.
 */
export const FolderBlobStore = {
  layer: (path: string): Layer.Layer<BlobStore, BlobFolderRefused> => {
    const folder = resolve(path)
    return Layer.effect(
      BlobStore,
      Effect.as(
        Effect.tryPromise({
          try: () => ownFolder(folder),
          catch: (error) =>
            error instanceof BlobFolderRefused
              ? error
              : new BlobFolderRefused({ message: `${folder} cannot be used: ${(error as Error).message}` })
        }),
        make(folder)
      )
    )
  }
}
