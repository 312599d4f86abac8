import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { choice } from "@agent-marketplace/core/fields/InputRules"
import type { AppealId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { Appeal as Stored } from "@agent-marketplace/core/moderation/Appeal"
import { appealDecisions, appealStatuses, appealSubjects } from "@agent-marketplace/core/moderation/Appeal"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { reasonText } from "../admin/Reason.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf, optional } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const appealFields = {
  id: ResponseField.text("Prefix `apl_`.", "apl_01j9zq5k2f8h3m6n7p0r4s"),
  itemId: ResponseField.text("The listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  subject: ResponseField.choice(appealSubjects, "The kind of the appealed decision.", "quarantine"),
  version: ResponseField.textOrNull("The version of the quarantined release; null if it is about the item.", "1.4.0"),
  code: ResponseField.textOrNull("The code of the reason of that decision.", "theft"),
  reason: ResponseField.textOrNull("The reason of that decision in words.", "It sends SSH keys to a server."),
  text: ResponseField.text("What the creator wrote.", "The keys are test data, and nothing is sent."),
  status: ResponseField.choice(appealStatuses, "Whether the decision stays or was undone; `open` until then.", "open"),
  answer: ResponseField.textOrNull("The operator's reason; null while it is open.", null),
  createdAt: ResponseField.time("When it was filed."),
  decidedAt: ResponseField.timeOrNull("When an operator decided; null while it is open.", null)
}

const Appeal = Schema.Struct(appealFields).annotate({
  identifier: "Appeal",
  description: "A creator's appeal of a decision."
})

const AdminAppeal = Schema.Struct({
  ...appealFields,
  creatorId: ResponseField.text("The account that filed it.", "usr_01j9zq5k2f8h3m6n7p0r4s")
}).annotate({ identifier: "AdminAppeal", description: "An appeal as operators see it." })

const AppealInput = Schema.Struct({
  text: field(
    boundedText({ min: 1, max: 2000 }).annotateKey({ messageMissingKey: "is required" }),
    "Why the decision is wrong: 1 to 2,000 characters.",
    "The keys are test data, and nothing is sent."
  ),
  version: field(
    optional(boundedText({ min: 1, max: 100 })),
    "Appeals the quarantine of this release; without it, the first decision that was not appealed, those about the item first.",
    "1.4.0"
  )
}).annotate({ identifier: "AppealInput", description: "An appeal of a rejection, a suspension or a quarantine." })

const DecideAppealInput = Schema.Struct({
  decision: field(
    choice(appealDecisions).annotateKey({ messageMissingKey: "is required" }),
    "`overturned` undoes the decision.",
    "overturned"
  ),
  reason: field(reasonText, "1 to 1,000 characters; the creator sees it.", "The file contains test data.")
}).annotate({ identifier: "DecideAppealInput", description: "A decision about an appeal." })

/** An appeal in a response to its creator (APPEAL-1). */
export const toAppeal = (appeal: Stored): typeof Appeal.Type => {
  const { creatorId: _creatorId, decision: _decision, ...fields } = appeal
  return {
    ...fields,
    createdAt: Timestamp.toIso(appeal.createdAt),
    decidedAt: appeal.decidedAt === null ? null : Timestamp.toIso(appeal.decidedAt)
  }
}

/** An appeal in a response to an operator (APPEAL-3). */
export const toAdminAppeal = (appeal: Stored): typeof AdminAppeal.Type => ({
  ...toAppeal(appeal),
  creatorId: appeal.creatorId
})

const item = { id: field(idOf<ItemId>(), "A listing's or a soul's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }

const appeal = endpoint.post("appeal", "/api/v1/items/:id/appeals", {
  summary: "Appeal a decision",
  description:
    "Asks an operator to look again at a rejection, a suspension or a quarantine of the caller's item or of one of its releases. Each decision " +
    "is appealed once. A frozen account may appeal too. CONFLICT `nothing_to_appeal` or `appealed`.",
  access: access.write("SELLER", "FULL"),
  servesFrozen: true,
  params: item,
  payload: AppealInput,
  success: enveloped(Appeal).pipe(HttpApiSchema.status(201)),
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "CONFLICT"]
})

const own = endpoint.get("own", "/api/v1/items/:id/appeals", {
  summary: "List the appeals about an own item",
  description: "With their state and the operator's answer, newest first. For the item's creator.",
  access: access.any,
  params: item,
  query: pageQuery,
  success: pageOf(Schema.Array(Appeal).annotate({ description: "The appeals of the page, newest first." })),
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "INSUFFICIENT_PERMISSIONS"]
})

/** Appeals of creators (APPEAL-1, APPEAL-2). */
export const AppealsGroup = HttpApiGroup.make("appeals")
  .add(appeal, own)
  .annotateMerge(OpenApi.annotations({ title: "Appeals", description: "A second look at decisions about items." }))

const list = endpoint.get("list", "/api/v1/admin/appeals", {
  summary: "List appeals",
  description: "Appeals of creators, oldest first.",
  access: access.admin,
  query: { status: Query.choice(appealStatuses, "Only those in this state.", "open"), ...pageQuery },
  success: pageOf(Schema.Array(AdminAppeal).annotate({ description: "The appeals of the page, oldest first." }))
})

const decide = endpoint.post("decide", "/api/v1/admin/appeals/:id/decide", {
  summary: "Decide about an appeal",
  description:
    "`upheld`: the decision stays. `overturned`: it is undone at once, as by approving, restoring or releasing the item; nothing changes if it is " +
    "no longer in force.",
  access: access.admin,
  params: { id: field(idOf<AppealId>(), "The appeal's id.", "apl_01j9zq5k2f8h3m6n7p0r4s") },
  payload: DecideAppealInput,
  success: enveloped(AdminAppeal),
  errors: ["APPEAL_NOT_FOUND", "CONFLICT"]
})

/** The operator's routes for appeals (APPEAL-3, APPEAL-4). */
export const AdminAppealsGroup = HttpApiGroup.make("adminAppeals")
  .add(list, decide)
  .annotateMerge(OpenApi.annotations({ title: "Operator: appeals", description: "With the operator's token." }))
