import { BlobNotFound, BlobStore, longestPut, staleAfterMinutes } from "@agent-marketplace/core/blobs/BlobStore"
import type { ByteRange } from "@agent-marketplace/core/blobs/BlobStore"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { verifiedBytes } from "@agent-marketplace/core/blobs/verifiedBytes"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Layer, Option, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { Database } from "../Database.ts"
import { chunksOfSize } from "./chunksOfSize.ts"

/** The size of every chunk of a blob but the last. Stored blobs depend on it, so it must never change. */
const chunkBytes = 256 * 1024

const makeHasher = () => {
  const hash = createHash("sha256")
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") }
}

interface ContentRow {
  readonly size: bigint
  readonly upload: string
}

const findContent = `SELECT size, upload::text AS upload FROM blob_contents WHERE sha256 = $1::text`

const readChunk = `SELECT bytes FROM blob_chunks WHERE upload = $1::uuid AND position = $2::int`

/** Another put of the same bytes may have been faster. */
const complete = `
  INSERT INTO blob_contents (sha256, size, upload) VALUES ($1::text, $2::bigint, $3::uuid)
  ON CONFLICT (sha256) DO NOTHING RETURNING sha256`

/** A blob of one chunk, in one statement. */
const writeSmall = `
  WITH content AS (
    INSERT INTO blob_contents (sha256, size, upload) VALUES ($1::text, $2::bigint, $3::uuid)
    ON CONFLICT (sha256) DO NOTHING RETURNING upload
  ), uploaded AS (INSERT INTO blob_uploads (id) SELECT upload FROM content RETURNING id)
  INSERT INTO blob_chunks (upload, position, bytes) SELECT id, 0, $4::bytea FROM uploaded`

const removeContent = `
  WITH removed AS (DELETE FROM blob_contents WHERE sha256 = $1::text RETURNING upload)
  DELETE FROM blob_uploads USING removed WHERE id = removed.upload RETURNING id`

const pruneUploads = `
  DELETE FROM blob_uploads WHERE started_at < clock_timestamp() - make_interval(mins => $1::int)
  AND NOT EXISTS (SELECT FROM blob_contents WHERE upload = blob_uploads.id) RETURNING id`

const tooSlow = () => Effect.fail(new StoreUnavailable({ cause: `the blob was not complete within ${longestPut}` }))

/** Writes the chunks of an upload, each with a statement of its own: a slow source holds no connection. */
const writing = ({ attempt, sql }: Database["Service"]) =>
  Effect.fnUntraced(function* <E>(sha256: Sha256, size: number, bytes: Stream.Stream<Uint8Array, E>) {
    const upload = randomUUID()
    const discard = attempt(sql`DELETE FROM blob_uploads WHERE id = ${upload}::uuid`)
    let position = 0
    const write = Effect.gen(function* () {
      yield* attempt(sql`INSERT INTO blob_uploads (id) VALUES (${upload}::uuid)`)
      yield* Stream.runForEach(chunksOfSize(chunkBytes)(bytes), (chunk) =>
        attempt(
          sql`INSERT INTO blob_chunks (upload, position, bytes) VALUES (${upload}::uuid, ${position++}::int, ${chunk}::bytea)`
        )
      )
      return (yield* attempt(sql.unsafe(complete, [sha256, BigInt(size), upload]))).length > 0
    })
    const completed = yield* Effect.onExit(write, (exit) =>
      exit._tag === "Success" ? Effect.void : Effect.ignore(discard)
    )
    if (!completed) yield* discard
  })

/**
 * Blobs in rows of 256 kB. Chunks are written one by one; the row that makes them a blob comes last. No connection is held between chunks, neither
 * by a slow put nor by a slow reader.
 */
export const PostgresBlobStore: { readonly layer: Layer.Layer<BlobStore, never, Database> } = {
  layer: Layer.effect(
    BlobStore,
    Effect.map(Database, (database) => {
      const { attempt, longTransaction, read, readList, sql } = database
      const find = (sha256: Sha256) =>
        Effect.map(read<ContentRow>(findContent, [sha256]), ([row]) => Option.fromUndefinedOr(row))
      const write = writing(database)
      const put = Effect.fn("PostgresBlobStore.put")(function* <E>(
        sha256: Sha256,
        size: number,
        bytes: Stream.Stream<Uint8Array, E>
      ) {
        const verified = verifiedBytes(sha256, size, bytes, makeHasher)
        if (size > 0 && size <= chunkBytes) return yield* writeOne(sha256, size, verified)
        const work = Option.isSome(yield* find(sha256)) ? Stream.runDrain(verified) : write(sha256, size, verified)
        yield* Effect.timeoutOrElse(work, { duration: longestPut, orElse: tooSlow })
      })
      const writeOne = Effect.fnUntraced(function* <E>(
        sha256: Sha256,
        size: number,
        bytes: Stream.Stream<Uint8Array, E>
      ) {
        const [chunk] = yield* Stream.runCollect(chunksOfSize(size)(bytes))
        yield* attempt(sql.unsafe(writeSmall, [sha256, BigInt(size), randomUUID(), chunk]))
      })
      const chunksFrom = (sha256: Sha256, { size, upload }: ContentRow, range: ByteRange) => {
        const end = Math.min(range.end, Number(size))
        return Stream.paginate(range.start, (start) => {
          if (start >= end) return Effect.succeed([[], Option.none<number>()] as const)
          const position = Math.floor(start / chunkBytes)
          const offset = position * chunkBytes
          return Effect.flatMap(
            readList<{ readonly bytes: Uint8Array }>(readChunk, [upload, position], true),
            ([row]) =>
              row === undefined
                ? Effect.fail(new BlobNotFound({ sha256 }))
                : Effect.succeed([
                    [row.bytes.subarray(start - offset, end - offset)],
                    Option.some(offset + chunkBytes)
                  ] as const)
          )
        })
      }
      return {
        put,
        read: (sha256, range = { start: 0, end: Number.MAX_SAFE_INTEGER }) =>
          Stream.unwrap(
            Effect.map(
              find(sha256),
              Option.match({
                onNone: () => Stream.fail(new BlobNotFound({ sha256 })),
                onSome: (content) => chunksFrom(sha256, content, range)
              })
            )
          ),
        stat: (sha256) =>
          Effect.map(
            find(sha256),
            Option.map(({ size }) => ({ size: Number(size) }))
          ),
        remove: (sha256) => Effect.map(attempt(sql.unsafe(removeContent, [sha256])), (rows) => rows.length > 0),
        prune: Effect.map(longTransaction(sql.unsafe(pruneUploads, [staleAfterMinutes])), (rows) => rows.length),
        // `StoreHealth` checks the database.
        check: Effect.void
      }
    })
  )
}
