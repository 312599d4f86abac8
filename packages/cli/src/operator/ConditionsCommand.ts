import type { Condition } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<Condition>> = [
  { title: "CONDITION", value: ({ kind }) => kind },
  { title: "SINCE", value: ({ since }) => when(since) },
  { title: "ENDED", value: ({ endedAt }) => (endedAt === null ? "" : when(endedAt)) },
  { title: "WHAT IS WRONG", value: ({ message }) => message, yields: true },
  { title: "DETAIL", value: ({ detail }) => detail ?? "", yields: true }
]

const all = Flag.Boolean("all").pipe(
  Flag.withoutNegation,
  Flag.withDescription("Also the conditions that have ended"),
  Flag.withDefault(false)
)

/** What degrades the service (OPERATOR-26). */
export const conditionsCommand = Command.make("conditions", { all, ...pageFlags }, ({ all, limit, page }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit), ...(all ? {} : { status: "open" }) })
    const path = `/api/v1/admin/conditions?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<Condition>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "Everything works." }))
  })
).pipe(Command.withDescription("List what degrades the service, and since when"))
