import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import { checkQuota } from "@agent-marketplace/core/identity/Quotas"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Result } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { liveRecords } from "./liveRecords.ts"

/** Whether the account may create `added` more records: it is not frozen, and they are within its quota (QUOTA-1). */
export const admitRecord = (
  tables: MarketTables,
  account: AccountId | null,
  quota: "souls" | "listings" | "agents" | "keys" | "webhooks",
  now: Timestamp,
  added = 1
): Result.Result<void, AccountFrozen | QuotaExceeded> => {
  const owner = account === null ? undefined : tables.accounts.get(account)
  if (owner === undefined) return Result.void
  if (owner.frozen !== null) return Result.fail(new AccountFrozen(owner.frozen))
  return checkQuota(owner, quota, liveRecords(tables, owner.id, now)[quota] + added)
}
