import type { WaitingRelease } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<WaitingRelease>> = [
  { title: "ITEM", value: ({ itemId }) => itemId },
  { title: "VERSION", value: ({ version }) => version },
  { title: "STATUS", value: ({ status }) => status },
  { title: "LEVEL", value: ({ level }) => level ?? "" },
  { title: "REASON", value: ({ reason }) => plain.line(reason?.text ?? ""), yields: true },
  { title: "SINCE", value: ({ waitingSince }) => when(waitingSince) }
]

const status = Flag.Literals("status", ["in_review", "quarantined"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.optional
)

/** RELEASE-29. */
export const releasesCommand = Command.make("releases", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit) })
    if (Option.isSome(status)) query.set("status", status.value)
    const path = `/api/v1/admin/releases?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<WaitingRelease>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No release waits." }))
  })
).pipe(Command.withDescription("Releases that wait for a decision (operator items), the oldest first"))
