import { Redacted, Result } from "effect"
import type { Optional } from "./SignerConfiguration.ts"

/** Where the bytes of releases are kept (CONFIG-26). */
export type BlobsConfiguration =
  /** With everything else: in the database, or in memory. */
  | { readonly _tag: "Storage" }
  | { readonly _tag: "Folder"; readonly path: string }
  | {
      readonly _tag: "S3"
      readonly endpoint: string
      readonly region: string
      readonly bucket: string
      readonly prefix: string
      readonly accessKeyId: string
      readonly secretAccessKey: Redacted.Redacted
    }

export const blobsWithStorage: BlobsConfiguration = { _tag: "Storage" }

type Read<A> = (value: string) => Result.Result<A, string>

const matching =
  (pattern: RegExp, rule: string): Read<string> =>
  (value) =>
    pattern.test(value) ? Result.succeed(value) : Result.fail(rule)

const place: Read<"postgres" | "folder" | "s3"> = (value) =>
  value === "postgres" || value === "folder" || value === "s3"
    ? Result.succeed(value)
    : Result.fail("must be one of postgres, folder, s3")

const path = matching(/^[^\0]{1,4096}$/, "must be the path of a folder, of at most 4096 characters")

/** Without credentials, path and query, because the bucket becomes the path. */
const endpoint: Read<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isBase = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  return isBase
    ? Result.succeed(url.origin)
    : Result.fail("must be a URL without a path, such as https://s3.eu-central-1.amazonaws.com")
}

const region = matching(/^[a-z0-9-]{1,64}$/, "must be the name of a region, such as eu-central-1")
const bucket = matching(
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens"
)
const prefix = matching(/^(?:[\w.-]{1,64}\/){1,8}$/, "must be names that each end in /, such as market/blobs/")
const accessKey = matching(/^[\x21-\x7e]{1,256}$/, "must have at most 256 visible characters")

const secret: Read<Redacted.Redacted> = (value) =>
  /^[\x21-\x7e]{1,1024}$/.test(value)
    ? Result.succeed(Redacted.make(value))
    : Result.fail("must have at most 1024 visible characters")

/** Reads `BLOBS`, and `BLOB_FOLDER` or the variables of S3 that belong to it. */
export const readBlobs = (optional: Optional, fault: (sentence: string) => void): BlobsConfiguration => {
  const given = new Set<string>()
  const read = <A>(name: string, rule: Read<A>): A | undefined =>
    optional(name, (value) => {
      given.add(name)
      return rule(value)
    })
  const where = read("BLOBS", place)
  const folder = read("BLOB_FOLDER", path)
  const s3 = {
    region: read("S3_REGION", region),
    endpoint: read("S3_ENDPOINT", endpoint),
    bucket: read("S3_BUCKET", bucket),
    prefix: read("S3_PREFIX", prefix) ?? "",
    accessKeyId: read("S3_ACCESS_KEY_ID", accessKey),
    secretAccessKey: read("S3_SECRET_ACCESS_KEY", secret)
  }
  // A wrong BLOBS is reported by itself.
  if (where === undefined && given.has("BLOBS")) return blobsWithStorage
  const required = {
    postgres: [],
    folder: ["BLOB_FOLDER"],
    s3: ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]
  }
  for (const name of required[where ?? "postgres"])
    if (!given.has(name)) fault(`${name} must be set with BLOBS=${where}`)
  if (given.has("BLOB_FOLDER") && where !== "folder") fault("BLOBS must be folder with BLOB_FOLDER")
  if (where !== "s3") for (const name of given) if (name.startsWith("S3_")) fault(`BLOBS must be s3 with ${name}`)
  if (where === "folder" && folder !== undefined) return { _tag: "Folder", path: folder }
  const { accessKeyId, bucket: name, endpoint: base, region: area = "us-east-1", secretAccessKey } = s3
  if (where !== "s3" || name === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return blobsWithStorage
  return {
    _tag: "S3",
    endpoint: base ?? `https://s3.${area}.amazonaws.com`,
    region: area,
    bucket: name,
    prefix: s3.prefix,
    accessKeyId,
    secretAccessKey
  }
}
