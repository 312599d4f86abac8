import type { Limit, Standing } from "./RateLimits.ts"

const isTighter = (a: Standing, b: Standing): boolean => {
  const [hardA, hardB] = [a.passed && !a.limit.soft, b.passed && !b.limit.soft]
  if (hardA !== hardB) return hardA
  if (a.remaining !== b.remaining) return a.remaining < b.remaining
  return a.resetAt > b.resetAt
}

/** The limit with the fewest requests left; of those that refuse, the one that refuses longest. */
export const tightestOf = (standings: ReadonlyArray<Standing>): Standing | undefined => {
  let tightest = standings[0]
  for (const standing of standings) if (tightest !== undefined && isTighter(standing, tightest)) tightest = standing
  return tightest
}

/** The window as ERROR-19 shows it: `1m`, `1h`. */
export const windowName = ({ windowSeconds }: Limit): string => {
  if (windowSeconds % 3600 === 0) return `${windowSeconds / 3600}h`
  return windowSeconds % 60 === 0 ? `${windowSeconds / 60}m` : `${windowSeconds}s`
}

/** The three headers of LIMIT-10; the reset is in epoch seconds, never before the window's end. */
export const setLimitHeaders = (headers: Record<string, string>, standing: Standing): void => {
  headers["x-ratelimit-limit"] = String(standing.limit.limit)
  headers["x-ratelimit-remaining"] = String(standing.remaining)
  headers["x-ratelimit-reset"] = String(Math.ceil(standing.resetAt / 1000))
}

/** Whole seconds until a refused request may be repeated, at least 1. */
export const retryAfter = (standing: Standing, now: number): string =>
  String(Math.max(1, Math.ceil((standing.resetAt - now) / 1000)))

/** The headers of a refusal because too many streams or uploads are open. They omit the limits of requests, which did not apply. */
export const setOpenLimit = (
  headers: Record<string, string>,
  { limit, resetAt }: { readonly limit: number; readonly resetAt: number }
): void => {
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = "0"
  headers["x-ratelimit-reset"] = String(Math.ceil(resetAt / 1000))
  headers["retry-after"] = String(Math.max(1, Math.ceil((resetAt - Date.now()) / 1000)))
}
