/** The bytes of blobs, in chunks of the size of `chunkBytes`. Chunks belong to an upload, which becomes a blob once all of them are verified. */
export const blobs: ReadonlyArray<string> = [
  `CREATE TABLE blob_uploads (
    id uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX blob_uploads_by_start ON blob_uploads (started_at)`,
  `CREATE TABLE blob_contents (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size bigint NOT NULL CHECK (size >= 0),
    upload uuid NOT NULL CONSTRAINT blob_contents_upload UNIQUE REFERENCES blob_uploads (id)
  )`,
  `CREATE TABLE blob_chunks (
    upload uuid NOT NULL CONSTRAINT blob_chunks_upload REFERENCES blob_uploads (id) ON DELETE CASCADE,
    position int NOT NULL CHECK (position >= 0),
    bytes bytea NOT NULL,
    PRIMARY KEY (upload, position)
  )`,
  // Archives are compressed already.
  `ALTER TABLE blob_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
]
