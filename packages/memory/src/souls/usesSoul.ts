import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables } from "../MarketTables.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"

/** Whether the account downloaded the soul, or holds a license for it that is valid at `now` (EVENT-5). */
export const usesSoul = (tables: MarketTables, soul: SoulId, account: AccountId, now: Timestamp): boolean =>
  tables.downloads.get(soul)?.has(account) === true || hasLiveLicense(tables, account, soul, now)
