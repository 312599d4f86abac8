import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import type { WithdrawalStanding } from "@agent-marketplace/core/wallets/WithdrawalStanding"
import { emptyStanding, standingWith } from "@agent-marketplace/core/wallets/WithdrawalStanding"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** What decides on the account's withdrawals at `now`. */
export const withdrawalStanding = (tables: MarketTables, account: AccountId, now: Timestamp): WithdrawalStanding => {
  const withdrawals = Index.records(tables.withdrawalsOf, account, tables.withdrawals)
  const addresses = Index.records(tables.savedAddressesOf, account, tables.savedAddresses)
  const start: WithdrawalStanding = {
    ...emptyStanding,
    rules: tables.withdrawalRules.get(account) ?? openRules,
    addresses: new Map(addresses.map((saved) => [saved.id, saved]))
  }
  return withdrawals.reduce((standing, withdrawal) => standingWith(standing, undefined, withdrawal, now), start)
}
