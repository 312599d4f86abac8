import type { AdvisoryDraft } from "@agent-marketplace/core/advisories/Advisory"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

const insert = `
  INSERT INTO advisory_drafts (item_id, creator_id, versions, sha256, severity, reason, action)
  SELECT item_id, creator_id, ARRAY(SELECT json_array_elements_text(versions)), ARRAY(SELECT json_array_elements_text(sha256)), severity,
    reason, action
  FROM json_to_recordset($1::json) AS draft (item_id text, creator_id text, versions json, sha256 json, severity text, reason text,
    action text)`

/** Records drafts of advisories, in the current transaction. */
export const insertDrafts = (sql: SqlClient, drafts: ReadonlyArray<AdvisoryDraft>): Effect.Effect<void, SqlError> =>
  drafts.length === 0
    ? Effect.void
    : Effect.asVoid(
        sql.unsafe(insert, [
          JSON.stringify(
            drafts.map(({ creatorId, itemId, ...rest }) => ({ ...rest, item_id: itemId, creator_id: creatorId }))
          )
        ])
      )
