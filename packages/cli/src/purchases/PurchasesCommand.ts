import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { confirm } from "../terminal/confirm.ts"
import { fields } from "../terminal/fields.ts"
import { list } from "../terminal/list.ts"
import { moreFooter } from "../terminal/moreFooter.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import { when } from "../terminal/when.ts"
import { yesFlag } from "../terminal/yesFlag.ts"
import { purchaseColumns } from "./purchaseColumns.ts"
import { usdt } from "../terminal/usdt.ts"

const id = Argument.String("purchase").pipe(Argument.withDescription("A purchase's id, pur_…"))

const show = Command.make("show", { id }, (input) =>
  Effect.gen(function* () {
    const purchase = yield* ask((market, options) => market.purchases.get(input.id, options))
    yield* report(purchase, (page) =>
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
  })
).pipe(Command.withDescription("Show a purchase with its license"))

const refund = Command.make("refund", { id, yes: yesFlag }, (input) =>
  Effect.gen(function* () {
    yield* confirm(`Give the buyer of ${input.id} the price back?`, input.yes)
    const sale = yield* ask((market, options) => market.purchases.refund(input.id, options))
    yield* report(sale, () => `Refunded ${usdt(sale.amount)}.`)
  })
).pipe(Command.withDescription("Refund what one has sold, within 14 days"))

const sales = Command.make("sales", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.sales.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns: purchaseColumns, empty: "Nothing sold yet." }))
  })
).pipe(Command.withDescription("List what one has sold"))

export const purchasesCommand = Command.make("purchases", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.purchases.list({ page, limit }, options))
    const footer = moreFooter(page, found.purchases.length, found.pagination.total, limit)
    yield* report(found, (paper) =>
      list(paper, { rows: found.purchases, columns: purchaseColumns, empty: "Nothing bought yet.", footer })
    )
  })
).pipe(Command.withDescription("List what one has bought"), Command.withSubcommands([show, sales, refund]))
