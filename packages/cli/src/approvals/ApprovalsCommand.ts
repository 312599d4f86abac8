import type { Marketplace } from "@agent-marketplace/client"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import type { Approval } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

/** An approval's id. */
const approvalArgument = Argument.String("approval").pipe(Argument.withDescription("An approval's id, apr_…"))

/** Approves or rejects, and prints the result. */
const decide = (call: (market: Marketplace, options: CallOptions) => Promise<Approval>) =>
  Effect.gen(function* () {
    const approval = yield* callMarket(call)
    const { purchaseId, skill, status } = approval
    yield* report(approval, () => `${plain.line(skill.name)} for ${priceOf(approval)} is ${status} (${purchaseId}).`)
  })

export const approveCommand = Command.make("approve", { id: approvalArgument }, ({ id }) =>
  decide((market, options) => market.approvals.approve(id, options))
).pipe(Command.withDescription("Approve a purchase"))

export const rejectCommand = Command.make("reject", { id: approvalArgument }, ({ id }) =>
  decide((market, options) => market.approvals.reject(id, options))
).pipe(Command.withDescription("Reject a purchase; the reserved amount is released"))

const priceOf = ({ amount, period }: Approval): string =>
  period === null ? usdt(amount) : `${usdt(amount)} every ${period}`

const columns: ReadonlyArray<Column<Approval>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: priceOf, right: true },
  { title: "AGENT", value: ({ agentId }) => agentId ?? "" },
  { title: "STATUS", value: ({ status }) => status },
  { title: "EXPIRES", value: ({ expiresAt }) => when(expiresAt) }
]

const status = Flag.Literals("status", ["pending", "approved", "rejected", "expired", "all"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("pending" as const)
)

const show = Command.make("show", { id: approvalArgument }, ({ id }) =>
  callAndReport(
    (market, options) => market.approvals.get(id, options),
    (page, approval) =>
      fields(page, [
        ["approval", approval.id],
        ["item", approval.skill.name],
        ["price", priceOf(approval)],
        ["agent", approval.agentId],
        ["status", approval.status],
        ["requested", when(approval.requestedAt)],
        ["expires", when(approval.expiresAt)],
        ["decided", when(approval.decidedAt)],
        ["purchase", approval.purchaseId]
      ])
  )
).pipe(Command.withDescription("Show one approval; an agent's key shows its own"))

export const approvalsCommand = Command.make("approvals", { status, ...pageFlags }, (wanted) =>
  Effect.gen(function* () {
    const { limit, page, status } = wanted
    const filter = { page, limit, ...(status === "all" ? {} : { status }) }
    const found = yield* callMarket((market, options) => market.approvals.list(filter, options))
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No purchases await approval." }))
  })
).pipe(Command.withDescription("List the purchases that await approval"), Command.withSubcommands([show]))
