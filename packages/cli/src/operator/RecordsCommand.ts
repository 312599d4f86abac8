import type { Sale } from "@agent-marketplace/client/wire/Endpoints"
import type { AdminPurchase, OperatorAction } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import type { Column } from "../terminal/table.ts"
import { randomUUID } from "node:crypto"
import { adminSend } from "./adminSend.ts"

const purchaseColumns: ReadonlyArray<Column<AdminPurchase>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ITEM", value: ({ skill }) => skill.name, yields: true },
  { title: "BUYER", value: ({ buyerId }) => buyerId, yields: true },
  { title: "SELLER", value: ({ sellerId }) => sellerId, yields: true },
  { title: "PRICE", value: ({ amount }) => usdt(amount), right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "WHEN", value: ({ purchasedAt }) => when(purchasedAt) }
]

const actionColumns: ReadonlyArray<Column<OperatorAction>> = [
  { title: "WHEN", value: ({ at }) => when(at) },
  { title: "ACTOR", value: ({ actor }) => actor, yields: true },
  { title: "ACTION", value: ({ action }) => action },
  { title: "SUBJECT", value: ({ subject }) => subject, yields: true },
  { title: "REASON", value: ({ reason }) => reason ?? "", yields: true }
]

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** The query of a list, from the given filters. */
const queryOf = (filters: Readonly<Record<string, Option.Option<string>>>, page: number, limit: number): string => {
  const query = new URLSearchParams({ page: String(page), limit: String(limit) })
  for (const [name, value] of Object.entries(filters)) if (Option.isSome(value)) query.set(name, value.value)
  return query.toString()
}

const showPurchase = Command.make(
  "show",
  { id: Argument.String("purchase").pipe(Argument.withDescription("A purchase's id, pur_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/purchases/${encodeURIComponent(id)}`
      const found = yield* adminSend<AdminPurchase>({ method: "GET", path })
      yield* report(found, (page) =>
        fields(page, [
          ["purchase", found.id],
          ["item", found.skill.name],
          ["item id", found.skill.id],
          ["buyer", found.buyerId],
          ["seller", found.sellerId],
          ["price", usdt(found.amount)],
          ["fee", usdt(found.fee)],
          ["status", found.status],
          ["when", when(found.purchasedAt)]
        ])
      )
    })
).pipe(Command.withDescription("Show one purchase"))

const refund = Command.make(
  "refund",
  {
    id: Argument.String("purchase").pipe(Argument.withDescription("A purchase's id, pur_…, or a renewal's, ren_…")),
    reason: text("reason", "Why; sent to the buyer's and the seller's webhooks"),
    force: Flag.Boolean("force").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Even if the seller then owes the platform more than REFUND_COVER_LIMIT"),
      Flag.withDefault(false)
    ),
    yes: yesFlag
  },
  ({ force, id, reason, yes }) =>
    Effect.gen(function* () {
      yield* confirm(
        `Refund ${id}? If the seller's balance is too low, the platform pays the rest and the seller owes it.`,
        yes
      )
      const sale = yield* adminSend<Sale>({
        method: "POST",
        path: `/api/v1/purchases/${encodeURIComponent(id)}/refund`,
        body: { reason: Option.getOrUndefined(reason), force },
        // A second refund of the same purchase is refused, so a repetition needs no stored idempotency key.
        idempotencyKey: randomUUID()
      })
      yield* report(sale, () => `Refunded ${usdt(sale.amount)}.`)
    })
).pipe(Command.withDescription("Refund a sale or a renewal within 180 days"))

/** The purchases of all accounts. */
export const adminPurchasesCommand = Command.make(
  "purchases",
  {
    account: text("account", "Only purchases of this buyer or seller, by its id"),
    item: text("item", "Only purchases of this item, by its id"),
    status: text("status", "Only purchases with this status"),
    ...pageFlags
  },
  ({ limit, page, ...filters }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/purchases?${queryOf(filters, page, limit)}`
      const found = yield* adminSend<ReadonlyArray<AdminPurchase>>({ method: "GET", path })
      yield* report(found, (page) => list(page, { rows: found, columns: purchaseColumns, empty: "No purchase found." }))
    })
).pipe(Command.withDescription("List purchases of all accounts"), Command.withSubcommands([showPurchase, refund]))

/** The log of the operator's writes. */
export const actionsCommand = Command.make(
  "actions",
  {
    actor: text("actor", "Only actions of this operator"),
    subject: text("subject", "Only actions on this record, by its id"),
    ...pageFlags
  },
  ({ limit, page, ...filters }) =>
    Effect.gen(function* () {
      const path = `/api/v1/admin/actions?${queryOf(filters, page, limit)}`
      const found = yield* adminSend<ReadonlyArray<OperatorAction>>({ method: "GET", path })
      yield* report(found, (page) => list(page, { rows: found, columns: actionColumns, empty: "No action found." }))
    })
).pipe(Command.withDescription("List what operators have changed, newest first"))
