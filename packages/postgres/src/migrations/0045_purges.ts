/** Releases whose bytes an operator purged; uploads of the same bytes are refused. */
export const purges: ReadonlyArray<string> = [
  `ALTER TABLE releases ADD COLUMN purged_at timestamptz`,
  `ALTER TABLE releases ADD CONSTRAINT releases_purged CHECK (purged_at IS NULL OR status = 'quarantined')`,
  `CREATE INDEX releases_purged_digests ON releases (sha256) WHERE purged_at IS NOT NULL`
]
