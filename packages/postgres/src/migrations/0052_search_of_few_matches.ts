/** A listing is found if its price is within the bounds of its currency. */
const currencyCondition = `
              AND (currencies IS NULL OR f.price BETWEEN leasts[array_position(currencies, f.currency)]
                AND mosts[array_position(currencies, f.currency)])`

/** The bounds of prices in each currency of listings; souls have one currency. */
const currencyParameters = `,
      currencies text[] DEFAULT NULL, leasts bigint[] DEFAULT NULL, mosts bigint[] DEFAULT NULL`

/**
 * The number of items with all words is estimated from the smallest shard, which has a 1024th part of the items. If they are few, one statement
 * searches all shards and returns every match. Otherwise `find_listings` searches one field and shard after the other, up to the limit.
 * The terms are texts, because parsing all of them takes longer than such a search.
 */
const searchFunction = (kind: "listing" | "soul"): string => {
  const isListing = kind === "listing"
  return `CREATE FUNCTION search_${kind}s(
      terms text[], of_categories text[], of_shelves text[], at_least bigint, at_most bigint, rated double precision,
      is_featured boolean, of_pricing text, tagged text[], cap int${isListing ? currencyParameters : ""}
    ) RETURNS TABLE (item_id text, relevance int, price bigint, created_at timestamptz) LANGUAGE plpgsql STABLE
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
    DECLARE
      -- How many items of the smallest shard have each word: 64 at most.
      samples int[];
      rarest int;
      all_samples int;
      in_name tsquery[];
      in_tags tsquery[];
      in_creator tsquery[];
      query tsquery;
    BEGIN
      SELECT array_agg(word.sample), min(word.sample), sum(word.sample), array_agg(n), array_agg(t), array_agg(c)
        INTO samples, rarest, all_samples, in_name, in_tags, in_creator
        FROM (
          SELECT (SELECT count(*) FROM (SELECT FROM ${kind}_facets f WHERE f.words @@ terms[last - 6]::tsquery LIMIT 64) s)::int AS sample,
            terms[last - 21]::tsquery AS n, terms[last - 14]::tsquery AS t, terms[last - 7]::tsquery AS c
          FROM generate_series(28, cardinality(terms), 28) AS last OFFSET 0
        ) AS word;
      IF rarest > 0 THEN
        IF cardinality(samples) > 1 AND all_samples < 64 THEN
          query := (SELECT string_agg(terms[small], '&') FROM generate_series(22, cardinality(terms), 28) AS small)::tsquery;
        END IF;
        IF query IS NULL OR 1 < (SELECT count(*) FROM (SELECT FROM ${kind}_facets f WHERE f.words @@ query LIMIT 2) s) THEN
          RETURN QUERY SELECT * FROM find_${kind}s(terms::tsquery[], of_categories, of_shelves, at_least, at_most, rated,
            is_featured, of_pricing, tagged, cap${isListing ? ", currencies, leasts, mosts" : ""});
          RETURN;
        END IF;
      END IF;
      -- Each shard of the index is searched for the rare words; their matches are tested for words that are much more common.
      RETURN QUERY SELECT f.item_id, (
          SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
          FROM unnest(in_name, in_tags, in_creator) AS word (n, t, c)), f.price, f.created_at
        FROM (
          SELECT string_agg(terms[28 * word - part], '&') FILTER (WHERE samples[word] <= 3 * rarest + 1)::tsquery AS rare,
            string_agg(terms[28 * word - part], '&') FILTER (WHERE samples[word] > 3 * rarest + 1)::tsquery AS common
          FROM generate_series(1, 6) AS part, generate_series(1, cardinality(samples)) AS word GROUP BY part
        ) AS shard CROSS JOIN LATERAL (SELECT * FROM ${kind}_facets AS facets WHERE facets.words @@ shard.rare OFFSET 0) AS f
        WHERE (shard.common IS NULL OR ts_match_vq(f.words, shard.common))
              AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most)${isListing ? currencyCondition : ""}
              AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR (SELECT s.rating FROM item_stats s WHERE s.item_id = f.item_id) >= rated);
    END $$`
}

/** Searches with few matches take one statement instead of one for each field and shard. */
export const searchOfFewMatches: ReadonlyArray<string> = [searchFunction("listing"), searchFunction("soul")]
