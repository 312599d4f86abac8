/**
 * Which blobs are in use, wherever their bytes are kept. A reference locks its blob's row, so that garbage collection cannot remove the row
 * before the transaction ends.
 */
export const blobReferences: ReadonlyArray<string> = [
  `CREATE TABLE blobs (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    announced_at timestamptz NOT NULL
  )`,
  `CREATE INDEX blobs_by_announcement ON blobs (announced_at)`,
  `CREATE TABLE blob_references (
    -- The id of the record that refers to the blob.
    owner text NOT NULL,
    sha256 text NOT NULL CONSTRAINT blob_references_blob REFERENCES blobs (sha256),
    PRIMARY KEY (owner, sha256)
  )`,
  `CREATE INDEX blob_references_of_blob ON blob_references (sha256)`,
  `CREATE TABLE blob_removals (
    sha256 text PRIMARY KEY,
    claimed_at timestamptz NOT NULL
  )`,
  `CREATE INDEX blob_removals_by_claim ON blob_removals (claimed_at)`
]
