import type { Client } from "pg"

/** The shard of the n-th listing, as SearchVector spreads them. */
const shard = `CASE WHEN n % 1024 = 0 THEN 5 WHEN n % 1024 < 4 THEN 4 WHEN n % 1024 < 16 THEN 3 WHEN n % 1024 < 64 THEN 2
  WHEN n % 1024 < 256 THEN 1 ELSE 0 END`

/**
 * `common` is in every second description and in 1 name of 20, `rare7` and the like in 1 listing of 5,000, `珍しい7` in 1 of 3,000,
 * `incomprehensibilities` in 1 of 7 and `incomprehensibility` in all others.
 */
const statements = (count: number): ReadonlyArray<string> => [
  "DROP INDEX listing_facets_words, listing_facets_prefixes",
  `CREATE TEMP TABLE made AS
    SELECT n, 'lst_' || lpad(n::text, 9, '0') AS id, n % 20 <> 19 AS approved, (${shard})::text AS shard,
      ('{productivity,automation,creative,data,communication,development,analytics,security,other}'::text[])[n % 9 + 1] AS category,
      (hashint4(n) & 1023) * 10000::bigint AS price, CASE n % 16 WHEN 3 THEN 'USDT' WHEN 11 THEN 'USDC' ELSE 'USD' END AS currency, n % 100 = 1 AS featured, '2025-01-01Z'::timestamptz + n * interval '1 minute' AS at,
      ARRAY['tag' || n % 50, 'odd' || n % 7919] AS tags, 'usr_' || n % 1000 AS creator_id,
      (hashint4(n) >> 4) & 255 AS sales, CASE WHEN n % 3 = 0 THEN (n % 7) + 1 ELSE 0 END AS reviews
    FROM generate_series(0, ${count - 1}) AS n`,
  `INSERT INTO listings (id, slug, name, description, price, currency, category, tags, screenshots, pricing_model, status, featured, creator_id,
      creator_name, created_at, updated_at, listing_head, skill_head, skill_detail_head)
    SELECT id, 'slug-' || n, 'Listing ' || n, 'Made for plans', price, currency, category, tags, '{}', 'one_time',
      CASE WHEN approved THEN 'approved' ELSE 'pending_review' END, featured, creator_id, 'Creator', at, at,
      '{"id":"' || id || '"', '{"id":"' || id || '"', '{"id":"' || id || '"'
    FROM made`,
  `INSERT INTO item_stats (item_id, sales, popularity, rating_sum, reviews, shelf, listed_at)
    SELECT id, sales, sales, reviews * (n % 5 + 1), reviews, CASE WHEN approved THEN category END, CASE WHEN approved THEN at END FROM made`,
  `INSERT INTO listing_facets (item_id, creator_id, approved, category, price, featured, pricing_model, tags, created_at, words, currency)
    SELECT id, creator_id, approved, category, price, featured, CASE WHEN n % 10 = 5 THEN 'free' ELSE 'one_time' END, tags, at, (
        SELECT string_agg(CASE WHEN approved THEN shard ELSE 'x' END || field || word, ' ') FROM (VALUES
          ('n', 'listing'), ('t', 'listing'), ('c', 'listing'), ('d', 'listing'),
          ('d', 'made' || n % 101), ('d', 'word' || n % 997),
          ('d', CASE WHEN n % 2 = 0 THEN 'common' ELSE 'uncommon' END),
          ('n', CASE WHEN n % 20 = 3 THEN 'common' END), ('d', CASE WHEN n % 20 = 3 THEN 'common' END),
          ('d', 'rare' || n % 5000), ('d', 'incomprehensibili' || CASE WHEN n % 7 = 0 THEN 'ties' ELSE 'ty' END),
          ('d', '珍しい' || n % 3000)) AS found (field, word)
      )::tsvector, currency
    FROM made`,
  "CREATE INDEX listing_facets_words ON listing_facets USING gin (words) WITH (fastupdate = off)",
  "CREATE INDEX listing_facets_prefixes ON listing_facets USING gin (prefixes_of(words)) WITH (fastupdate = off)",
  "DROP TABLE made",
  "VACUUM ANALYZE"
]

/** Fills the catalogue with listings, 19 of 20 of them approved, without using the store. */
export const generateListings = async (client: Client, count: number): Promise<void> => {
  for (const statement of statements(count)) await client.query(statement)
}
