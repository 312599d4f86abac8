import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import type { ApprovalRow, PolicyJson } from "./ApprovalRow.ts"
import { approvalOf, policyOf } from "./ApprovalRow.ts"
import { writePolicy } from "./writePolicy.ts"

const newestFirst = "requested_at DESC, seq DESC"

const all = pageQuery("*", "approvals", "account_id = $3::text", newestFirst)

const inStatus = pageQuery("*", "approvals", "account_id = $3::text AND status = $4::text", newestFirst)

const due = `
  SELECT * FROM approvals WHERE status = 'pending' AND expires_at <= $1::timestamptz ORDER BY expires_at LIMIT $2::int`

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
      setPolicy: (subject, policy) => attempt(writePolicy(sql, subject, policy))
    }))
  )
}
