/**
 * Events store their audience and the agent that caused them, and webhooks belong to an account or to one of its agents. Souls are listed
 * and searched as listings are, and operators can suspend them. Changes of approved listings wait for a review. Souls have reviews too, and
 * popularity counts paid purchases that have aged.
 */
export const catalogueAndWebhooks: ReadonlyArray<string> = [
  `ALTER TABLE events
    ADD COLUMN audience text CHECK (audience IN ('everyone', 'users')),
    ADD COLUMN agent_id text`,
  `ALTER TABLE webhooks ADD COLUMN agent_id text`,
  `CREATE INDEX webhooks_events ON webhooks USING gin (events)`,
  // The log of deliveries is paged by time and id.
  `DROP INDEX webhook_deliveries_webhook`,
  `CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, event_at, id)`,

  `ALTER TABLE souls
    ADD suspension text,
    ADD published_at timestamptz,
    -- Filled where the rendering of earlier rows is renewed, as the facets are.
    ADD skill_head text NOT NULL DEFAULT ''`,
  // A soul that was withheld was stored as private.
  `UPDATE souls SET visibility = 'public' WHERE withheld`,
  `UPDATE souls SET published_at = created_at WHERE visibility = 'public'`,
  `ALTER TABLE souls ALTER skill_head SET STORAGE MAIN`,
  // The feed also shows renewals and published souls.
  `DROP INDEX events_feed`,
  `CREATE INDEX events_feed ON events (type, at, seq) WHERE type IN
    ('purchase.completed', 'subscription.renewed', 'agent.registered', 'listing.approved', 'soul.created')`,
  `CREATE INDEX souls_queue ON souls (created_at, id) WHERE NOT deleted`,
  `CREATE INDEX souls_suspended ON souls (created_at, id) WHERE NOT deleted AND suspension IS NOT NULL`,
  `DROP INDEX souls_newest`,
  `DROP INDEX souls_category`,
  `DROP INDEX souls_tags`,
  `ALTER TABLE soul_versions ADD created_at timestamptz`,
  `UPDATE soul_versions SET created_at = CASE WHEN soul_versions.version = souls.version THEN souls.updated_at ELSE souls.created_at END
    FROM souls WHERE souls.id = soul_id`,
  `ALTER TABLE soul_versions ALTER created_at SET NOT NULL`,

  `ALTER TABLE listings
    ADD pending_changes jsonb,
    ADD changed_since_review boolean NOT NULL DEFAULT false,
    ADD waiting_since timestamptz`,
  `UPDATE listings SET waiting_since = created_at WHERE status = 'pending_review'`,
  `CREATE INDEX listings_waiting ON listings (waiting_since, id) WHERE waiting_since IS NOT NULL`,
  `ALTER TABLE listing_facets RENAME COLUMN listing_id TO item_id`,
  `ALTER TABLE listing_facets
    ADD pricing_model text NOT NULL DEFAULT 'one_time',
    -- The listing's status, by which its creator filters.
    ADD state text NOT NULL DEFAULT 'approved'`,
  `UPDATE listing_facets SET pricing_model = listings.pricing_model, state = listings.status
    FROM listings WHERE listings.id = item_id AND (listings.pricing_model, listings.status) <> ('one_time', 'approved')`,
  `CREATE INDEX listing_facets_pricing ON listing_facets (pricing_model, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE TABLE soul_facets (
    item_id text PRIMARY KEY,
    creator_id text NOT NULL,
    approved boolean NOT NULL,
    category text NOT NULL,
    price bigint NOT NULL,
    featured boolean NOT NULL,
    pricing_model text NOT NULL,
    -- The soul's visibility, by which its author filters.
    state text NOT NULL,
    tags text[] NOT NULL,
    created_at timestamptz NOT NULL,
    -- Made by SearchVector.
    words tsvector NOT NULL
  )`,
  `ALTER TABLE soul_facets ALTER words SET STORAGE MAIN`,
  `CREATE INDEX soul_facets_newest ON soul_facets (created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_category ON soul_facets (category, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_price_asc ON soul_facets (price ASC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_category_price_asc ON soul_facets (category, price ASC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_price_desc ON soul_facets (price DESC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_category_price_desc ON soul_facets (category, price DESC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_pricing ON soul_facets (pricing_model, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX soul_facets_creator ON soul_facets (creator_id, created_at DESC, item_id DESC)`,
  `CREATE INDEX soul_facets_tags ON soul_facets USING gin (tags) WHERE approved`,
  `CREATE INDEX soul_facets_words ON soul_facets USING gin (words) WITH (fastupdate = off)`,
  `DROP TRIGGER souls_counted_INSERT ON souls`,
  `DROP TRIGGER souls_counted_UPDATE ON souls`,
  `DROP TRIGGER souls_counted_DELETE ON souls`,
  `DROP FUNCTION count_souls()`,
  `DELETE FROM catalogue_counts WHERE kind = 'soul'`,
  `CREATE FUNCTION count_soul_facets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, 1 AS delta FROM added WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSIF TG_OP = 'DELETE' THEN INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      ELSE INSERT INTO catalogue_counts AS c (kind, category, items)
      SELECT 'soul', coalesce(category, ''), sum(delta) FROM (SELECT category, -1 AS delta FROM removed WHERE approved UNION ALL SELECT category, 1 AS delta FROM added WHERE approved) d
      GROUP BY GROUPING SETS ((), (category)) HAVING sum(delta) <> 0 ORDER BY 2
      ON CONFLICT (kind, category) DO UPDATE SET items = c.items + EXCLUDED.items;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER soul_facets_counted_insert AFTER INSERT ON soul_facets
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_soul_facets()`,
  `CREATE TRIGGER soul_facets_counted_update AFTER UPDATE ON soul_facets
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_soul_facets()`,
  `CREATE TRIGGER soul_facets_counted_delete AFTER DELETE ON soul_facets
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_soul_facets()`,

  `ALTER TABLE listing_reviews DROP CONSTRAINT listing_reviews_listing_id_fkey`,
  `ALTER TABLE listing_reviews RENAME TO item_reviews`,
  `ALTER TABLE item_reviews RENAME COLUMN listing_id TO item_id`,
  // False once the author's purchase was refunded.
  `ALTER TABLE item_reviews ADD counts boolean NOT NULL DEFAULT true`,
  `DROP INDEX listing_reviews_newest`,
  `CREATE INDEX item_reviews_newest ON item_reviews (item_id, created_at DESC, id DESC) WHERE counts`,

  // Different buyers of a paid purchase that was not refunded and that popularity_cursor has passed.
  `ALTER TABLE item_stats ADD aged_buyers int NOT NULL DEFAULT 0`,
  // 10 for each aged buyer; free purchases, recent ones and downloads add at most 100 together: see Popularity.
  `CREATE FUNCTION popularity_of(sales int, aged_buyers int, downloads int) RETURNS int LANGUAGE sql IMMUTABLE
    RETURN 10 * aged_buyers + least(100, greatest(0, sales - aged_buyers) + downloads)`,
  // Sales up to here have aged. One row; refunds lock it FOR SHARE, moving it locks it FOR UPDATE.
  `CREATE TABLE popularity_cursor (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    at timestamptz NOT NULL,
    seq bigint NOT NULL
  )`,
  `INSERT INTO popularity_cursor (at, seq) VALUES ('-infinity', 0)`,

  `DROP FUNCTION search_listings(tsquery[], text, bigint, bigint, double precision, boolean, text[], int)`,
  `DROP FUNCTION search_samples(tsquery[])`,
  `CREATE FUNCTION listing_search_samples(terms tsquery[]) RETURNS int[] LANGUAGE plpgsql STABLE AS $$
    DECLARE
      samples int[];
      term tsquery;
    BEGIN
      FOREACH term IN ARRAY terms LOOP
        samples := samples || (SELECT count(*) FROM (SELECT FROM listing_facets f WHERE f.words @@ term LIMIT 64) s)::int;
      END LOOP;
      RETURN samples;
    END $$`,
  `CREATE FUNCTION find_listings(
      terms tsquery[], of_categories text[], of_shelves text[], at_least bigint, at_most bigint, rated double precision,
      is_featured boolean, of_pricing text, tagged text[], cap int
    ) RETURNS TABLE (item_id text, relevance int, price bigint, created_at timestamptz) LANGUAGE plpgsql STABLE
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
      IF num_nonnulls(of_categories, at_least, at_most, rated, is_featured, of_pricing, tagged) > 0 THEN
        PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
        shelves := coalesce(of_shelves, ARRAY(
          SELECT category FROM catalogue_counts WHERE kind = 'listing' AND category <> '' AND items > 0));
        IF few > (SELECT count(*) FROM (SELECT FROM listing_facets f WHERE f.approved AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged) LIMIT few) s)
          OR rated IS NOT NULL
            AND few > (SELECT count(*) FROM (SELECT FROM item_stats st WHERE st.shelf = ANY(shelves) AND st.rating >= rated LIMIT few) s)
        THEN
          FOR word IN 0..words - 1 LOOP
            query := coalesce(query && terms[word * 28 + 28], terms[word * 28 + 28]);
            in_name := in_name || terms[word * 28 + 7];
            in_tags := in_tags || terms[word * 28 + 14];
            in_creator := in_creator || terms[word * 28 + 21];
          END LOOP;
          RETURN QUERY SELECT f.item_id, (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)), f.price, f.created_at
            FROM listing_facets f JOIN item_stats s ON s.item_id = f.item_id
            WHERE f.approved AND ts_match_vq(f.words, query) AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR s.shelf = ANY(shelves) AND s.rating >= rated);
          RETURN;
        END IF;
        PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
      END IF;

      samples := listing_search_samples(ARRAY(SELECT terms[word * 28 + 22] FROM generate_series(0, words - 1) word));
      common := 0 < ALL (samples);
      IF common AND words > 1 AND (SELECT sum(sample) FROM unnest(samples) sample) < 64 THEN
        FOR word IN 0..words - 1 LOOP
          query := coalesce(query && terms[word * 28 + 22], terms[word * 28 + 22]);
        END LOOP;
        common := (listing_search_samples(ARRAY[query]))[1] > 1;
      END IF;
      by_field := common AND words = 1;
      room := CASE WHEN common THEN cap END;
      FOR field IN CASE WHEN common THEN 0 ELSE 3 END..3 LOOP
        IF words > 1 THEN
          samples := listing_search_samples(ARRAY(SELECT terms[word * 28 + field * 7 + 1] FROM generate_series(0, words - 1) word));
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
          RETURN QUERY SELECT f.item_id, CASE WHEN by_field THEN weights[field + 1] ELSE (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)) END,
              f.price, f.created_at
            FROM listing_facets f
            WHERE f.words @@ query
              AND (others IS NULL OR ts_match_vq(f.words, others))
              AND (better IS NULL OR NOT ts_match_vq(f.words, better))
              AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR (SELECT s.rating FROM item_stats s WHERE s.item_id = f.item_id) >= rated)
            LIMIT room;
          GET DIAGNOSTICS found = ROW_COUNT;
          room := room - found;
          IF room = 0 THEN RETURN; END IF;
        END LOOP;
      END LOOP;
    END $$`,
  `CREATE FUNCTION soul_search_samples(terms tsquery[]) RETURNS int[] LANGUAGE plpgsql STABLE AS $$
    DECLARE
      samples int[];
      term tsquery;
    BEGIN
      FOREACH term IN ARRAY terms LOOP
        samples := samples || (SELECT count(*) FROM (SELECT FROM soul_facets f WHERE f.words @@ term LIMIT 64) s)::int;
      END LOOP;
      RETURN samples;
    END $$`,
  `CREATE FUNCTION find_souls(
      terms tsquery[], of_categories text[], of_shelves text[], at_least bigint, at_most bigint, rated double precision,
      is_featured boolean, of_pricing text, tagged text[], cap int
    ) RETURNS TABLE (item_id text, relevance int, price bigint, created_at timestamptz) LANGUAGE plpgsql STABLE
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
      IF num_nonnulls(of_categories, at_least, at_most, rated, is_featured, of_pricing, tagged) > 0 THEN
        PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
        shelves := coalesce(of_shelves, ARRAY(
          SELECT category FROM catalogue_counts WHERE kind = 'soul' AND category <> '' AND items > 0));
        IF few > (SELECT count(*) FROM (SELECT FROM soul_facets f WHERE f.approved AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged) LIMIT few) s)
          OR rated IS NOT NULL
            AND few > (SELECT count(*) FROM (SELECT FROM item_stats st WHERE st.shelf = ANY(shelves) AND st.rating >= rated LIMIT few) s)
        THEN
          FOR word IN 0..words - 1 LOOP
            query := coalesce(query && terms[word * 28 + 28], terms[word * 28 + 28]);
            in_name := in_name || terms[word * 28 + 7];
            in_tags := in_tags || terms[word * 28 + 14];
            in_creator := in_creator || terms[word * 28 + 21];
          END LOOP;
          RETURN QUERY SELECT f.item_id, (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)), f.price, f.created_at
            FROM soul_facets f JOIN item_stats s ON s.item_id = f.item_id
            WHERE f.approved AND ts_match_vq(f.words, query) AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR s.shelf = ANY(shelves) AND s.rating >= rated);
          RETURN;
        END IF;
        PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
      END IF;

      samples := soul_search_samples(ARRAY(SELECT terms[word * 28 + 22] FROM generate_series(0, words - 1) word));
      common := 0 < ALL (samples);
      IF common AND words > 1 AND (SELECT sum(sample) FROM unnest(samples) sample) < 64 THEN
        FOR word IN 0..words - 1 LOOP
          query := coalesce(query && terms[word * 28 + 22], terms[word * 28 + 22]);
        END LOOP;
        common := (soul_search_samples(ARRAY[query]))[1] > 1;
      END IF;
      by_field := common AND words = 1;
      room := CASE WHEN common THEN cap END;
      FOR field IN CASE WHEN common THEN 0 ELSE 3 END..3 LOOP
        IF words > 1 THEN
          samples := soul_search_samples(ARRAY(SELECT terms[word * 28 + field * 7 + 1] FROM generate_series(0, words - 1) word));
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
          RETURN QUERY SELECT f.item_id, CASE WHEN by_field THEN weights[field + 1] ELSE (SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
                FROM unnest(in_name, in_tags, in_creator) AS q (n, t, c)) END,
              f.price, f.created_at
            FROM soul_facets f
            WHERE f.words @@ query
              AND (others IS NULL OR ts_match_vq(f.words, others))
              AND (better IS NULL OR NOT ts_match_vq(f.words, better))
              AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most) AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR (SELECT s.rating FROM item_stats s WHERE s.item_id = f.item_id) >= rated)
            LIMIT room;
          GET DIAGNOSTICS found = ROW_COUNT;
          room := room - found;
          IF room = 0 THEN RETURN; END IF;
        END LOOP;
      END LOOP;
    END $$`
]
