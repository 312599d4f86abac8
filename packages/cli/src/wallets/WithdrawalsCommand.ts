import type { Withdrawal } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { sendOnce, idempotencyKeyFlag } from "../idempotency/sendOnce.ts"
import { callMarket } from "../identity/session.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { amountOf, usdt, when } from "../terminal/format.ts"
import { list, moreFooter, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"

/** The fields of a withdrawal. */
const withdrawalFields = (page: Page, withdrawal: Withdrawal): string =>
  fields(page, [
    ["withdrawal", withdrawal.id],
    ["amount", usdt(withdrawal.amount)],
    ["fee", usdt(withdrawal.fee)],
    ["total", usdt(withdrawal.totalAmount)],
    ["to", withdrawal.destinationAddress],
    ["status", withdrawal.status]
  ])

const withdrawalColumns: ReadonlyArray<Column<Withdrawal>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true },
  { title: "FEE", value: ({ fee }) => usdt(fee), right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TO", value: ({ destinationAddress }) => destinationAddress, yields: true },
  { title: "TRANSACTION", value: ({ txHash }) => txHash ?? "", yields: true },
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) }
]

export const withdrawCommand = Command.make(
  "withdraw",
  {
    amount: Argument.String("amount").pipe(Argument.withDescription("In USDT; the fee is added")),
    address: Argument.String("address").pipe(Argument.withDescription("The TRON address to pay to")),
    quote: optionalText("quote", "The id of a quote, whose fee counts"),
    yes: yesFlag,
    idempotencyKey: idempotencyKeyFlag
  },
  ({ address, amount, idempotencyKey, quote, yes }) =>
    Effect.gen(function* () {
      const exact = yield* amountOf("amount", amount)
      yield* confirm(`Withdraw ${exact} USDT to ${address}? This cannot be undone.`, yes)
      const order = `withdraw ${exact} ${address}${Option.isNone(quote) ? "" : ` ${quote.value}`}`
      const made = yield* sendOnce(order, Option.getOrUndefined(idempotencyKey), (market, options) =>
        market.wallet.withdraw(
          { amount: exact, destinationAddress: address, ...(Option.isNone(quote) ? {} : { quote: quote.value }) },
          options
        )
      )
      yield* report(made, (page) => withdrawalFields(page, made))
    })
).pipe(Command.withDescription("Withdraw to a TRON address, after a confirmation. Needs an owner's FULL key"))

export const cancelWithdrawalCommand = Command.make(
  "cancel",
  { id: Argument.String("withdrawal").pipe(Argument.withDescription("A withdrawal's id, wdr_…")) },
  ({ id }) => callAndReport((market, options) => market.wallet.cancelWithdrawal(id, options), withdrawalFields)
).pipe(Command.withDescription("Cancel a withdrawal that is not yet broadcast"))

const quoteCommand = Command.make(
  "quote",
  {
    amount: Argument.String("amount").pipe(Argument.withDescription("In USDT, what is to arrive")),
    address: Argument.String("address").pipe(Argument.withDescription("The TRON address to pay to"))
  },
  ({ address, amount }) =>
    Effect.gen(function* () {
      const wanted = { amount: yield* amountOf("amount", amount), destinationAddress: address }
      const quote = yield* callMarket((market, options) => market.wallet.quoteWithdrawal(wanted, options))
      yield* report(quote, (page) =>
        fields(page, [
          ["quote", quote.id],
          ["arrives", usdt(quote.receives)],
          ["fee", usdt(quote.fee)],
          ["total", usdt(quote.total)],
          ["valid until", when(quote.expiresAt)],
          ["new on the chain", quote.activatesAddress ? "yes" : "no"]
        ])
      )
    })
).pipe(Command.withDescription("Show what a withdrawal costs, and hold that fee for 15 minutes"))

const show = Command.make(
  "show",
  { id: Argument.String("withdrawal").pipe(Argument.withDescription("A withdrawal's id, wdr_…")) },
  ({ id }) => callAndReport((market, options) => market.wallet.withdrawal(id, options), withdrawalFields)
).pipe(Command.withDescription("Show one withdrawal"))

export const withdrawalsCommand = Command.make("withdrawals", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* callMarket((market, options) => market.wallet.withdrawals({ page, limit }, options))
    const footer = moreFooter(page, found.withdrawals.length, found.pagination.total, limit)
    yield* report(found, (page) =>
      list(page, { rows: found.withdrawals, columns: withdrawalColumns, empty: "No withdrawals yet.", footer })
    )
  })
).pipe(Command.withDescription("List withdrawals, newest first"), Command.withSubcommands([show, quoteCommand]))
