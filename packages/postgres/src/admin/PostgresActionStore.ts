import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { ActionState, OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { ActionId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"
import { appendActions } from "./appendActions.ts"

interface ActionRow extends PageRow {
  readonly id: string
  readonly at: Time
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: ActionState
  readonly after: ActionState
  readonly reason: string | null
  readonly request_id: string
}

const actionOf = ({ at, id, request_id, ...row }: ActionRow): OperatorAction => ({
  id: id as ActionId,
  at: time(at),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  before: row.before,
  after: row.after,
  reason: row.reason,
  requestId: request_id
})

const columns = "seq, id, at, actor, action, subject, before, after, reason, request_id"

/** One text for each combination of filters, so that each has its own plan. */
const listOf = (actor: boolean, subject: boolean): string => {
  const conditions = [...(actor ? ["actor = $3::text"] : []), ...(subject ? [`subject = $${actor ? 4 : 3}::text`] : [])]
  return pageQuery(columns, "operator_actions", conditions.join(" AND ") || "true", "seq DESC")
}

export const PostgresActionStore: { readonly layer: Layer.Layer<ActionStore, never, Database> } = {
  layer: Layer.effect(
    ActionStore,
    Effect.map(Database, ({ attempt, read, sql }) => ({
      append: (action) => attempt(appendActions(sql, [action])),
      list: ({ actor, subject }, page) =>
        Effect.map(
          read<ActionRow>(listOf(actor !== undefined, subject !== undefined), [
            ...pageParameters(page),
            ...[actor, subject].filter((each) => each !== undefined)
          ]),
          (rows) => pageOf(rows, actionOf)
        )
    }))
  )
}
