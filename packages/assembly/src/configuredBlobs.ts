import { FolderBlobStore } from "@agent-marketplace/blobs/folder/FolderBlobStore"
import type { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import type { BlobsConfiguration } from "@agent-marketplace/settings/BlobsConfiguration"
import { DataFolderRefused } from "@agent-marketplace/settings/DataFolder"
import { Effect, Layer } from "effect"

/** Where a configuration keeps the bytes of releases (CONFIG-26). Provides nothing where the stores keep them themselves. */
export const configuredBlobs = (blobs: BlobsConfiguration): Layer.Layer<BlobStore, DataFolderRefused> | undefined => {
  switch (blobs._tag) {
    case "Storage":
      return undefined
    case "Folder":
      return FolderBlobStore.layer(blobs.path).pipe(
        Layer.catchTag("BlobFolderRefused", ({ message }) =>
          Layer.effectContext(Effect.fail(new DataFolderRefused({ message: `BLOB_FOLDER: ${message}.` })))
        )
      )
    case "S3":
      // Loaded only where it is used, because its HTTP client takes long to load.
      return Layer.unwrap(
        Effect.promise(async () => (await import("@agent-marketplace/blobs/s3/S3BlobStore")).S3BlobStore.layer(blobs))
      )
  }
}
