import type { AccountId, ItemId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** Whether the account downloaded the item, or holds or held a license for it (ADVISORY-7). */
export const holdsItem = (tables: MarketTables, item: string, account: AccountId): boolean =>
  tables.downloads.get(item as SoulId)?.has(account) === true ||
  Index.records(tables.purchasesOfItem, entitlementKey(account, item as ItemId), tables.purchases).some(
    ({ status }) => status === "completed" || status === "refunded"
  )
