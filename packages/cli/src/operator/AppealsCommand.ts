import type { AdminAppeal } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<AdminAppeal>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ITEM", value: ({ itemId }) => itemId },
  { title: "DECISION", value: ({ subject, version }) => (version === null ? subject : `${subject} of ${version}`) },
  { title: "REASON", value: ({ reason }) => plain.line(reason ?? ""), yields: true },
  { title: "APPEAL", value: ({ text }) => plain.line(text), yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const status = Flag.Literals("status", ["open", "upheld", "overturned"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("open" as const)
)

const queue = Command.make("list", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ status, page: String(page), limit: String(limit) })
    const path = `/api/v1/admin/appeals?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<AdminAppeal>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No appeals." }))
  })
).pipe(Command.withDescription("List the appeals of creators, oldest first"))

const decide = Command.make(
  "decide",
  {
    id: Argument.String("appeal").pipe(Argument.withDescription("An appeal's id, apl_…")),
    decision: Flag.Literals("decision", ["upheld", "overturned"]).pipe(
      Flag.withDescription("Whether the decision stays; overturned undoes it")
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("1 to 1,000 characters; the creator sees it"))
  },
  ({ decision, id, reason }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/appeals/${encodeURIComponent(id)}/decide`
      const decided = yield* adminSend<AdminAppeal>({ method: "POST", path, body: { decision, reason } })
      yield* report(decided, () => `The ${decided.subject} of ${decided.itemId} is ${decided.status}.`)
    })
).pipe(Command.withDescription("Uphold or overturn a decision"))

export const appealsCommand = Command.make("appeals").pipe(
  Command.withDescription("Appeals of decisions about items"),
  Command.withSubcommands([queue, decide])
)
