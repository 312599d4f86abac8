import { Result } from "effect"
import { QuotaExceeded } from "../errors/MarketError.ts"
import type { QuotaName } from "../errors/MarketError.ts"

/** An account's own quotas; for those that are absent the tier's apply (OPERATOR-23). */
export type Quotas = Readonly<Partial<Record<QuotaName, number>>>

/** The quotas of a free account; releases in bytes (QUOTA-1). They apply even if rate limits are off (QUOTA-4). */
const free: Readonly<Record<QuotaName, number>> = {
  souls: 100,
  listings: 100,
  agents: 20,
  keys: 50,
  webhooks: 20,
  releaseBytes: 200 * 1_048_576
}

export const quotaNames = Object.keys(free) as ReadonlyArray<QuotaName>

/** The fields of an account that determine its quotas. */
interface Holder {
  readonly quotas: Quotas
  readonly tier: "free" | "pro" | "enterprise"
}

/** The account's limit; null is unlimited (QUOTA-2). */
export const quotaOf = ({ quotas, tier }: Holder, name: QuotaName): number | null => {
  const own = quotas[name]
  if (own !== undefined) return own
  if (tier === "enterprise") return null
  return tier === "pro" ? 10 * free[name] : free[name]
}

/** Whether the account may have this many; `used` includes the `added` records, or bytes, that are to be added. */
export const checkQuota = (
  holder: Holder,
  name: QuotaName,
  used: number,
  added = 1
): Result.Result<void, QuotaExceeded> => {
  const limit = quotaOf(holder, name)
  return limit === null || used <= limit
    ? Result.void
    : Result.fail(new QuotaExceeded({ quota: name, limit, used: used - added }))
}

/** A change of an account's quotas: null restores the tier's quota. */
export type QuotaPatch = Readonly<Partial<Record<QuotaName, number | null>>>

export const patchedQuotas = (quotas: Quotas, patch: QuotaPatch = {}): Quotas =>
  Object.fromEntries(
    quotaNames.flatMap((name) => {
      const value = patch[name] === undefined ? quotas[name] : patch[name]
      return value === undefined || value === null ? [] : [[name, value] as const]
    })
  )
