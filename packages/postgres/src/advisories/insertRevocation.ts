import type { RevocationDraft } from "@agent-marketplace/core/advisories/Revocation"
import { newRevocation } from "@agent-marketplace/core/advisories/Revocation"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { revocationColumns } from "./RevocationRow.ts"

const names = Object.keys(revocationColumns.columns).join(", ")

const insert = `
  INSERT INTO revocations (${names})
  SELECT ${names.replace("versions", "ARRAY(SELECT json_array_elements_text(versions))")}
  FROM json_to_record($1::json) AS given (id text, item_id text, seller_id text, versions json, reason text, operator_name text,
    operator_request_id text, at timestamptz, refund_days int, rejects_waiting boolean, until timestamptz, step text, position text,
    refunded int, amount bigint, covered bigint, rejected int, finished_at timestamptz)`

/** Records a revocation, in the current transaction. */
export const insertRevocation = (sql: SqlClient, draft: RevocationDraft): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(insert, [JSON.stringify(revocationColumns.write(newRevocation(draft)))]))
