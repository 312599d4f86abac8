import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import type { MarketTables } from "../MarketTables.ts"

/** The wallet that every account has from its creation on. An account without one is a fault, never one without money. */
export const walletOf = (tables: MarketTables, account: AccountId): WalletBalance => {
  const wallet = tables.wallets.get(account)
  if (wallet === undefined) throw new ConstraintViolated("wallets_account", account)
  return wallet
}
