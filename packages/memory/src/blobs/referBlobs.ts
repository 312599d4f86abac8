import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/**
 * Records, in one step, that the record `owner` refers to the blobs (BLOB-6). Fails if one of them was announced so long ago that it may be removed:
 * the upload must be repeated.
 */
export const referBlobs = (
  tables: MarketTables,
  owner: string,
  blobs: ReadonlyArray<Sha256>
): Effect.Effect<void, StoreUnavailable> =>
  Effect.suspend(() => {
    if (blobs.some((blob) => !tables.announcedBlobs.has(blob)))
      return Effect.fail(
        new StoreUnavailable({ cause: `a blob of ${owner} was removed, because its upload took too long` })
      )
    for (const blob of blobs) Index.add(tables.blobReferences, blob, owner)
    return Effect.void
  })
