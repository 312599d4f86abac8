/**
 * Listings are filtered and sorted by the value of their price in USDT, whatever the rates are. Exports and erasures of accounts find
 * reviews and events by an index.
 */
export const valuesAndIndexes: ReadonlyArray<string> = [
  `ALTER TABLE listing_facets ADD currency text NOT NULL DEFAULT 'USD'`,
  `UPDATE listing_facets SET currency = listings.currency FROM listings WHERE listings.id = item_id AND listings.currency <> 'USD'`,
  // Only used while rates differ. A list merges the first items of each currency and category.
  `CREATE INDEX listing_facets_currency_price_asc
    ON listing_facets (currency, category, price ASC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX listing_facets_currency_price_desc
    ON listing_facets (currency, category, price DESC, created_at DESC, item_id DESC) WHERE approved`,
  `CREATE INDEX item_reviews_author ON item_reviews (author_id)`,
  // Only events that name an item's creator: an erasure removes the name. Purchases are not among them and pay nothing for the index.
  `CREATE INDEX events_items ON events (subject) WHERE type IN
    ('soul.created', 'soul.updated', 'soul.downloaded', 'listing.approved', 'listing.rejected', 'listing.suspended')`,
  `DROP FUNCTION find_listings(
    tsquery[], text[], text[], bigint, bigint, double precision, boolean, text, text[], int)`,
  // The ranges of prices in each currency, if they differ: three arrays of one length.
  `CREATE FUNCTION find_listings(
      terms tsquery[], of_categories text[], of_shelves text[], at_least bigint, at_most bigint, rated double precision,
      is_featured boolean, of_pricing text, tagged text[], cap int,
      currencies text[] DEFAULT NULL, leasts bigint[] DEFAULT NULL, mosts bigint[] DEFAULT NULL
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
              AND (at_most IS NULL OR f.price <= at_most)
              AND (currencies IS NULL OR f.price BETWEEN leasts[array_position(currencies, f.currency)]
                AND mosts[array_position(currencies, f.currency)]) AND (is_featured IS NULL OR f.featured = is_featured)
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
              AND (at_most IS NULL OR f.price <= at_most)
              AND (currencies IS NULL OR f.price BETWEEN leasts[array_position(currencies, f.currency)]
                AND mosts[array_position(currencies, f.currency)]) AND (is_featured IS NULL OR f.featured = is_featured)
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
              AND (at_most IS NULL OR f.price <= at_most)
              AND (currencies IS NULL OR f.price BETWEEN leasts[array_position(currencies, f.currency)]
                AND mosts[array_position(currencies, f.currency)]) AND (is_featured IS NULL OR f.featured = is_featured)
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
