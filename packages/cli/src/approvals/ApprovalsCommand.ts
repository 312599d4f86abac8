import type { Approval } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"
import { usdt } from "../terminal/usdt.ts"

const columns: ReadonlyArray<Column<Approval>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: ({ amount }) => usdt(amount), right: true },
  { title: "AGENT", value: ({ agentId }) => agentId ?? "" },
  { title: "STATUS", value: ({ status }) => status },
  { title: "EXPIRES", value: ({ expiresAt }) => when(expiresAt) }
]

const status = Flag.Literals("status", ["pending", "approved", "rejected", "expired", "all"]).pipe(
  Flag.withDescription("Only those in this state"),
  Flag.withDefault("pending" as const)
)

export const approvalsCommand = Command.make("approvals", { status, ...pageFlags }, (wanted) =>
  Effect.gen(function* () {
    const { limit, page, status } = wanted
    const filter = { page, limit, ...(status === "all" ? {} : { status }) }
    const found = yield* ask((market, options) => market.approvals.list(filter, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "Nothing waits for you." }))
  })
).pipe(Command.withDescription("List the purchases that wait for their owner"))
