import { BlobRemoved } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/**
 * Records, in one step, that the record `owner` refers to the blobs (BLOB-6). Fails if one of them was announced so long ago that it may be removed,
 * or was purged: the upload must be repeated.
 */
export const referBlobs = (
  tables: MarketTables,
  owner: string,
  blobs: ReadonlyArray<Sha256>
): Effect.Effect<void, StoreUnavailable> =>
  Effect.suspend(() => {
    if (blobs.some((blob) => !tables.announcedBlobs.has(blob)))
      return Effect.fail(new StoreUnavailable({ cause: new BlobRemoved({ owner }) }))
    for (const blob of blobs) Index.add(tables.blobReferences, blob, owner)
    return Effect.void
  })

/** Removes the references of these records, and makes the blobs that have none left due for garbage collection at once (PURGE-2, PURGE-3). */
export const dropBlobReferences = (tables: MarketTables, owners: ReadonlyArray<string>): void => {
  for (const [blob, referring] of tables.blobReferences) {
    const had = referring.size
    for (const owner of owners) referring.delete(owner)
    if (had > 0 && referring.size === 0 && tables.announcedBlobs.has(blob)) tables.announcedBlobs.set(blob, 0)
  }
}
