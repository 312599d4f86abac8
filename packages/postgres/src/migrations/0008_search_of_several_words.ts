export const searchOfSeveralWords: ReadonlyArray<string> = [
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
