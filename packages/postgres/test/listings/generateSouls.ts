import type { Client } from "pg"

/** Fills the catalogue with souls, 9 of 10 of them public, without going through the store. */
export const generateSouls = async (client: Client, count: number): Promise<void> => {
  await client.query(`
    INSERT INTO souls (id, slug, name, description, price, category, tags, author_id, author, version, visibility, deleted, created_at, updated_at,
      item_head, detail_head)
    SELECT 'soul_' || lpad(n::text, 9, '0'), 'soul-' || n, 'Soul ' || n, 'Made for plans', n, 
      ('{personas,soul-writer,soul-tech,soul-legal,skills,knowledge,data}'::text[])[n % 7 + 1], ARRAY['tag' || n % 50, 'odd' || n % 7919],
      'usr_' || n % 100, 'Author', 1, CASE WHEN n % 10 = 0 THEN 'private' ELSE 'public' END, false,
      '2025-01-01Z'::timestamptz + n * interval '1 minute', '2025-01-01Z', '{"slug":"soul-' || n || '"', '{"slug":"soul-' || n || '"'
    FROM generate_series(1, ${count}) AS n`)
  await client.query(`INSERT INTO item_stats (item_id) SELECT id FROM souls`)
  await client.query("VACUUM ANALYZE souls, item_stats")
}
