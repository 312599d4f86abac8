import type { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import type { Layer } from "effect"

/** Where a market stores the bytes of releases (EMBED-11): `folderBlobs({ path })`, `s3Blobs({ … })`, or an adapter of your own. */
export interface MarketBlobs {
  /** A failure of the layer prevents the start of the market. */
  readonly layer: Layer.Layer<BlobStore, { readonly message: string }>
}
