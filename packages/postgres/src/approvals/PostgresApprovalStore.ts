import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Effect, Layer, Option } from "effect"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import type { ApprovalRow, PolicyJson } from "./ApprovalRow.ts"
import { approvalOf, policyJson, policyOf } from "./ApprovalRow.ts"

const newestFirst = "requested_at DESC, seq DESC"

const all = pageQuery("*", "approvals", "account_id = $3::text", newestFirst)

const inStatus = pageQuery("*", "approvals", "account_id = $3::text AND status = $4::text", newestFirst)

const due = `
  SELECT * FROM approvals WHERE status = 'pending' AND expires_at <= $1::timestamptz ORDER BY expires_at LIMIT $2::int`

/** The longest of the rolling windows that has a limit, in days. */
const windowDays = ({ dailyLimit, monthlyLimit, weeklyLimit }: SpendingPolicy): number =>
  monthlyLimit !== null ? 30 : weeklyLimit !== null ? 7 : dailyLimit !== null ? 1 : 0

export const PostgresApprovalStore: { readonly layer: Layer.Layer<ApprovalStore, never, Database> } = {
  layer: Layer.effect(
    ApprovalStore,
    Effect.map(Database, ({ attempt, read, sql }) => ({
      find: (id) =>
        Effect.map(read<ApprovalRow>(`SELECT * FROM approvals WHERE id = $1::text`, [id]), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), approvalOf)
        ),
      list: (account, status, page) =>
        Effect.map(
          read<ApprovalRow & PageRow>(status === undefined ? all : inStatus, [
            ...pageParameters(page),
            account,
            ...(status === undefined ? [] : [status])
          ]),
          (rows) => pageOf(rows, approvalOf)
        ),
      due: (now, limit) => Effect.map(read<ApprovalRow>(due, [date(now), limit]), (rows) => rows.map(approvalOf)),
      policy: (subject) =>
        Effect.map(
          read<{ readonly policy: PolicyJson }>(`SELECT policy FROM policies WHERE subject_id = $1::text`, [subject]),
          ([row]) => Option.map(Option.fromUndefinedOr(row), ({ policy }) => policyOf(policy))
        ),
      setPolicy: (subject, policy) =>
        Effect.asVoid(
          attempt(sql`
            INSERT INTO policies (subject_id, policy, window_days)
            VALUES (${subject}, ${JSON.stringify(policyJson(policy))}::jsonb, ${windowDays(policy)}::int)
            ON CONFLICT (subject_id) DO UPDATE SET policy = EXCLUDED.policy, window_days = EXCLUDED.window_days`)
        )
    }))
  )
}
