import type { AdminWithdrawal, Payouts } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<AdminWithdrawal>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ACCOUNT", value: ({ accountId }) => accountId },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true },
  { title: "STATUS", value: ({ needsReview, status }) => (needsReview ? "in review" : status) },
  { title: "TO", value: ({ destinationAddress }) => destinationAddress, yields: true },
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) }
]

const status = Flag.Literals("status", ["in_review", "pending", "completed", "failed", "cancelled", "all"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("in_review" as const)
)

const listed = Command.make("list", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit) })
    if (status !== "all") query.set("status", status)
    const path = `/api/v1/admin/withdrawals?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<AdminWithdrawal>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No withdrawal found." }))
  })
).pipe(Command.withDescription("List withdrawals, by default those that wait for a decision"))

const id = Argument.String("withdrawal").pipe(Argument.withDescription("A withdrawal's id, wdr_…"))

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/withdrawals/${encodeURIComponent(id)}`
    const found = yield* adminSend<AdminWithdrawal>({ method: "GET", path })
    yield* report(found, (page) =>
      fields(page, [
        ["withdrawal", found.id],
        ["account", found.accountId],
        ["amount", usdt(found.amount)],
        ["fee", usdt(found.fee)],
        ["to", found.destinationAddress],
        ["status", found.needsReview ? "in review" : found.status],
        [
          "flagged by",
          found.screening === null ? null : plain.line(`${found.screening.source}: ${found.screening.reference}`)
        ],
        ["transaction", found.txHash],
        ["when", when(found.createdAt)]
      ])
    )
  })
).pipe(Command.withDescription("Show one withdrawal"))

const decide = (id: string, decision: "approve" | "reject" | "hold" | "settle", body?: object) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/withdrawals/${encodeURIComponent(id)}/${decision}`
    const decided = yield* adminSend<AdminWithdrawal>({ method: "POST", path, body })
    yield* report(decided, () => `${decided.id} over ${usdt(decided.amount)} is ${decided.status}.`)
  })

const approve = Command.make("approve", { id, yes: yesFlag }, ({ id, yes }) =>
  Effect.andThen(confirm(`Pay the withdrawal ${id}? This cannot be undone.`, yes), decide(id, "approve"))
).pipe(Command.withDescription("Approve a withdrawal, after a confirmation; it is paid then"))

const reject = Command.make(
  "reject",
  { id, reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")) },
  ({ id, reason }) => decide(id, "reject", { reason })
).pipe(Command.withDescription("Reject a withdrawal and return its money to the wallet"))

const hold = Command.make(
  "hold",
  { id, reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")) },
  ({ id, reason }) => decide(id, "hold", { reason })
).pipe(Command.withDescription("Make a withdrawal wait for a decision, while nothing was sent"))

const settle = Command.make(
  "settle",
  {
    id,
    txid: Flag.String("transaction").pipe(Flag.withDescription("The id of the transaction that paid it")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")),
    yes: yesFlag
  },
  ({ id, reason, txid, yes }) =>
    Effect.andThen(
      confirm(`Record that ${txid} paid the withdrawal ${id}? It is then completed.`, yes),
      decide(id, "settle", { txid, reason })
    )
).pipe(Command.withDescription("Complete a withdrawal with the transaction that paid it, as proven on the chain"))

const reason = Flag.String("reason").pipe(Flag.withDescription("Why, for the action log"), Flag.optional)

const shown = ({ paused, reason, since }: Payouts): string =>
  paused
    ? `Payouts have been paused since ${when(since)}${reason === null ? "" : `: ${plain.line(reason)}`}.`
    : "Payouts are not paused."

const turn = (path: string, given: Option.Option<string>) =>
  Effect.gen(function* () {
    const body = Option.isNone(given) ? {} : { reason: given.value }
    const payouts = yield* adminSend<Payouts>({ method: "POST", path, body })
    yield* report(payouts, () => shown(payouts))
  })

const pause = Command.make("pause", { reason }, ({ reason }) => turn("/api/v1/admin/payouts/pause", reason)).pipe(
  Command.withDescription("Stop all payouts; withdrawals are accepted and wait")
)

const resume = Command.make("resume", { reason }, ({ reason }) => turn("/api/v1/admin/payouts/resume", reason)).pipe(
  Command.withDescription("Pay the withdrawals that waited")
)

/** The operator's commands for withdrawals (OPERATOR-21, OPERATOR-22). */
export const payoutCommands = [
  Command.make("withdrawals").pipe(
    Command.withDescription("List withdrawals, and decide on those that wait for the operator"),
    Command.withSubcommands([listed, show, approve, reject, hold, settle])
  ),
  Command.make("payouts", {}, () =>
    Effect.gen(function* () {
      const payouts = yield* adminSend<Payouts>({ method: "GET", path: "/api/v1/admin/payouts" })
      yield* report(payouts, () => shown(payouts))
    })
  ).pipe(Command.withDescription("Show whether payouts are paused"), Command.withSubcommands([pause, resume]))
] as const
