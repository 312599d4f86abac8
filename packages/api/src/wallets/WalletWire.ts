import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type {
  DepositInfo as CoreDepositInfo,
  WithdrawalQuote as CoreQuote
} from "@agent-marketplace/core/wallets/Wallets"
import type { Wallet, WalletTransaction } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal as CoreWithdrawal, WithdrawalState } from "@agent-marketplace/core/wallets/Withdrawal"
import type { DepositInfo, Transaction, WalletBalance, Withdrawal, WithdrawalQuote } from "./WalletSchemas.ts"

/** The response body of WALLET-1. */
export const toWalletBalance = (wallet: Wallet): typeof WalletBalance.Type => ({
  balance: Usdt.toNumber(wallet.available + wallet.locked),
  pendingBalance: Usdt.toNumber(wallet.pending),
  lockedBalance: Usdt.toNumber(wallet.locked),
  availableBalance: Usdt.toNumber(wallet.available),
  currency: "USDT",
  depositAddress: wallet.depositAddress,
  depositChain: "TRON",
  totalDeposits: Usdt.toNumber(wallet.totalDeposits),
  totalWithdrawals: Usdt.toNumber(wallet.totalWithdrawals),
  totalSpent: Usdt.toNumber(wallet.totalSpent),
  totalEarned: Usdt.toNumber(wallet.totalEarned),
  debt: Usdt.toNumber(wallet.debt),
  escrow: wallet.escrow.map(({ amount, releasedAt }) => ({
    amount: Usdt.toNumber(amount),
    releasedAt: Timestamp.toIso(releasedAt)
  }))
})

/** The response body of DEPOSIT-1. */
export const toDepositInfo = (deposit: CoreDepositInfo): typeof DepositInfo.Type => ({
  address: deposit.address,
  chain: "TRON",
  currency: "USDT",
  balance: Usdt.format(deposit.balance),
  qrCode: deposit.qrCode,
  hasAddress: true,
  supportedChains: ["TRON"]
})

/** The status that a withdrawal in each state has in responses. */
export const withdrawalStatusOf: Readonly<Record<WithdrawalState, (typeof Withdrawal.Type)["status"]>> = {
  in_review: "pending",
  queued: "pending",
  broadcasting: "pending",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled"
}

/** The response body of WITHDRAWAL-2. */
export const toWithdrawal = (withdrawal: CoreWithdrawal): typeof Withdrawal.Type => ({
  id: withdrawal.id,
  amount: Usdt.toNumber(withdrawal.amount),
  fee: Usdt.toNumber(withdrawal.fee),
  totalAmount: Usdt.toNumber(withdrawal.amount + withdrawal.fee),
  currency: "USDT",
  network: withdrawal.network,
  destinationAddress: withdrawal.destinationAddress,
  status: withdrawalStatusOf[withdrawal.state],
  txHash: withdrawal.state === "completed" ? (withdrawal.transaction?.txid ?? null) : null,
  createdAt: Timestamp.toIso(withdrawal.createdAt),
  completedAt: withdrawal.completedAt === null ? null : Timestamp.toIso(withdrawal.completedAt)
})

/** The response body of WITHDRAWAL-12. */
export const toWithdrawalQuote = (quote: CoreQuote): typeof WithdrawalQuote.Type => ({
  id: quote.id,
  fee: Usdt.toNumber(quote.fee),
  total: Usdt.toNumber(quote.amount + quote.fee),
  receives: Usdt.toNumber(quote.amount),
  expiresAt: Timestamp.toIso(quote.expiresAt),
  activatesAddress: quote.activatesAddress
})

/** The response body of LEDGER-1. */
export const toTransaction = (line: WalletTransaction): typeof Transaction.Type => ({
  id: line.id,
  type: line.type,
  amount: Usdt.format(line.amount),
  balanceAfter: Usdt.format(line.balanceAfter),
  agentId: line.agentId,
  reference: line.reference,
  createdAt: Timestamp.toIso(line.createdAt)
})
