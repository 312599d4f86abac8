import { popularSales } from "@agent-marketplace/core/names/NameFindings"

/** For a renamed popular item among the rows of `given`. */
export const renamePopular = `
    UPDATE popular_names SET near_keys = near_keys(given.name_keys[1]) FROM given
    WHERE item_id = given.id AND popular_names.near_keys IS DISTINCT FROM near_keys(given.name_keys[1])`

/** For those of the items `$1` that have many sales since a moment ago. Most have few, so their names are not read. */
export const addPopular = `
  INSERT INTO popular_names (item_id, near_keys)
  SELECT item_id, near_keys(name_keys[1]) FROM item_stats CROSS JOIN LATERAL (
    SELECT name_keys FROM listings WHERE id = item_id
    UNION ALL SELECT name_keys FROM souls WHERE id = item_id
  ) AS item
  WHERE item_id = ANY($1::text[]) AND sales >= ${popularSales} AND name_keys IS NOT NULL
    AND NOT EXISTS (SELECT FROM popular_names WHERE popular_names.item_id = item_stats.item_id)
  ORDER BY item_id ON CONFLICT DO NOTHING`
