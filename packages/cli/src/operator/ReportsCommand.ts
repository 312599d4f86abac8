import type { AdminReport } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<AdminReport>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ITEM", value: ({ itemId }) => itemId },
  { title: "REASON", value: ({ reason }) => reason },
  { title: "TEXT", value: ({ text }) => plain.line(text), yields: true },
  { title: "REPORTER", value: ({ reporterId }) => reporterId },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const status = Flag.Literals("status", ["open", "resolved"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("open" as const)
)

const queue = Command.make("list", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ status, page: String(page), limit: String(limit) })
    const path = `/api/v1/admin/reports?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<AdminReport>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No reports." }))
  })
).pipe(Command.withDescription("List the reports of items, oldest first"))

const resolve = Command.make(
  "resolve",
  {
    id: Argument.String("report").pipe(Argument.withDescription("A report's id, rpt_…")),
    action: Flag.Literals("action", ["none", "suspend", "quarantine", "revoke"]).pipe(
      Flag.withDescription("What happens to the item; none also ends a quarantine that reports caused")
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("1 to 1,000 characters; the creator sees it")),
    code: optionalText("code", "The code of the reason; by default that of the report")
  },
  ({ action, code, id, reason }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/reports/${encodeURIComponent(id)}/resolve`
      const body = { action, reason, ...(Option.isSome(code) ? { code: code.value } : {}) }
      const resolved = yield* adminSend<AdminReport>({ method: "POST", path, body })
      yield* report(resolved, () => `The reports of ${resolved.itemId} are resolved: ${action}.`)
    })
).pipe(Command.withDescription("Decide about all open reports of an item"))

export const reportsCommand = Command.make("reports").pipe(
  Command.withDescription("Reports of items that should not be sold"),
  Command.withSubcommands([queue, resolve])
)
