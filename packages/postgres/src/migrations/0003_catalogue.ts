import { catalogueSearch } from "./catalogueSearch.ts"

/**
 * Keeps `catalogue_counts` for what a table lists. A statement moves all its numbers in one step, rows in one order, so that writers
 * wait for one another and never in a circle; what does not move a number locks nothing.
 */
const counted = (table: string, kind: string, listed: string): ReadonlyArray<string> => {
  const delta = (rows: string, sign: string) => `SELECT category, ${sign} AS delta FROM ${rows} WHERE ${listed}`
  const count = (deltas: string) => `INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT '${kind}', coalesce(category, ''), sum(delta) FROM (${deltas}) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items`
  const trigger = (
    event: string,
    tables: string
  ) => `CREATE TRIGGER ${table}_counted_${event} AFTER ${event} ON ${table}
    REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`
  return [
    `CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN ${count(delta("added", "1"))};
      ELSIF TG_OP = 'DELETE' THEN ${count(delta("removed", "-1"))};
      ELSE ${count(`${delta("removed", "-1")} UNION ALL ${delta("added", "1")}`)};
      END IF;
      RETURN NULL;
    END $$`,
    trigger("INSERT", "NEW TABLE AS added"),
    trigger("UPDATE", "OLD TABLE AS removed NEW TABLE AS added"),
    trigger("DELETE", "OLD TABLE AS removed")
  ]
}

const slugs: ReadonlyArray<string> = [
  // A slug is given once for ever: rows stay, whatever becomes of the item. Souls and listings have name spaces of their own.
  `CREATE TABLE slugs (
    kind text NOT NULL CHECK (kind IN ('soul', 'listing')),
    slug text NOT NULL,
    PRIMARY KEY (kind, slug)
  )`,
  // The suffix from which to look; all before it are taken.
  `CREATE TABLE slug_suffixes (
    kind text NOT NULL,
    base text NOT NULL,
    next int NOT NULL,
    PRIMARY KEY (kind, base)
  )`,
  // Whoever wants a suffix of one base waits for the row of that base and then finds a free one at once. A claim that meets one
  // which is not committed waits for it. Nobody who waits for a slug holds one, so none wait in a circle.
  `CREATE FUNCTION claim_slug(of_kind text, wanted text, reserved boolean) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      n int;
      candidate text;
    BEGIN
      IF NOT reserved THEN
        INSERT INTO slugs (kind, slug) VALUES (of_kind, wanted) ON CONFLICT DO NOTHING;
        IF FOUND THEN RETURN wanted; END IF;
      END IF;
      INSERT INTO slug_suffixes AS s (kind, base, next) VALUES (of_kind, wanted, 2)
        ON CONFLICT (kind, base) DO UPDATE SET next = s.next RETURNING next INTO n;
      LOOP
        candidate := regexp_replace(left(wanted, 99 - length(n::text)), '-$', '') || '-' || n;
        n := n + 1;
        INSERT INTO slugs (kind, slug) VALUES (of_kind, candidate) ON CONFLICT DO NOTHING;
        EXIT WHEN FOUND;
      END LOOP;
      UPDATE slug_suffixes SET next = n WHERE kind = of_kind AND base = wanted;
      RETURN candidate;
    END $$`
]

const souls: ReadonlyArray<string> = [
  `CREATE TABLE souls (
    id text PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    description text NOT NULL,
    price bigint NOT NULL CHECK (price >= 0),
    category text NOT NULL,
    tags text[] NOT NULL,
    author_id text NOT NULL,
    author text NOT NULL,
    version int NOT NULL CHECK (version >= 1),
    visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- The JSON that readers get, without what item_stats counts: see SoulJson.
    item_head text NOT NULL,
    detail_head text NOT NULL
  )`,
  // A list reads many of them: they stay in the row where the long text moves out.
  `ALTER TABLE souls ALTER item_head SET STORAGE MAIN`,
  `CREATE INDEX souls_newest ON souls (created_at DESC, id DESC) WHERE visibility = 'public' AND NOT deleted`,
  `CREATE INDEX souls_category ON souls (category, created_at DESC, id DESC) WHERE visibility = 'public' AND NOT deleted`,
  `CREATE INDEX souls_tags ON souls USING gin (tags) WHERE visibility = 'public' AND NOT deleted`,
  `CREATE INDEX souls_author ON souls (author_id, id)`,
  `CREATE TABLE soul_versions (
    soul_id text NOT NULL REFERENCES souls (id),
    version int NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (soul_id, version)
  )`,
  `CREATE TABLE soul_downloads (
    soul_id text NOT NULL REFERENCES souls (id),
    account_id text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (soul_id, account_id)
  )`,
  ...counted("souls", "soul", "visibility = 'public' AND NOT deleted")
]

