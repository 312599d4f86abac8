import type { HeldDeposit } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { table } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

interface FoundDeposit {
  readonly accountId: string
  readonly address: string
  readonly amount: string
  readonly txHash: string
}

const columns: ReadonlyArray<Column<HeldDeposit>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ACCOUNT", value: ({ accountId }) => accountId },
  { title: "USDT", value: ({ amount }) => amount, right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "FROM", value: ({ sender }) => sender },
  {
    title: "EVIDENCE",
    value: ({ evidence }) => (evidence === null ? "" : plain.line(`${evidence.source}: ${evidence.reference}`)),
    yields: true
  },
  { title: "SINCE", value: ({ heldAt }) => when(heldAt) }
]

const status = Flag.Literals("status", ["held", "screening", "cleared", "released", "rejected", "all"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("held" as const)
)

const held = Command.make("held", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit) })
    if (status !== "all") query.set("status", status)
    const path = `/api/v1/admin/deposits?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<HeldDeposit>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No deposit found." }))
  })
).pipe(Command.withDescription("List deposits that screening held, by default those that wait for a decision"))

const decision = {
  id: Argument.String("deposit").pipe(Argument.withDescription("A deposit's id, dep_…")),
  reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")),
  yes: yesFlag
}

const decide = (id: string, decision: "release" | "reject", reason: string) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/deposits/${encodeURIComponent(id)}/${decision}`
    const decided = yield* adminSend<HeldDeposit>({ method: "POST", path, body: { reason } })
    yield* report(decided, () => `${decided.id} over ${decided.amount} USDT is ${decided.status}.`)
  })

const release = Command.make("release", decision, ({ id, reason, yes }) =>
  Effect.andThen(
    confirm(`Credit the deposit ${id} to its wallet? This cannot be undone.`, yes),
    decide(id, "release", reason)
  )
).pipe(Command.withDescription("Credit a held deposit to its wallet, after a confirmation"))

const reject = Command.make("reject", decision, ({ id, reason, yes }) =>
  Effect.andThen(
    confirm(`Never credit the deposit ${id}? Its money stays unattributed in the ledger.`, yes),
    decide(id, "reject", reason)
  )
).pipe(Command.withDescription("Reject a held deposit, which is then never credited, after a confirmation"))

const recheck = Command.make(
  "recheck",
  {
    txid: Argument.String("transaction").pipe(Argument.withDescription("The id of the transaction")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log"), Flag.optional)
  },
  ({ reason, txid }) =>
    Effect.gen(function* () {
      const body = Option.isNone(reason) ? { txid } : { txid, reason: reason.value }
      const path = "/api/v1/admin/deposits/recheck"
      const found = yield* adminSend<ReadonlyArray<FoundDeposit>>({ method: "POST", path, body })
      yield* report(found, (page) =>
        found.length === 0
          ? "No final transfer to a deposit address is in this transaction."
          : table(page, found, [
              { title: "Account", value: ({ accountId }) => accountId },
              { title: "Address", value: ({ address }) => address },
              { title: "USDT", value: ({ amount }) => amount, right: true }
            ])
      )
    })
).pipe(Command.withDescription("Credit the deposits of a final transaction that the scan missed, each once"))

/** The operator's commands for deposits that were not credited (SCREENING-6, DEPOSIT-8). */
export const depositsCommand = Command.make("deposits").pipe(
  Command.withDescription("Deposits that were not credited"),
  Command.withSubcommands([held, release, reject, recheck])
)
