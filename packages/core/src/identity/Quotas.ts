import { Result } from "effect"
import { QuotaExceeded } from "../errors/MarketError.ts"
import type { QuotaName } from "../errors/MarketError.ts"

/** An account's own quotas; what is missing follows the tier (OPERATOR-23). */
export type Quotas = Readonly<Partial<Record<QuotaName, number>>>

/** What a free account may have; releases in bytes (QUOTA-1). Rate limits are apart: these hold without them too (QUOTA-4). */
const free: Readonly<Record<QuotaName, number>> = {
  souls: 100,
  listings: 100,
  agents: 20,
  keys: 50,
  webhooks: 20,
  releaseBytes: 200 * 1_048_576
}

export const quotaNames = Object.keys(free) as ReadonlyArray<QuotaName>

/** The account, as far as its quotas go. */
interface Holder {
  readonly quotas: Quotas
  readonly tier: "free" | "pro" | "enterprise"
}

/** How many the account may have; null is unlimited (QUOTA-2). */
export const quotaOf = ({ quotas, tier }: Holder, name: QuotaName): number | null => {
  const own = quotas[name]
  if (own !== undefined) return own
  if (tier === "enterprise") return null
  return tier === "pro" ? 10 * free[name] : free[name]
}

/** Whether the account may have so many; `used` counts the one that is to be added. */
export const checkQuota = (holder: Holder, name: QuotaName, used: number): Result.Result<void, QuotaExceeded> => {
  const limit = quotaOf(holder, name)
  return limit === null || used <= limit
    ? Result.void
    : Result.fail(new QuotaExceeded({ quota: name, limit, used: used - 1 }))
}

/** What a change of an account's quotas says: null follows the tier again. */
export type QuotaPatch = Readonly<Partial<Record<QuotaName, number | null>>>

export const patchedQuotas = (quotas: Quotas, patch: QuotaPatch = {}): Quotas =>
  Object.fromEntries(
    quotaNames.flatMap((name) => {
      const value = patch[name] === undefined ? quotas[name] : patch[name]
      return value === undefined || value === null ? [] : [[name, value] as const]
    })
  )
