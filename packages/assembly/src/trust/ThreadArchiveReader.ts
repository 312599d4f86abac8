import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { ArchiveInvalid, ArchiveReader } from "@agent-marketplace/core/releases/ArchiveReader"
import type { UnpackedArchive } from "@agent-marketplace/core/releases/ArchiveReader"
import type { ReleaseMediaType } from "@agent-marketplace/core/releases/Release"
import { Effect, Layer, Stream } from "effect"
import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeThreads } from "./makeThreads.ts"
import type { UnpackReply } from "./ThreadTask.ts"

/** Shared by all markets of the process. */
const threads = makeThreads({ seconds: 30, heap: 512 })

const bytesOf = (path: string): Stream.Stream<Uint8Array> =>
  Stream.orDie(
    Stream.fromAsyncIterable<Uint8Array, unknown>(
      { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() },
      (error) => error
    )
  )

/** Removed with everything in it when the scope closes. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "agent-marketplace-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const save = (archive: Stream.Stream<Uint8Array>, path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* Effect.acquireRelease(
        Effect.promise(() => open(path, "wx", 0o600)),
        (opened) => Effect.promise(() => opened.close())
      )
      yield* Stream.runForEach(archive, (chunk) => Effect.promise(() => file.writeFile(chunk)))
    })
  )

const unpacked = Effect.fnUntraced(function* (
  folder: string,
  path: string,
  mediaType: ReleaseMediaType
): Effect.fn.Return<UnpackedArchive, ArchiveInvalid> {
  const target = join(folder, "files")
  yield* Effect.promise(() => mkdir(target, { mode: 0o700 }))
  const format = mediaType === "application/zip" ? "zip" : "tar"
  const reply = yield* threads
    .run<UnpackReply>({ _tag: "Unpack", path, folder: target, format })
    .pipe(Effect.mapError(({ reason }) => new ArchiveInvalid({ message: `could not be unpacked: ${reason}` })))
  if (reply._tag === "Refused") return yield* new ArchiveInvalid({ message: reply.message })
  return {
    version: reply.version,
    frontMatter: reply.frontMatter,
    files: reply.files.map(({ sha256, ...file }, position) => ({
      ...file,
      sha256: sha256 as Sha256,
      bytes: bytesOf(join(target, String(position)))
    }))
  }
})

/** Unpacks archives in a worker thread, into a temporary folder (RELEASE-4, RELEASE-5). */
export const ThreadArchiveReader = {
  layer: Layer.succeed(ArchiveReader, {
    unpack: Effect.fn("ArchiveReader.unpack")(function* (
      archive: Stream.Stream<Uint8Array>,
      mediaType: ReleaseMediaType
    ) {
      const folder = yield* temporaryFolder
      const path = join(folder, "archive")
      yield* save(archive, path)
      return yield* unpacked(folder, path, mediaType)
    })
  })
}
