import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import { checkQuota, quotaOf } from "@agent-marketplace/core/identity/Quotas"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Result } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import type { LiveRecord } from "./liveRecords.ts"
import { liveRecords } from "./liveRecords.ts"

/** Whether the account may create `added` more records, or bytes: it is not frozen, and they are within its quota (QUOTA-1). */
export const admitRecord = (
  tables: MarketTables,
  account: AccountId | null,
  quota: LiveRecord,
  now: Timestamp,
  added = 1
): Result.Result<void, AccountFrozen | QuotaExceeded> => {
  const owner = account === null ? undefined : tables.accounts.get(account)
  if (owner === undefined) return Result.void
  if (owner.frozen !== null) return Result.fail(new AccountFrozen(owner.frozen))
  // Counting takes time in proportion to the account's records, so it is skipped where the result is not needed.
  if (quotaOf(owner, quota) === null) return Result.void
  return checkQuota(owner, quota, liveRecords[quota](tables, owner.id, now) + added, added)
}
