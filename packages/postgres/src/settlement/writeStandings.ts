import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import type { SavedAddress } from "@agent-marketplace/core/wallets/WithdrawalRules"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import { date, nullableDate } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import { withdrawalRulesJson } from "../wallets/WithdrawalRulesRow.ts"

const writePolicies = `
  INSERT INTO withdrawal_policies (account_id, policy)
  SELECT account_id, policy::jsonb FROM json_to_recordset($1::json) AS changed (account_id text, policy text)
  ON CONFLICT (account_id) DO UPDATE SET policy = EXCLUDED.policy`

/** Before the new ones, so that an address that is removed can be saved again in the same batch. */
const removeAddresses = "DELETE FROM withdrawal_addresses WHERE id = ANY($1::text[])"

const saveAddresses = `
  INSERT INTO withdrawal_addresses (id, account_id, address, label, created_at)
  SELECT id, account_id, address, label, created_at
  FROM json_to_recordset($1::json) AS saved (id text, account_id text, address text, label text, created_at timestamptz)`

const savedAddressRow = (account_id: AccountId, { address, createdAt, id, label }: SavedAddress) => ({
  id,
  account_id,
  address,
  label,
  created_at: date(createdAt)
})

const setPause = "UPDATE payouts SET paused_at = $1::timestamptz, reason = $2::text"

/** Writes rules for withdrawals, address books, the pause of payouts and the operator's log, in the transaction that is under way. */
export const writeStandings = Effect.fnUntraced(function* (
  sql: SqlClient,
  { actions, payouts, savedAddresses, withdrawalRules }: WriteSet
): Effect.fn.Return<void, SqlError> {
  if (withdrawalRules.size > 0) {
    const rows = [...withdrawalRules].map(([account_id, stored]) => ({
      account_id,
      policy: withdrawalRulesJson(stored)
    }))
    yield* sql.unsafe(writePolicies, [JSON.stringify(rows)])
  }
  if (savedAddresses.size > 0) {
    const removed = [...savedAddresses].flatMap(([id, { saved }]) => (saved === null ? [id] : []))
    const added = [...savedAddresses.values()].flatMap(({ accountId, saved }) =>
      saved === null ? [] : [savedAddressRow(accountId, saved)]
    )
    yield* sql.unsafe(removeAddresses, [arrayOf("text", removed)])
    yield* sql.unsafe(saveAddresses, [JSON.stringify(added)])
  }
  const last = payouts.at(-1)
  if (last !== undefined) {
    yield* sql.unsafe(setPause, [nullableDate(last.pause?.since ?? null), last.pause?.reason ?? null])
  }
  yield* appendActions(sql, actions)
})
