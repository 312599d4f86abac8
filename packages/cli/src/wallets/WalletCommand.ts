import { Command } from "effect/cli"
import { balanceCommand } from "./BalanceCommand.ts"
import { cancelWithdrawalCommand } from "./CancelWithdrawalCommand.ts"
import { depositCommand } from "./DepositCommand.ts"
import { policyCommand } from "./PolicyCommand.ts"
import { transactionsCommand } from "./TransactionsCommand.ts"
import { withdrawalsCommand } from "./WithdrawalsCommand.ts"
import { withdrawCommand } from "./WithdrawCommand.ts"

export const walletCommand = Command.make("wallet").pipe(
  Command.withDescription("Balance, deposits, withdrawals, ledger lines and the spending policy"),
  Command.withSubcommands([
    balanceCommand,
    depositCommand,
    withdrawCommand,
    withdrawalsCommand,
    cancelWithdrawalCommand,
    transactionsCommand,
    policyCommand
  ])
)
