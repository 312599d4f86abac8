/** How copies of texts, and names near those of popular items, are found. */
export const resemblances: ReadonlyArray<string> = [
  // Not a part of verdicts: a sketch can be removed.
  `CREATE TABLE sketches (
    sha256 text NOT NULL,
    ruleset text NOT NULL,
    shingles jsonb NOT NULL,
    keys int[] NOT NULL,
    PRIMARY KEY (sha256, ruleset)
  )`,
  // The keys of the releases that are on sale or were; each key of an item once, with the first of its releases that has it.
  `CREATE TABLE copy_keys (
    item_id text NOT NULL,
    key int NOT NULL,
    creator_id text NOT NULL,
    release_id text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (item_id, key)
  )`,
  `CREATE INDEX copy_keys_by_key ON copy_keys (key, since) INCLUDE (creator_id, release_id)`,
  `ALTER TABLE releases ADD COLUMN item_findings jsonb NOT NULL DEFAULT '[]'`,
  // When it was on sale for the first time, and the ruleset of the sketch whose keys are stored.
  `ALTER TABLE releases ADD COLUMN on_sale_since timestamptz`,
  `ALTER TABLE releases ADD COLUMN keyed_ruleset text`,
  `UPDATE releases SET on_sale_since = created_at WHERE status = 'published'`,
  // When the item got its present name.
  ...["listings", "souls"].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN named_at timestamptz`,
    `UPDATE ${table} SET named_at = created_at`,
    `ALTER TABLE ${table} ALTER COLUMN named_at SET DEFAULT now(), ALTER COLUMN named_at SET NOT NULL`
  ]),
  // The name, and the name without each of its characters: two names that differ in one character have one of these in common.
  `CREATE FUNCTION near_keys(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(DISTINCT key) FROM (
      SELECT name AS key
      UNION ALL SELECT overlay(name PLACING '' FROM place FOR 1) FROM generate_series(1, char_length(name)) AS place
    ) AS keys $$`,
  // Of items that have at least 50 sales or had them.
  `CREATE TABLE popular_names (item_id text PRIMARY KEY, near_keys text[] NOT NULL)`,
  `CREATE INDEX popular_names_near ON popular_names USING gin (near_keys) WITH (fastupdate = off)`,
  `INSERT INTO popular_names
    SELECT item_id, near_keys(name_keys[1]) FROM item_stats JOIN (
      SELECT id, name_keys FROM listings UNION ALL SELECT id, name_keys FROM souls
    ) AS items ON id = item_id WHERE sales >= 50 AND name_keys IS NOT NULL`,
  `DROP INDEX item_stats_popular`
]
