import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { isLicenseValid } from "@agent-marketplace/core/purchases/Purchase"
import { entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** Whether the account holds a license for the item that is valid at `now`. */
export const hasLiveLicense = (tables: MarketTables, account: AccountId, item: ItemId, now: Timestamp): boolean =>
  Index.records(tables.purchasesOfItem, entitlementKey(account, item), tables.purchases).some((purchase) =>
    isLicenseValid(purchase, now)
  )