const listings: ReadonlyArray<string> = [
  `CREATE TABLE listings (
    id text PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    description text NOT NULL,
    short_desc text,
    long_description text,
    price bigint NOT NULL CHECK (price >= 0),
    currency text NOT NULL,
    category text NOT NULL,
    tags text[] NOT NULL,
    install_url text,
    documentation_url text,
    thumbnail_url text,
    screenshots text[] NOT NULL,
    video_url text,
    pricing_model text NOT NULL CHECK (pricing_model IN ('one_time', 'free', 'subscription')),
    status text NOT NULL CHECK (status IN ('pending_review', 'approved', 'rejected', 'suspended', 'deleted')),
    rejection_reason text,
    featured boolean NOT NULL,
    creator_id text NOT NULL,
    creator_name text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- The JSON that readers get, without what item_stats counts: see ListingJson.
    listing_head text NOT NULL,
    skill_head text NOT NULL,
    skill_detail_head text NOT NULL
  )`,
  // A list reads many of them: they stay in the row where the long texts move out.
  `ALTER TABLE listings ALTER listing_head SET STORAGE MAIN, ALTER skill_head SET STORAGE MAIN`,
  `CREATE INDEX listings_queue ON listings (status, created_at, id) WHERE status <> 'deleted'`,
  `CREATE INDEX listings_oldest ON listings (created_at, id) WHERE status <> 'deleted'`,
  `CREATE INDEX listings_creator ON listings (creator_id, id)`,
  // What lists filter and sort by, and searches look in: a narrow row for each listing that is not deleted.
  `CREATE TABLE listing_facets (
    listing_id text PRIMARY KEY,
    creator_id text NOT NULL,
    approved boolean NOT NULL,
    category text NOT NULL,
    price bigint NOT NULL,
    featured boolean NOT NULL,
    tags text[] NOT NULL,
    created_at timestamptz NOT NULL,
    -- Made by SearchVector.
    words tsvector NOT NULL
  )`,
  `ALTER TABLE listing_facets ALTER words SET STORAGE MAIN`,
  `CREATE INDEX listing_facets_newest ON listing_facets (created_at DESC, listing_id DESC) WHERE approved`,
  `CREATE INDEX listing_facets_category ON listing_facets (category, created_at DESC, listing_id DESC) WHERE approved`,
  // Of one price the newest come first, whichever way the prices go.
  ...["ASC", "DESC"].flatMap((way) => [
    `CREATE INDEX listing_facets_price_${way} ON listing_facets (price ${way}, created_at DESC, listing_id DESC) WHERE approved`,
    `CREATE INDEX listing_facets_category_price_${way} ON listing_facets (category, price ${way}, created_at DESC, listing_id DESC)
      WHERE approved`
  ]),
  `CREATE INDEX listing_facets_featured ON listing_facets (created_at DESC, listing_id DESC) WHERE approved AND featured`,
  `CREATE INDEX listing_facets_creator ON listing_facets (creator_id, created_at DESC, listing_id DESC)`,
  `CREATE INDEX listing_facets_tags ON listing_facets USING gin (tags) WHERE approved`,
  // Without a list of pending entries, which every search would have to read through.
  `CREATE INDEX listing_facets_words ON listing_facets USING gin (words) WITH (fastupdate = off)`,
  ...counted("listing_facets", "listing", "approved"),
  `CREATE TABLE listing_reviews (
    id text NOT NULL UNIQUE,
    listing_id text NOT NULL REFERENCES listings (id),
    author_id text NOT NULL,
    author text NOT NULL,
    rating int NOT NULL CHECK (rating BETWEEN 1 AND 5),
    comment text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (listing_id, author_id)
  )`,
  `CREATE INDEX listing_reviews_newest ON listing_reviews (listing_id, created_at DESC, id DESC)`
]

const shared: ReadonlyArray<string> = [
  // What changes often, apart from the wide rows and their indexes. A row for each soul and listing, made with it.
  `CREATE TABLE item_stats (
    item_id text PRIMARY KEY,
    sales int NOT NULL DEFAULT 0,
    -- What the most sold are found by. Of an item that has sold a few it may be a moment behind (see Popularity): counting one more
    -- sale then touches no index.
    popularity int NOT NULL DEFAULT 0,
    downloads int NOT NULL DEFAULT 0 CHECK (downloads >= 0),
    rating_sum int NOT NULL DEFAULT 0,
    reviews int NOT NULL DEFAULT 0,
    -- The mean, rounded to two decimals; its text is the shortest JSON number.
    rating double precision NOT NULL GENERATED ALWAYS AS
      (CASE WHEN reviews = 0 THEN 0 ELSE round(rating_sum::numeric / reviews, 2)::double precision END) STORED,
    -- The category and time of an approved listing, by which it is found among the most sold and best rated.
    shelf text,
    listed_at timestamptz
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX item_stats_popularity ON item_stats (shelf, popularity DESC, listed_at DESC, item_id DESC)
    WHERE shelf IS NOT NULL`,
  `CREATE INDEX item_stats_rating ON item_stats (shelf, rating DESC, listed_at DESC, item_id DESC) WHERE shelf IS NOT NULL`,
  // How many items are listed, by category; '' is all of them.
  `CREATE TABLE catalogue_counts (
    kind text NOT NULL,
    category text NOT NULL,
    items bigint NOT NULL,
    PRIMARY KEY (kind, category)
  ) WITH (fillfactor = 50)`
]

/** Souls, listings, and how they are listed, found and counted. */
export const catalogue: ReadonlyArray<string> = [...slugs, ...shared, ...souls, ...listings, ...catalogueSearch]
