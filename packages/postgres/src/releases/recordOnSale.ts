import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { eachListed } from "../catalogue/listedItems.ts"

/** `new` has at most a few releases: those that this change puts on sale, or scanned by another ruleset. */
const record = `
  WITH new AS (
    UPDATE releases SET on_sale_since = coalesce(on_sale_since, market_now()), keyed_ruleset = ruleset
    WHERE item_id = $1::text AND status = 'published' AND keyed_ruleset IS DISTINCT FROM ruleset AND ${eachListed("$1::text")}
    RETURNING id, item_id, sha256, ruleset, on_sale_since
  )
  INSERT INTO copy_keys (item_id, key, creator_id, release_id, since)
  SELECT new.item_id, key, coalesce(listings.creator_id, souls.author_id), new.id, on_sale_since
  FROM new JOIN sketches USING (sha256, ruleset) CROSS JOIN unnest(sketches.keys) AS key
  LEFT JOIN listings ON listings.id = new.item_id LEFT JOIN souls ON souls.id = new.item_id
  ORDER BY on_sale_since, new.id
  ON CONFLICT DO NOTHING`

/** Other items are compared with the releases that are on sale since this change of the item, in the current transaction (RELEASE-30). */
export const recordOnSale = (sql: SqlClient, item: ItemId): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(record, [item]))
