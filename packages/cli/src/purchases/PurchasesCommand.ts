import type { Purchase, Sale } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, listOf, moreFooter, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { timelineFlags, timelineText } from "../wallets/timeline.ts"

/** The columns of purchases and sales. */
const purchaseColumns: ReadonlyArray<Column<Purchase | Sale>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: ({ amount }) => usdt(amount), right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "WHEN", value: ({ purchasedAt }) => when(purchasedAt) }
]

const id = Argument.String("purchase").pipe(Argument.withDescription("A purchase's id, pur_…"))

const show = Command.make("show", { id }, (input) =>
  callAndReport(
    (market, options) => market.purchases.get(input.id, options),
    (page, purchase) =>
      fields(page, [
        ["purchase", purchase.id],
        ["what", purchase.skill.name],
        ["slug", purchase.skill.slug],
        ["seller", purchase.skill.creator],
        ["price", usdt(purchase.amount)],
        ["status", purchase.status],
        ["license", purchase.licenseKey],
        ["license type", purchase.licenseType],
        ["valid", purchase.isValid ? "yes" : "no"],
        ["when", when(purchase.purchasedAt)]
      ])
  )
).pipe(Command.withDescription("Show a purchase with its license"))

const reasonFlag = optionalText("reason", "Why; sent to the buyer's and the seller's webhooks")

const refund = Command.make("refund", { id, reason: reasonFlag, yes: yesFlag }, (input) =>
  Effect.gen(function* () {
    yield* confirm(`Refund ${input.id}? The buyer gets the price back.`, input.yes)
    const sale = yield* callMarket((market, options) =>
      market.purchases.refund(input.id, { reason: Option.getOrUndefined(input.reason) }, options)
    )
    yield* report(sale, () => `Refunded ${usdt(sale.amount)}.`)
  })
).pipe(Command.withDescription("Refund a sale or a renewal within 14 days"))

const sales = Command.make("sales", pageFlags, (page) =>
  callAndReport((market, options) => market.sales.list(page, options), listOf(purchaseColumns, "Nothing sold yet."))
).pipe(Command.withDescription("List the account's sales"))

const earnings = Command.make(
  "earnings",
  {
    by: Flag.Literals("by", ["total", "item"]).pipe(
      Flag.withDescription("What has amounts of its own; the five largest items, and the others together"),
      Flag.withDefault("total")
    ),
    ...timelineFlags
  },
  ({ by, from, per, to }) => {
    const query = { by, per, from: Option.getOrUndefined(from), to: Option.getOrUndefined(to) }
    return callAndReport(
      (market, options) => market.sales.timeline(query, options),
      (page, timeline) => timelineText(page, timeline, by, "Nothing was earned.")
    )
  }
).pipe(Command.withDescription("Show what sales earned in each day or month, after fees and refunds"))

export const purchasesCommand = Command.make("purchases", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* callMarket((market, options) => market.purchases.list({ page, limit }, options))
    const footer = moreFooter(page, found.purchases.length, found.pagination.total, limit)
    yield* report(found, (page) =>
      list(page, { rows: found.purchases, columns: purchaseColumns, empty: "Nothing bought yet.", footer })
    )
  })
).pipe(
  Command.withDescription("List the account's purchases"),
  Command.withSubcommands([show, sales, earnings, refund])
)
