/** Souls, listings, and how they are listed, found and counted. */
export const catalogue: ReadonlyArray<string> = [
  `CREATE TABLE slugs (
    kind text NOT NULL CHECK (kind IN ('soul', 'listing')),
    slug text NOT NULL,
    PRIMARY KEY (kind, slug)
  )`,
  `CREATE TABLE slug_suffixes (
    kind text NOT NULL,
    base text NOT NULL,
    next int NOT NULL,
    PRIMARY KEY (kind, base)
  )`,
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
    END $$`,
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
  `CREATE TABLE catalogue_counts (
    kind text NOT NULL,
    category text NOT NULL,
    items bigint NOT NULL,
    PRIMARY KEY (kind, category)
  ) WITH (fillfactor = 50)`,
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
  `CREATE FUNCTION count_souls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, 1 AS delta FROM added WHERE visibility = 'public' AND NOT deleted) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE visibility = 'public' AND NOT deleted) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSE INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE visibility = 'public' AND NOT deleted UNION ALL SELECT category, 1 AS delta FROM added WHERE visibility = 'public' AND NOT deleted) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER souls_counted_INSERT AFTER INSERT ON souls
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_souls()`,
  `CREATE TRIGGER souls_counted_UPDATE AFTER UPDATE ON souls
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_souls()`,
  `CREATE TRIGGER souls_counted_DELETE AFTER DELETE ON souls
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_souls()`,
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
  `ALTER TABLE listings ALTER listing_head SET STORAGE MAIN, ALTER skill_head SET STORAGE MAIN`,
  `CREATE INDEX listings_queue ON listings (status, created_at, id) WHERE status <> 'deleted'`,
  `CREATE INDEX listings_oldest ON listings (created_at, id) WHERE status <> 'deleted'`,
  `CREATE INDEX listings_creator ON listings (creator_id, id)`,
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
  `CREATE INDEX listing_facets_price_ASC ON listing_facets (price ASC, created_at DESC, listing_id DESC) WHERE approved`,
  `CREATE INDEX listing_facets_category_price_ASC ON listing_facets (category, price ASC, created_at DESC, listing_id DESC)
      WHERE approved`,
  `CREATE INDEX listing_facets_price_DESC ON listing_facets (price DESC, created_at DESC, listing_id DESC) WHERE approved`,
  `CREATE INDEX listing_facets_category_price_DESC ON listing_facets (category, price DESC, created_at DESC, listing_id DESC)
      WHERE approved`,
  `CREATE INDEX listing_facets_featured ON listing_facets (created_at DESC, listing_id DESC) WHERE approved AND featured`,
  `CREATE INDEX listing_facets_creator ON listing_facets (creator_id, created_at DESC, listing_id DESC)`,
  `CREATE INDEX listing_facets_tags ON listing_facets USING gin (tags) WHERE approved`,
  `CREATE INDEX listing_facets_words ON listing_facets USING gin (words) WITH (fastupdate = off)`,
  `CREATE FUNCTION count_listing_facets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'listing', coalesce(category, ''), sum(delta) FROM (SELECT category, 1 AS delta FROM added WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'listing', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSE INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'listing', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE approved UNION ALL SELECT category, 1 AS delta FROM added WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER listing_facets_counted_INSERT AFTER INSERT ON listing_facets
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listing_facets()`,
  `CREATE TRIGGER listing_facets_counted_UPDATE AFTER UPDATE ON listing_facets
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listing_facets()`,
  `CREATE TRIGGER listing_facets_counted_DELETE AFTER DELETE ON listing_facets
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_listing_facets()`,
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
  `CREATE INDEX listing_reviews_newest ON listing_reviews (listing_id, created_at DESC, id DESC)`,
  `CREATE OR REPLACE FUNCTION search_samples(terms tsquery[]) RETURNS int[] LANGUAGE plpgsql STABLE AS $$
    DECLARE
      samples int[];
      term tsquery;
    BEGIN
      FOREACH term IN ARRAY terms LOOP
        samples := samples || (SELECT count(*) FROM (SELECT FROM listing_facets f WHERE f.words @@ term LIMIT 64) s)::int;
      END LOOP;
      RETURN samples;
    END $$`,
  `CREATE OR REPLACE FUNCTION search_listings(
      terms tsquery[], of_category text, at_least bigint, at_most bigint, rated double precision, is_featured boolean,
      tagged text[], cap int
    ) RETURNS TABLE (listing_id text, relevance int, price bigint, created_at timestamptz) LANGUAGE plpgsql STABLE
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
    DECLARE
      weights CONSTANT int[] := '{8,4,2,1}';
      few CONSTANT int := 10000;
      words CONSTANT int := cardinality(terms) / 28;
      shelves text[];
      samples int[];
      rarest int;
      common boolean;
      by_field boolean;
      room int;
      found int;
      term tsquery;
      query tsquery;
      others tsquery;
      better tsquery;
      in_name tsquery[];
      in_tags tsquery[];
      in_creator tsquery[];
    BEGIN
      IF num_nonnulls(of_category, at_least, at_most, rated, is_featured, tagged) > 0 THEN
        PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
        SELECT array_agg(category) INTO shelves FROM catalogue_counts
          WHERE kind = 'listing' AND category <> '' AND items > 0 AND (of_category IS NULL OR category = of_category);
        IF few > (SELECT count(*) FROM (SELECT FROM listing_facets f WHERE f.approved AND (of_category IS NULL OR f.category = of_category) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (tagged IS NULL OR f.tags && tagged) LIMIT few) s)
          OR rated IS NOT NULL
            AND few > (SELECT count(*) FROM (SELECT FROM item_stats WHERE shelf = ANY(shelves) AND rating >= rated LIMIT few) s)
        THEN
          FOR word IN 0..words - 1 LOOP
            query := coalesce(query && terms[word * 28 + 28], terms[word * 28 + 28]);
            in_name := in_name || terms[word * 28 + 7];
            in_tags := in_tags || terms[word * 28 + 14];
            in_creator := in_creator || terms[word * 28 + 21];
          END LOOP;
          RETURN QUERY SELECT f.listing_id, (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)), f.price, f.created_at
            FROM listing_facets f JOIN item_stats s ON s.item_id = f.listing_id
            WHERE f.approved AND ts_match_vq(f.words, query) AND (of_category IS NULL OR f.category = of_category) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR s.shelf = ANY(shelves) AND s.rating >= rated);
          RETURN;
        END IF;
        PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
      END IF;

      samples := search_samples(ARRAY(SELECT terms[word * 28 + 22] FROM generate_series(0, words - 1) word));
      common := 0 < ALL (samples);
      IF common AND words > 1 AND (SELECT sum(sample) FROM unnest(samples) sample) < 64 THEN
        FOR word IN 0..words - 1 LOOP
          query := coalesce(query && terms[word * 28 + 22], terms[word * 28 + 22]);
        END LOOP;
        common := (search_samples(ARRAY[query]))[1] > 1;
      END IF;
      by_field := common AND words = 1;
      room := CASE WHEN common THEN cap END;
      FOR field IN CASE WHEN common THEN 0 ELSE 3 END..3 LOOP
        IF words > 1 THEN
          samples := search_samples(ARRAY(SELECT terms[word * 28 + field * 7 + 1] FROM generate_series(0, words - 1) word));
        END IF;
        rarest := (SELECT min(sample) FROM unnest(samples) sample);
        FOR shard IN 1..6 LOOP
          IF by_field THEN
            query := terms[field * 7 + shard];
            better := CASE WHEN field > 0 THEN terms[field * 7 - 7 + shard] END;
          ELSE
            query := NULL;
            others := NULL;
            better := NULL;
            FOR word IN 0..words - 1 LOOP
              term := terms[word * 28 + field * 7 + shard];
              IF samples[word + 1] <= 3 * rarest THEN
                query := coalesce(query && term, term);
              ELSE
                others := coalesce(others && term, term);
              END IF;
              IF common AND field > 0 THEN
                term := terms[word * 28 + field * 7 - 7 + shard];
                better := coalesce(better && term, term);
              END IF;
              in_name[word + 1] := terms[word * 28 + shard];
              in_tags[word + 1] := terms[word * 28 + 7 + shard];
              in_creator[word + 1] := terms[word * 28 + 14 + shard];
            END LOOP;
          END IF;
          RETURN QUERY SELECT f.listing_id, CASE WHEN by_field THEN weights[field + 1] ELSE (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)) END,
              f.price, f.created_at
            FROM listing_facets f
            WHERE f.words @@ query
              AND (others IS NULL OR ts_match_vq(f.words, others))
              AND (better IS NULL OR NOT ts_match_vq(f.words, better))
              AND (of_category IS NULL OR f.category = of_category) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR (SELECT s.rating FROM item_stats s WHERE s.item_id = f.listing_id) >= rated)
            LIMIT room;
          GET DIAGNOSTICS found = ROW_COUNT;
          room := room - found;
          IF room = 0 THEN RETURN; END IF;
        END LOOP;
      END LOOP;
    END $$`
]
