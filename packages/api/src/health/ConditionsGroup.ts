import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Condition as CoreCondition } from "@agent-marketplace/core/health/Condition"
import { conditionKinds, conditionMessages } from "@agent-marketplace/core/health/Condition"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

/** What `/readyz` shows of a condition. */
export const conditionFields = {
  kind: field(Schema.Literals(conditionKinds), "The kind of condition.", "payouts_paused"),
  message: ResponseField.text("What is wrong.", conditionMessages.payouts_paused),
  since: ResponseField.time("When it was first found.")
}

/** A condition as an operator sees it (OPERATOR-26). */
const Condition = Schema.Struct({
  ...conditionFields,
  detail: ResponseField.textOrNull("What was found, for example the answer of each node.", "The hot wallet is moved."),
  endedAt: ResponseField.timeOrNull("When it was found to be over; null while it holds.", null)
}).annotate({ identifier: "Condition", description: "A period in which a condition degraded the service." })

export const toCondition = ({ detail, endedAt, kind, since }: CoreCondition): typeof Condition.Type => ({
  kind,
  message: conditionMessages[kind],
  since: Timestamp.toIso(since),
  detail,
  endedAt: endedAt === null ? null : Timestamp.toIso(endedAt)
})

const conditions = endpoint.get("conditions", "/api/v1/admin/conditions", {
  summary: "List what degrades the service",
  description: "Open and ended conditions, newest first. `/readyz` shows the open ones without `detail`.",
  access: access.admin,
  query: {
    status: Query.choice(["open", "ended"], "Only those that hold, or have ended.", "open"),
    ...pageQuery
  },
  success: pageOf(Schema.Array(Condition).annotate({ description: "The conditions of the page, newest first." }))
})

/** The operator's view of the service's health (OPERATOR-26). */
export const ConditionsGroup = HttpApiGroup.make("adminConditions")
  .add(conditions)
  .annotateMerge(OpenApi.annotations({ title: "Operator: conditions", description: "With the operator's token." }))
