import type { Client } from "pg"

/** Fills the catalogue with souls, 9 of 10 of them public, without using the store. */
export const generateSouls = async (client: Client, count: number): Promise<void> => {
  await client.query(`
    INSERT INTO souls (id, slug, name, description, price, category, tags, author_id, author, version, visibility, deleted, created_at, updated_at,
      item_head, detail_head)
    SELECT 'soul_' || lpad(n::text, 9, '0'), 'soul-' || n, 'Soul ' || n, 'Made for plans', n, 
      ('{personas,soul-writer,soul-tech,soul-legal,skills,knowledge,data}'::text[])[n % 7 + 1], ARRAY['tag' || n % 50, 'odd' || n % 7919],
      'usr_' || n % 100, 'Author', 1, CASE WHEN n % 10 = 0 THEN 'private' ELSE 'public' END, false,
      '2025-01-01Z'::timestamptz + n * interval '1 minute', '2025-01-01Z', '{"slug":"soul-' || n || '"', '{"slug":"soul-' || n || '"'
    FROM generate_series(1, ${count}) AS n`)
  await client.query(`
    INSERT INTO item_stats (item_id, sales, popularity, shelf, listed_at)
    SELECT id, price % 50, price % 50, CASE WHEN visibility = 'public' THEN 'soul:' || category END, created_at FROM souls`)
  await client.query(`
    INSERT INTO soul_facets (item_id, creator_id, approved, category, price, featured, pricing_model, state, tags, created_at, words)
    SELECT id, author_id, visibility = 'public', category, price, false, 'one_time', visibility, tags, created_at,
      (SELECT string_agg(CASE WHEN visibility = 'public' THEN (price % 6)::text ELSE 'x' END || field || word, ' ')
        FROM (VALUES ('n', 'soul'), ('t', 'soul'), ('c', 'soul'), ('d', 'soul'), ('d', 'rare' || price % 3000)) AS found (field, word)
      )::tsvector
    FROM souls`)
  await client.query("VACUUM ANALYZE souls, soul_facets, item_stats")
}
