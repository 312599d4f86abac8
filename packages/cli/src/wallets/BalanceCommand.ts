import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"
import { usdt } from "../terminal/usdt.ts"

const balance = Effect.gen(function* () {
  const wallet = yield* ask((market, options) => market.wallet.balance(options))
  yield* report(wallet, (page) =>
    fields(page, [
      ["available", usdt(wallet.availableBalance)],
      ["held", usdt(wallet.lockedBalance)],
      ["balance", usdt(wallet.balance)],
      ["on its way", usdt(wallet.pendingBalance)],
      ["deposited", usdt(wallet.totalDeposits)],
      ["withdrawn", usdt(wallet.totalWithdrawals)],
      ["spent", usdt(wallet.totalSpent)],
      ["earned", usdt(wallet.totalEarned)]
    ])
  )
})

export const balanceCommand = Command.make("balance", {}, () => balance).pipe(
  Command.withDescription("Show what the wallet holds, and its lifetime totals")
)
