import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { amount, date } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import type { SpentRow } from "../settlement/spentWindows.ts"
import { budgetsNow } from "../settlement/spentWindows.ts"
import type { PolicyJson } from "./ApprovalRow.ts"
import { approvalColumns, policyOf } from "./ApprovalRow.ts"
import { changePolicy, writePolicy } from "./writePolicy.ts"

const newestFirst = "requested_at DESC, seq DESC"

/** Null matches every state, or every agent. */
const list = pageQuery(
  "*",
  "approvals",
  "account_id = $3::text AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR agent_id = $5)",
  newestFirst
)

const due = `
  SELECT * FROM approvals WHERE status = 'pending' AND expires_at <= $1::timestamptz ORDER BY expires_at LIMIT $2::int`

export const PostgresApprovalStore: { readonly layer: Layer.Layer<ApprovalStore, never, Database> } = {
  layer: Layer.effect(
    ApprovalStore,
    Effect.map(Database, ({ attempt, read, sql, transaction }) => ({
      find: (id) =>
        Effect.map(read<Row>(`SELECT * FROM approvals WHERE id = $1::text`, [id]), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), approvalColumns.read)
        ),
      list: (account, { agentId, status }, page) =>
        Effect.map(
          read<Row & PageRow>(list, [...pageParameters(page), account, status ?? null, agentId ?? null]),
          (rows) => pageOf(rows, approvalColumns.read)
        ),
      due: (now, limit) => Effect.map(read<Row>(due, [date(now), limit]), (rows) => rows.map(approvalColumns.read)),
      policy: (subject) =>
        Effect.map(
          read<{ readonly policy: PolicyJson }>(`SELECT policy FROM policies WHERE subject_id = $1::text`, [subject]),
          ([row]) => Option.map(Option.fromUndefinedOr(row), ({ policy }) => policyOf(policy))
        ),
      changePolicy: (subject, rule) => transaction(changePolicy(sql, subject, rule)),
      budgets: (subjects, now) =>
        Effect.map(
          read<SpentRow & { readonly policy: PolicyJson }>(budgetsNow, [arrayOf("text", subjects), date(now)]),
          (rows) =>
            rows.map((row) => ({
              policy: policyOf(row.policy),
              spent: { day: amount(row.day), week: amount(row.week), month: amount(row.month) }
            }))
        ),
      setPolicy: (subject, policy) => attempt(writePolicy(sql, subject, policy))
    }))
  )
}
