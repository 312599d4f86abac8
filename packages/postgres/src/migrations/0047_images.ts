/** The pictures of listings. Their bytes are blobs. */
export const images: ReadonlyArray<string> = [
  `CREATE TABLE item_images (
    id text PRIMARY KEY,
    item_id text NOT NULL REFERENCES listings (id),
    kind text NOT NULL CHECK (kind IN ('thumbnail', 'screenshot')),
    position int NOT NULL CHECK (position >= 0),
    alt text NOT NULL CHECK (char_length(alt) <= 200),
    source text NOT NULL,
    "full" json NOT NULL,
    small json NOT NULL,
    digests text[] NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (item_id, kind, source)
  )`,
  `CREATE UNIQUE INDEX item_images_thumbnail ON item_images (item_id) WHERE kind = 'thumbnail'`,
  `CREATE INDEX item_images_by_digest ON item_images USING gin (digests)`
]
