import { windows } from "@agent-marketplace/core/approvals/SpendingWindows"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Result } from "effect"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { PolicyJson } from "./ApprovalRow.ts"
import { policyJson, policyOf } from "./ApprovalRow.ts"

/** The longest of the rolling windows that has a limit, in days. */
const windowDays = ({ dailyLimit, monthlyLimit, weeklyLimit }: SpendingPolicy): number => {
  const limited = [
    dailyLimit === null ? 0 : windows.day,
    weeklyLimit === null ? 0 : windows.week,
    monthlyLimit === null ? 0 : windows.month
  ]
  return Math.max(...limited) / Timestamp.day
}

const write = `
  INSERT INTO policies (subject_id, policy, window_days) VALUES ($1::text, $2::jsonb, $3::int)
  ON CONFLICT (subject_id) DO UPDATE SET policy = EXCLUDED.policy, window_days = EXCLUDED.window_days`

/** Stores the policy of the account or agent. */
export const writePolicy = (
  sql: SqlClient,
  subject: AccountId | AgentId,
  policy: SpendingPolicy
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(write, [subject, JSON.stringify(policyJson(policy)), windowDays(policy)]))

/** A row to lock, so that even the first changes of a subject are serialized. */
const ensure = `
  INSERT INTO policies (subject_id, policy, window_days) VALUES ($1::text, $2::jsonb, 0) ON CONFLICT DO NOTHING`

const lock = `SELECT policy FROM policies WHERE subject_id = $1::text FOR UPDATE`

/** See `ApprovalStore.changePolicy`; in the current transaction. */
export const changePolicy = Effect.fnUntraced(function* <E>(
  sql: SqlClient,
  subject: AccountId | AgentId,
  rule: (policy: SpendingPolicy) => Result.Result<SpendingPolicy, E>
): Effect.fn.Return<SpendingPolicy, SqlError | E> {
  yield* sql.unsafe(ensure, [subject, JSON.stringify(policyJson(defaultPolicy))])
  const [row] = yield* sql.unsafe<{ readonly policy: PolicyJson }>(lock, [subject])
  if (row === undefined) return yield* Effect.die("a policy that was just written cannot be found")
  const changed = yield* Effect.fromResult(rule(policyOf(row.policy)))
  yield* writePolicy(sql, subject, changed)
  return changed
})
