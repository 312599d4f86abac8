import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"

/**
 * An account of the ledger. `wallet:` is money that its owner can spend; `locked:` is the owner's held money; `chain` is the outside world
 * (its balance is minus everything that the service owes); `platform` is what the service has earned. `held` is deposits that are not decided
 * yet, and `unattributed` those that the operator rejected: no wallet's money, and not the platform's (SCREENING-6).
 */
export type LedgerAccount =
  `wallet:${AccountId}` | `locked:${AccountId}` | "platform" | "chain" | "held" | "unattributed"

export const walletOf = (account: AccountId): LedgerAccount => `wallet:${account}`
export const lockedOf = (account: AccountId): LedgerAccount => `locked:${account}`

/** Why money moved. */
export type LineType =
  | "deposit"
  /** A deposit that is recorded without being credited. */
  | "deposit_held"
  | "deposit_rejected"
  | "hold"
  | "release"
  | "purchase"
  | "sale_fee"
  | "refund"
  | "fee_return"
  /** Used by older lines: money that the platform gave for a seller, before such amounts became debts. */
  | "cover"
  /** A loan of the platform to a seller, for a refund. */
  | "debt"
  /** A seller's repayment of such a loan. */
  | "repayment"
  | "withdrawal"
  | "withdrawal_fee"

/** One posting: `amount` (10⁻⁶ USDT, above zero) leaves `debit` and reaches `credit`. Never changed, never deleted (LEDGER-6). */
export interface LedgerLine {
  readonly type: LineType
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: Usdt
  /** The id of the purchase, renewal, withdrawal or deposit behind it. */
  readonly reference: string
  readonly at: Timestamp
}

/** How a line appears in a wallet's list of transactions (LEDGER-1, LEDGER-2). */
export type TransactionType = "deposit" | "withdrawal" | "purchase" | "sale" | "fee" | "refund" | "hold" | "release"

/** The type of a line from the view of the debited or credited wallet. */
export const transactionType = (type: LineType, side: "debit" | "credit"): TransactionType => {
  switch (type) {
    case "deposit_held":
    case "deposit_rejected":
      return "deposit"
    case "purchase":
      return side === "debit" ? "purchase" : "sale"
    case "sale_fee":
    case "fee_return":
    case "withdrawal_fee":
      return "fee"
    case "cover":
    case "debt":
    case "repayment":
      return "refund"
    default:
      return type
  }
}

/** The balances of a wallet, never negative (LEDGER-5), and its lifetime totals. All can be recomputed from the lines. */
export interface WalletBalance {
  readonly available: Usdt
  readonly locked: Usdt
  readonly totalDeposits: Usdt
  /** Completed withdrawals with their fee (WALLET-4). */
  readonly totalWithdrawals: Usdt
  /** Net of refunds. */
  readonly totalSpent: Usdt
  /** Net of refunds and of the platform's fee (WALLET-3). */
  readonly totalEarned: Usdt
  /** The wallet's debt to the platform for refunds that the platform paid (DEBT-1). */
  readonly debt: Usdt
}

export const emptyBalance: WalletBalance = {
  available: Usdt.zero,
  locked: Usdt.zero,
  totalDeposits: Usdt.zero,
  totalWithdrawals: Usdt.zero,
  totalSpent: Usdt.zero,
  totalEarned: Usdt.zero,
  debt: Usdt.zero
}

const balanceKeys = Object.keys(emptyBalance) as ReadonlyArray<keyof WalletBalance>

/** The sum of two balances, field by field. */
export const addBalances = (a: WalletBalance, b: WalletBalance): WalletBalance => {
  const sum: { -readonly [K in keyof WalletBalance]: Usdt } = { ...a }
  for (const key of balanceKeys) sum[key] = Usdt.of(a[key] + b[key])
  return sum
}

type Total = Exclude<keyof WalletBalance, "available" | "locked">

/** The total that a line changes on each side, and its sign. */
const totals: Readonly<
  Record<LineType, { readonly debit?: readonly [Total, 1n | -1n]; readonly credit?: readonly [Total, 1n | -1n] }>
> = {
  deposit: { credit: ["totalDeposits", 1n] },
  deposit_held: {},
  deposit_rejected: {},
  hold: {},
  release: {},
  purchase: { debit: ["totalSpent", 1n], credit: ["totalEarned", 1n] },
  sale_fee: { debit: ["totalEarned", -1n] },
  refund: { debit: ["totalEarned", -1n], credit: ["totalSpent", -1n] },
  fee_return: { credit: ["totalEarned", 1n] },
  cover: { credit: ["totalEarned", 1n] },
  debt: { credit: ["debt", 1n] },
  repayment: { debit: ["debt", -1n] },
  withdrawal: { debit: ["totalWithdrawals", 1n] },
  withdrawal_fee: { debit: ["totalWithdrawals", 1n] }
}

/**
 * A wallet's balance after a line. Lines of other accounts do not change it. For every wallet, available + locked = deposits + earned −
 * spent − withdrawals + debt (WALLET-2).
 */
export const post = (balance: WalletBalance, account: AccountId, line: LedgerLine): WalletBalance => {
  const wallet = walletOf(account)
  const locked = lockedOf(account)
  const next: { -readonly [K in keyof WalletBalance]: bigint } = { ...balance }
  const effects = totals[line.type]
  if (line.debit === wallet || line.debit === locked) {
    next[line.debit === wallet ? "available" : "locked"] -= line.amount
    if (effects.debit !== undefined) next[effects.debit[0]] += effects.debit[1] * line.amount
  }
  if (line.credit === wallet || line.credit === locked) {
    next[line.credit === wallet ? "available" : "locked"] += line.amount
    if (effects.credit !== undefined) next[effects.credit[0]] += effects.credit[1] * line.amount
  }
  return next as WalletBalance
}
