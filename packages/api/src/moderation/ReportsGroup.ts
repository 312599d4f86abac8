import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { choice } from "@agent-marketplace/core/fields/InputRules"
import type { ItemId, ReportId } from "@agent-marketplace/core/ids/Ids"
import type { Report as Stored } from "@agent-marketplace/core/moderation/Report"
import { reasonCodes } from "@agent-marketplace/core/moderation/ReasonCode"
import { reportActions, reportReasons, reportStatuses } from "@agent-marketplace/core/moderation/Report"
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

const reportFields = {
  id: ResponseField.text("Prefix `rpt_`.", "rpt_01j9zq5k2f8h3m6n7p0r4s"),
  itemId: ResponseField.text("The reported listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  reason: ResponseField.choice(reportReasons, "Why it was reported.", "malware"),
  text: ResponseField.text("What the reporter wrote.", "Its install script sends SSH keys to a server."),
  status: ResponseField.choice(reportStatuses, "Whether an operator has decided.", "open"),
  createdAt: ResponseField.time("When it was reported."),
  resolvedAt: ResponseField.timeOrNull("When an operator decided; null while it is open.", null)
}

const Report = Schema.Struct(reportFields).annotate({ identifier: "Report", description: "The caller's report." })

const AdminReport = Schema.Struct({
  ...reportFields,
  reporterId: ResponseField.text("The account that reported it.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  action: Schema.NullOr(Schema.Literals(reportActions)).annotate({
    description: "What the operator did; null while it is open.",
    examples: [null]
  })
}).annotate({ identifier: "AdminReport", description: "A report as operators see it." })

const ReportInput = Schema.Struct({
  reason: field(
    choice(reportReasons).annotateKey({ messageMissingKey: "is required" }),
    "Why the item should not be sold.",
    "malware"
  ),
  text: field(
    boundedText({ min: 1, max: 2000 }).annotateKey({ messageMissingKey: "is required" }),
    "What is wrong, and where: 1 to 2,000 characters. The creator does not see it.",
    "Its install script sends SSH keys to a server."
  )
}).annotate({ identifier: "ReportInput", description: "A report of an item." })

const ResolveInput = Schema.Struct({
  action: field(
    choice(reportActions).annotateKey({ messageMissingKey: "is required" }),
    "`none` also ends a quarantine that the reports caused.",
    "quarantine"
  ),
  reason: field(reasonText, "1 to 1,000 characters; the creator sees it.", "It sends SSH keys to a server."),
  code: field(optional(choice(reasonCodes)), "By default that of the report.", "theft")
}).annotate({ identifier: "ResolveReportInput", description: "A decision about the reports of an item." })

const ownReport = ({ createdAt, id, itemId, reason, resolvedAt, status, text }: Stored) => ({
  id,
  itemId,
  reason,
  text,
  status,
  createdAt: Timestamp.toIso(createdAt),
  resolvedAt: resolvedAt === null ? null : Timestamp.toIso(resolvedAt)
})

/** A report in a response to its author (REPORT-1). */
export const toReport = (report: Stored): typeof Report.Type => ownReport(report)

/** A report in a response to an operator (REPORT-5). */
export const toAdminReport = (report: Stored): typeof AdminReport.Type => ({
  ...ownReport(report),
  reporterId: report.reporterId,
  action: report.action
})

const report = endpoint.post("report", "/api/v1/items/:id/reports", {
  summary: "Report an item",
  description: "Tells the operator that an item should not be sold. Each account reports an item once.",
  access: access.write("BUYER", "SELLER", "FULL"),
  params: { id: field(idOf<ItemId>(), "A listing's or a soul's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") },
  payload: ReportInput,
  success: enveloped(Report).pipe(HttpApiSchema.status(201)),
  errors: ["LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "CONFLICT"]
})

/** Reports of items (REPORT-1, REPORT-2). */
export const ReportsGroup = HttpApiGroup.make("reports")
  .add(report)
  .annotateMerge(OpenApi.annotations({ title: "Reports", description: "Items that should not be sold." }))

const list = endpoint.get("list", "/api/v1/admin/reports", {
  summary: "List reports",
  description: "Reports of items, oldest first.",
  access: access.admin,
  query: { status: Query.choice(reportStatuses, "Only those in this state.", "open"), ...pageQuery },
  success: pageOf(Schema.Array(AdminReport).annotate({ description: "The reports of the page, oldest first." }))
})

const resolve = endpoint.post("resolve", "/api/v1/admin/reports/:id/resolve", {
  summary: "Decide about reports",
  description:
    "Decides about all open reports of the item. `suspend` takes it off sale until it is approved or restored, `quarantine` stops its releases, " +
    "`revoke` also publishes an advisory that tells installers to remove it.",
  access: access.admin,
  params: { id: field(idOf<ReportId>(), "The report's id.", "rpt_01j9zq5k2f8h3m6n7p0r4s") },
  payload: ResolveInput,
  success: enveloped(AdminReport),
  errors: ["REPORT_NOT_FOUND", "LISTING_NOT_FOUND", "SOUL_NOT_FOUND", "CONFLICT"]
})

/** The operator's routes for reports (REPORT-5). */
export const AdminReportsGroup = HttpApiGroup.make("adminReports")
  .add(list, resolve)
  .annotateMerge(OpenApi.annotations({ title: "Operator: reports", description: "With the operator's token." }))
