/** A listing is found if its price is within the bounds of its currency. */
const currencyCondition = `
              AND (currencies IS NULL OR f.price BETWEEN leasts[array_position(currencies, f.currency)]
                AND mosts[array_position(currencies, f.currency)])`

/** The bounds of prices in each currency of listings; souls have one currency. */
const currencyParameters = `,
      currencies text[] DEFAULT NULL, leasts bigint[] DEFAULT NULL, mosts bigint[] DEFAULT NULL`

/**
 * The number of items with all words is estimated from the smallest shard, which has 1/1024 of the items. If they are few, one statement
 * looks up the words in the index of prefixes and returns every match. Otherwise `find_listings` searches one field and shard after the other,
 * up to the limit.
 */
const searchFunction = (kind: "listing" | "soul"): string => {
  const isListing = kind === "listing"
  return `CREATE OR REPLACE FUNCTION search_${kind}s(
      terms text[], of_categories text[], of_shelves text[], at_least bigint, at_most bigint, rated double precision,
      is_featured boolean, of_pricing text, tagged text[], cap int${isListing ? currencyParameters : ""}
    ) RETURNS TABLE (item_id text, relevance int, price bigint, created_at timestamptz) LANGUAGE plpgsql STABLE
    SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
    DECLARE
      -- How many items of the smallest shard have each word: 64 at most.
      samples int[];
      in_name tsquery[];
      in_tags tsquery[];
      in_creator tsquery[];
      prefixes tsquery;
      -- Words longer than the prefixes of the index.
      long_words tsquery;
      query tsquery;
    BEGIN
      SELECT array_agg(term.sample), array_agg(n), array_agg(t), array_agg(c),
          string_agg(format('%L', left(word, 16)), '&')::tsquery,
          (string_agg('(' || everywhere || ')', '&') FILTER (WHERE char_length(word) > 16))::tsquery
        INTO samples, in_name, in_tags, in_creator, prefixes, long_words
        FROM (
          SELECT (SELECT count(*) FROM (SELECT FROM ${kind}_facets f WHERE f.words @@ terms[last - 6]::tsquery LIMIT 64) s)::int AS sample,
            terms[last - 21]::tsquery AS n, terms[last - 14]::tsquery AS t, terms[last - 7]::tsquery AS c,
            -- A term of the smallest shard is '5d<word>':* with its quotes.
            substr(terms[last - 6], 4, char_length(terms[last - 6]) - 6) AS word, terms[last] AS everywhere
          FROM generate_series(28, cardinality(terms), 28) AS last OFFSET 0
        ) AS term;
      IF 0 < ALL (samples) THEN
        IF cardinality(samples) > 1 AND 64 > (SELECT sum(sample) FROM unnest(samples) AS sample) THEN
          query := (SELECT string_agg(terms[small], '&') FROM generate_series(22, cardinality(terms), 28) AS small)::tsquery;
        END IF;
        IF query IS NULL OR 1 < (SELECT count(*) FROM (SELECT FROM ${kind}_facets f WHERE f.words @@ query LIMIT 2) s) THEN
          RETURN QUERY SELECT * FROM find_${kind}s(terms::tsquery[], of_categories, of_shelves, at_least, at_most, rated,
            is_featured, of_pricing, tagged, cap${isListing ? ", currencies, leasts, mosts" : ""});
          RETURN;
        END IF;
      END IF;
      RETURN QUERY SELECT f.item_id, (
          SELECT sum(CASE WHEN f.words @@ n THEN 8 WHEN f.words @@ t THEN 4 WHEN f.words @@ c THEN 2 ELSE 1 END)::int
          FROM unnest(in_name, in_tags, in_creator) AS word (n, t, c)), f.price, f.created_at
        FROM (SELECT * FROM ${kind}_facets AS facets WHERE prefixes_of(facets.words) @@ prefixes OFFSET 0) AS f
        WHERE (long_words IS NULL OR ts_match_vq(f.words, long_words))
              AND (of_categories IS NULL OR f.category = ANY(of_categories)) AND (at_least IS NULL OR f.price >= at_least)
              AND (at_most IS NULL OR f.price <= at_most)${isListing ? currencyCondition : ""}
              AND (is_featured IS NULL OR f.featured = is_featured)
              AND (of_pricing IS NULL OR f.pricing_model = of_pricing)
              AND (tagged IS NULL OR f.tags && tagged)
              AND (rated IS NULL OR (SELECT s.rating FROM item_stats s WHERE s.item_id = f.item_id) >= rated);
    END $$`
}

/** The index of prefixes. It has no statistics: no plan needs them, and ANALYZE would call `prefixes_of` for every sampled row. */
const prefixIndex = (kind: "listing" | "soul"): ReadonlyArray<string> => [
  `CREATE INDEX ${kind}_facets_prefixes ON ${kind}_facets USING gin (prefixes_of(words)) WITH (fastupdate = off)`,
  `ALTER INDEX ${kind}_facets_prefixes ALTER COLUMN 1 SET STATISTICS 0`
]

/** Searches with few matches look up a prefix as one exact entry instead of scanning all words that begin with it. */
export const prefixesOfWords: ReadonlyArray<string> = [
  // Every prefix of up to 16 characters of every word by which a public item is found. PL/pgSQL, because PostgreSQL may inline a function in SQL into the index's expression, and queries would no longer match it.
  `CREATE FUNCTION prefixes_of(words tsvector) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN
      RETURN coalesce((
        SELECT array_to_tsvector(array_agg(left(word, length)))
        FROM (SELECT substr(lexeme, 3) AS word FROM unnest(words) WHERE lexeme ^@ ANY ('{0d,1d,2d,3d,4d,5d}')) AS found,
          generate_series(1, least(16, char_length(word))) AS length
      ), '');
    END $$`,
  ...prefixIndex("listing"),
  ...prefixIndex("soul"),
  searchFunction("listing"),
  searchFunction("soul")
]
