/**
 * The keys by which names that look alike are found. SQL cannot compute them: rows that exist get them when they are rendered again in the
 * background, and are not compared until then.
 */
export const names: ReadonlyArray<string> = [
  `ALTER TABLE souls ADD COLUMN name_keys text[]`,
  `CREATE INDEX souls_name_keys ON souls USING gin (name_keys) WITH (fastupdate = off)
    WHERE visibility = 'public' AND NOT deleted AND suspension IS NULL`,
  `ALTER TABLE listings ADD COLUMN name_keys text[]`,
  `CREATE INDEX listings_name_keys ON listings USING gin (name_keys) WITH (fastupdate = off) WHERE status = 'approved'`,
  // Popularity has an index already, so this one does not make a sale more expensive.
  `CREATE INDEX item_stats_popular ON item_stats (item_id) WHERE popularity >= 50`
]
