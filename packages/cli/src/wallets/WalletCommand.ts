import type { Spending, Transaction, WalletBalance } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { withBars } from "../terminal/bars.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { addressesCommand } from "./AddressesCommand.ts"
import { withdrawalRulesCommand } from "./WithdrawalRulesCommand.ts"
import { budgetCommand, policyCommand } from "./PolicyCommand.ts"
import { cancelWithdrawalCommand, withdrawalsCommand, withdrawCommand } from "./WithdrawalsCommand.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { timelineFlags, timelineText } from "./timeline.ts"

/** Proceeds of sales, and when each part becomes available. */
const escrowOf = (escrow: WalletBalance["escrow"]): string =>
  escrow.map(({ amount, releasedAt }) => `${usdt(amount)} until ${when(releasedAt)}`).join(", ")

const balance = callAndReport(
  (market, options) => market.wallet.balance(options),
  (page, wallet) =>
    fields(page, [
      ["available", usdt(wallet.availableBalance)],
      ["locked", usdt(wallet.lockedBalance)],
      ["balance", usdt(wallet.balance)],
      ["pending", usdt(wallet.pendingBalance)],
      ["debt", wallet.debt === 0 ? undefined : usdt(wallet.debt)],
      ["in escrow", escrowOf(wallet.escrow)],
      ["deposited", usdt(wallet.totalDeposits)],
      ["withdrawn", usdt(wallet.totalWithdrawals)],
      ["spent", usdt(wallet.totalSpent)],
      ["earned", usdt(wallet.totalEarned)]
    ])
)

const balanceCommand = Command.make("balance", {}, () => balance).pipe(
  Command.withDescription("Show the wallet's balances and lifetime totals")
)

const deposit = callAndReport(
  (market, options) => market.wallet.deposit(options),
  (page, info) => {
    const facts = fields(page, [
      ["address", info.address],
      ["chain", info.chain],
      ["currency", info.currency],
      ["balance", `${info.balance} ${info.currency}`],
      ["QR code", info.qrCode]
    ])
    return page.isTerminal ? `${facts}\n\nSend only USDT on TRON (TRC-20). It is credited after 1 to 2 minutes.` : facts
  }
)

const depositCommand = Command.make("deposit", {}, () => deposit).pipe(
  Command.withDescription("Show the address for deposits of USDT")
)

const columns: ReadonlyArray<Column<Transaction>> = [
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) },
  { title: "TYPE", value: ({ type }) => type },
  { title: "AMOUNT", value: ({ amount }) => amount, right: true },
  { title: "BALANCE", value: ({ balanceAfter }) => balanceAfter, right: true },
  { title: "REFERENCE", value: ({ reference }) => reference, yields: true }
]

const transactionsCommand = Command.make("transactions", pageFlags, (page) =>
  callAndReport((market, options) => market.wallet.transactions(page, options), listOf(columns, "No transactions yet."))
).pipe(Command.withDescription("List the wallet's transactions, newest first"))

const nothingSpent = "Nothing was spent."

const spendingColumns: ReadonlyArray<Column<Spending>> = [
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true },
  { title: "PAYMENTS", value: ({ count }) => String(count), right: true }
]

const spendingCommand = Command.make(
  "spending",
  {
    by: Flag.Literals("by", ["agent", "category", "seller", "day"]).pipe(
      Flag.withDescription("What the amounts are grouped by"),
      Flag.withDefault("day")
    ),
    from: optionalText("from", "From this date or instant on"),
    to: optionalText("to", "Before this date or instant"),
    ...pageFlags
  },
  ({ by, from, limit, page, to }) =>
    Effect.gen(function* () {
      const query = { by, from: Option.getOrUndefined(from), to: Option.getOrUndefined(to), page, limit }
      const found = yield* callMarket((market, options) => market.wallet.spending(query, options))
      yield* report(found, (page) => {
        const columns = withBars(page, found, spendingColumns, ({ amount }) => amount)
        return list(page, { rows: found, columns, empty: nothingSpent })
      })
    })
).pipe(Command.withDescription("Show what was spent, by agent, category, seller or day"))

const timelineCommand = Command.make(
  "timeline",
  {
    by: Flag.Literals("by", ["total", "agent", "category", "seller"]).pipe(
      Flag.withDescription("What has amounts of its own; the five largest, and the others together"),
      Flag.withDefault("total")
    ),
    ...timelineFlags
  },
  ({ by, from, per, to }) => {
    const query = { by, per, from: Option.getOrUndefined(from), to: Option.getOrUndefined(to) }
    return callAndReport(
      (market, options) => market.wallet.spendingTimeline(query, options),
      (page, timeline) => timelineText(page, timeline, by, nothingSpent)
    )
  }
).pipe(Command.withDescription("Show what was spent in each day or month"))

export const walletCommand = Command.make("wallet").pipe(
  Command.withDescription("Balance, deposits, withdrawals, transactions and the spending policy"),
  Command.withSubcommands([
    balanceCommand,
    depositCommand,
    withdrawCommand,
    withdrawalsCommand,
    cancelWithdrawalCommand,
    addressesCommand,
    withdrawalRulesCommand,
    transactionsCommand,
    policyCommand,
    budgetCommand,
    spendingCommand,
    timelineCommand
  ])
)
