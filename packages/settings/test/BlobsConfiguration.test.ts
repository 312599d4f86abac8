import { Redacted, Result } from "effect"
import { assert, describe, it } from "vitest"
import { readConfiguration } from "../src/Configuration.ts"

const read = (env: Readonly<Record<string, string>>) =>
  Result.match(readConfiguration(env), { onFailure: ({ faults }) => faults, onSuccess: ({ blobs }) => blobs })

const bucket = { BLOBS: "s3", S3_BUCKET: "my-bucket", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "a-secret-value" }

describe("where blobs are kept (CONFIG-26)", () => {
  it("is with everything else, in a folder, or in a bucket", () => {
    assert.deepStrictEqual(read({}), { _tag: "Storage" })
    assert.deepStrictEqual(read({ BLOBS: "postgres" }), { _tag: "Storage" })
    assert.deepStrictEqual(read({ STORAGE: "memory" }), { _tag: "Storage" })
    assert.deepStrictEqual(read({ BLOBS: "folder", BLOB_FOLDER: "/srv/blobs" }), { _tag: "Folder", path: "/srv/blobs" })
    const found = {
      _tag: "S3",
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      bucket: "my-bucket",
      prefix: "market/",
      accessKeyId: "key",
      secretAccessKey: Redacted.make("a-secret-value")
    }
    assert.deepStrictEqual(read({ ...bucket, S3_REGION: "eu-central-1", S3_PREFIX: "market/" }), found as never)
    const own = read({ ...bucket, S3_ENDPOINT: "http://minio:9000/" })
    assert.deepInclude(own, { endpoint: "http://minio:9000", region: "us-east-1", prefix: "" })
  })

  it("reports every fault together, without the secret", () => {
    assert.deepStrictEqual(read({ BLOBS: "disk" }), ["BLOBS must be one of postgres, folder, s3"])
    assert.deepStrictEqual(read({ BLOBS: "folder" }), ["BLOB_FOLDER must be set with BLOBS=folder"])
    assert.deepStrictEqual(read({ BLOBS: "s3" }), [
      "S3_BUCKET must be set with BLOBS=s3",
      "S3_ACCESS_KEY_ID must be set with BLOBS=s3",
      "S3_SECRET_ACCESS_KEY must be set with BLOBS=s3"
    ])
    assert.deepStrictEqual(read({ BLOB_FOLDER: "/srv/blobs", S3_REGION: "eu-central-1" }), [
      "BLOBS must be folder with BLOB_FOLDER",
      "BLOBS must be s3 with S3_REGION"
    ])
    const faults = read({
      ...bucket,
      S3_BUCKET: "My Bucket",
      S3_ENDPOINT: "https://user:password@storage.example/path",
      S3_PREFIX: "../x",
      S3_REGION: "EU",
      S3_SECRET_ACCESS_KEY: "with a space"
    }) as ReadonlyArray<string>
    assert.deepStrictEqual(
      faults.map((fault) => fault.split(" ", 1)[0]),
      ["S3_REGION", "S3_ENDPOINT", "S3_BUCKET", "S3_PREFIX", "S3_SECRET_ACCESS_KEY"]
    )
    assert.notInclude(faults.join(), "with a space")
    assert.deepStrictEqual(read({ STORAGE: "memory", BLOBS: "folder", BLOB_FOLDER: "/srv/blobs" }), [
      "BLOBS must not be folder or s3 with STORAGE=memory: nothing would refer to the bytes after a restart"
    ])
  })
})
