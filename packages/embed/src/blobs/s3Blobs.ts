import { blobsOf } from "./blobOptions.ts"
import type { MarketBlobs } from "./MarketBlobs.ts"

export interface S3BlobsOptions {
  /** The bucket. It is in the path of URLs. */
  readonly bucket: string
  /** A key that may read, write and delete objects and list the bucket. */
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Default `us-east-1`. */
  readonly region?: string | undefined
  /** The URL of a storage, without a path; default: Amazon's in the region. */
  readonly endpoint?: string | undefined
  /** What the key of every object starts with, such as `market/`; default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * Bytes of releases as objects in storage that is compatible with S3 (BLOB-11). Throws a `MarketplaceError` that names every invalid option; it
 * never contains the key.
 */
export const s3Blobs = (options: S3BlobsOptions): MarketBlobs =>
  blobsOf("s3", options, {
    bucket: "S3_BUCKET",
    accessKeyId: "S3_ACCESS_KEY_ID",
    secretAccessKey: "S3_SECRET_ACCESS_KEY",
    region: "S3_REGION",
    endpoint: "S3_ENDPOINT",
    prefix: "S3_PREFIX"
  })
