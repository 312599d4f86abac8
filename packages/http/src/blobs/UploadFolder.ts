import { PayloadTooLarge, UnsupportedMediaType } from "@agent-marketplace/api/errors/HttpFault"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect, FileSystem, Layer, Stream } from "effect"
import type { PlatformError, Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { createHash, hash } from "node:crypto"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { mediaTypeOf } from "../edge/RequestBody.ts"

/** How long a client may take to send a body. */
const patience = "5 minutes"

/** A folder of another machine is considered abandoned at this age, in milliseconds: far more than `patience`. */
const abandonedAfter = 3_600_000

/** The allowed size and media types of a body. */
export interface UploadRules {
  readonly maxBytes: number
  /** Without parameters, lower case: `application/zip`. */
  readonly mediaTypes: ReadonlyArray<string>
}

/** A body that was received completely. */
export interface Upload {
  readonly sha256: Sha256
  /** In bytes, at least 1. */
  readonly size: number
  readonly mediaType: string
  /** Starts at the first byte each time it is run. */
  readonly bytes: Stream.Stream<Uint8Array>
}

const invalid = (message: string) => new ValidationFailed({ issues: [{ path: "body", message }] })

/** For example because the disk is full. */
const unavailable = (cause: PlatformError.PlatformError) => new StoreUnavailable({ cause })

const folderPrefix = "agent-marketplace-uploads-"
/** Process ids are only unique within one machine or container. */
const machine = hash("sha256", hostname()).slice(0, 8)

const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Whether the process that made the folder has ended. A folder whose name is not ours is never touched. */
const isAbandoned = (name: string, age: number): boolean => {
  const [, host, pid] = /^agent-marketplace-uploads-([0-9a-f]{8})-(\d+)-/.exec(name) ?? []
  if (host === undefined) return false
  return host === machine ? !isRunning(Number(pid)) : age > abandonedAfter
}

/** Removes the folders of killed processes. Folders of other users and links are not touched. */
const removeAbandoned = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, parent: string) {
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  for (const name of (yield* fs.readDirectory(parent)).filter((each) => each.startsWith(folderPrefix))) {
    const path = join(parent, name)
    const isLink = yield* Effect.isSuccess(fs.readLink(path))
    if (isLink) continue
    const info = yield* fs.stat(path)
    const age = now - (info.mtime._tag === "Some" ? info.mtime.value.getTime() : now)
    if (info.type === "Directory" && isAbandoned(name, age)) yield* fs.remove(path, { recursive: true })
  }
})

/** Checks the headers before the body is read. A compressed body is refused, because its digest would differ from that of its content. */
const refusal = (request: HttpServerRequest.HttpServerRequest, { maxBytes, mediaTypes }: UploadRules) => {
  const mediaType = mediaTypeOf(request)
  const encoding = request.headers["content-encoding"] ?? "identity"
  if (mediaType === undefined || !mediaTypes.includes(mediaType) || encoding.trim().toLowerCase() !== "identity")
    return Effect.fail(new UnsupportedMediaType({ allowed: mediaTypes }))
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
  return Effect.succeed(mediaType)
}

const make = Effect.fnUntraced(function* (parent: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.ignore(removeAbandoned(fs, parent))
  const folder = yield* fs
    .makeTempDirectoryScoped({ directory: parent, prefix: `${folderPrefix}${machine}-${process.pid}-` })
    .pipe(Effect.orDie)
  let count = 0

  const write = Effect.fnUntraced(function* (
    path: string,
    { maxBytes }: UploadRules,
    body: HttpServerRequest.HttpServerRequest["stream"]
  ) {
    const file = yield* Effect.mapError(fs.open(path, { flag: "wx", mode: 0o600 }), unavailable)
    const digest = createHash("sha256")
    let size = 0
    const take = (chunk: Uint8Array): Effect.Effect<void, PayloadTooLarge | StoreUnavailable> => {
      size += chunk.length
      if (size > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
      digest.update(chunk)
      return Effect.mapError(file.writeAll(chunk), unavailable)
    }
    yield* Stream.runForEach(
      Stream.mapError(body, () => invalid("ended early")),
      take
    )
    return size === 0 ? yield* invalid("must not be empty") : { sha256: Sha256.make(digest.digest("hex")), size }
  }, Effect.scoped)

  return {
    receive: Effect.fn("UploadFolder.receive")(function* (
      request: HttpServerRequest.HttpServerRequest,
      rules: UploadRules
    ) {
      const mediaType = yield* refusal(request, rules)
      const path = join(folder, String(++count))
      yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(path, { force: true })))
      const received = yield* write(path, rules, request.stream).pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.fail(invalid(`must be sent within ${patience}`))
        })
      )
      return { ...received, mediaType, bytes: Stream.orDie(fs.stream(path)) }
    })
  }
})

/**
 * Receives bodies that are too large for memory (BLOB-8): each is written to a file of its own while its digest is computed, with the memory of a
 * few chunks. The files are in a folder that only this user can read; it is removed when the layer closes. Folders of killed processes are removed
 * when the layer is built.
 */
export class UploadFolder extends Context.Service<
  UploadFolder,
  {
    /**
     * The body of the request, whatever its length header says. Its file is removed when the scope closes, also if the body ended early or took
     * longer than five minutes. Fails as soon as there are more than `maxBytes`, and for another media type or a `Content-Encoding` before it reads
     * anything.
     */
    readonly receive: (
      request: HttpServerRequest.HttpServerRequest,
      rules: UploadRules
    ) => Effect.Effect<
      Upload,
      PayloadTooLarge | UnsupportedMediaType | ValidationFailed | StoreUnavailable,
      Scope.Scope
    >
  }
>()("@agent-marketplace/http/blobs/UploadFolder") {
  /** In `parent`, by default the system's folder for temporary files. */
  static readonly layer = (parent: string = tmpdir()): Layer.Layer<UploadFolder, never, FileSystem.FileSystem> =>
    Layer.effect(UploadFolder, make(parent))
}
