import { Conflict } from "../errors/MarketError.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Account } from "./Account.ts"

/** The name that records of an erased account show (ACCOUNT-7, ACCOUNT-9). */
export const erasedName = "Erased account"

/** The names that its agents and keys have from then on. */
export const erasedAgentName = "Erased agent"
export const erasedKeyName = "Erased key"

/** What an account still has or owes. */
export interface OpenMoney {
  readonly available: Usdt
  /** Held for purchases and withdrawals, and proceeds in escrow. */
  readonly locked: Usdt
  readonly debt: Usdt
  readonly openWithdrawals: number
  /** Sales and renewals whose proceeds are in escrow. */
  readonly escrowed: number
  /** Deposits that are seen but not final, or that are held. */
  readonly pendingDeposits: number
}

/** The reason an account cannot be erased yet, the one that takes longest to end first (ACCOUNT-10); undefined where there is none. */
export const obstacleToErasure = (money: OpenMoney): Conflict | undefined => {
  const { available, debt, escrowed, locked, openWithdrawals, pendingDeposits } = money
  if (debt > 0n) return new Conflict({ state: "debt" })
  if (escrowed > 0) return new Conflict({ state: "escrow" })
  if (openWithdrawals > 0) return new Conflict({ state: "open_withdrawals" })
  if (locked > 0n) return new Conflict({ state: "locked_balance" })
  if (pendingDeposits > 0) return new Conflict({ state: "pending_deposits" })
  return available > 0n ? new Conflict({ state: "balance" }) : undefined
}

/**
 * The account without its name and e-mail address (ACCOUNT-7). It is frozen from then on, so that nothing is bought, sold or created for
 * it, not even by a request that was under way.
 */
export const erased = (account: Account, at: Timestamp): Account => ({
  ...account,
  name: erasedName,
  email: null,
  seller: false,
  operator: false,
  frozen: { since: at, reason: "The account was erased." }
})
