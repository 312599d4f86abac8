import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Clock, Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemoryBlobRegistry: { readonly layer: Layer.Layer<BlobRegistry, never, MemoryMarket> } = {
  layer: Layer.effect(
    BlobRegistry,
    Effect.map(MemoryMarket, ({ tables: { announcedBlobs, blobReferences, blobRemovals } }) => ({
      announce: (blobs) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (blobs.some((blob) => blobRemovals.has(blob)))
            return Effect.fail(new StoreUnavailable({ cause: "the same bytes are being removed" }))
          for (const blob of blobs) announcedBlobs.set(blob, now)
          return Effect.void
        }),
      claim: ({ limit, unfinishedFor, unusedFor }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const olderThan = (blobs: ReadonlyMap<Sha256, Timestamp>, seconds: number) =>
            [...blobs].filter(([, at]) => at <= now - seconds * Timestamp.second).map(([blob]) => blob)
          const again = olderThan(blobRemovals, unfinishedFor)
          const garbage = olderThan(announcedBlobs, unusedFor).filter(
            (blob) => (blobReferences.get(blob)?.size ?? 0) === 0
          )
          const claimed = [...again, ...garbage].slice(0, limit)
          for (const blob of claimed) {
            announcedBlobs.delete(blob)
            blobRemovals.set(blob, now)
          }
          return claimed
        }),
      claimUnused: (blobs) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const unused = blobs.filter((blob) => (blobReferences.get(blob)?.size ?? 0) === 0)
          const [removing, claimed] = [
            unused.filter((blob) => blobRemovals.has(blob)),
            unused.filter((blob) => !blobRemovals.has(blob))
          ]
          for (const blob of claimed) {
            announcedBlobs.delete(blob)
            blobRemovals.set(blob, now)
          }
          return { claimed, removing }
        }),
      removed: (blob) => Effect.sync(() => void blobRemovals.delete(blob))
    }))
  )
}
