import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { DecimalLiteral } from "@agent-marketplace/core/money/DecimalLiteral"

/** A quick test: most bodies do not match it, and then no number of them has too many decimals. */
const mayLoseDigits = /\.\d{7}|\d[eE]/

interface Source {
  readonly source?: string
}

type Reviver = (this: unknown, key: string, value: unknown, context?: Source) => unknown

/** A field with a number of too many decimals, and the object that contains it. */
type Found = ReadonlyMap<unknown, ReadonlySet<string>>

const pathsIn = (value: unknown, found: Found, path: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const names = found.get(value)
  return Object.entries(value).flatMap(([key, field]) => {
    const at = path === "" ? key : `${path}.${key}`
    return names?.has(key) === true ? [at] : pathsIn(field, found, at)
  })
}

/**
 * Numbers of a JSON text with more than 6 decimals (MONEY-5). Once parsed, `5.00000000000000000001` is 5: only the text shows it. A text that
 * is not JSON has none.
 */
export const literalIssues = (text: string): ReadonlyArray<Issue> => {
  if (!mayLoseDigits.test(text)) return []
  const found = new Map<unknown, Set<string>>()
  const note: Reviver = function (key, value, context) {
    if (typeof value === "number" && context?.source !== undefined && DecimalLiteral.hasMoreDecimals(context.source)) {
      const names = found.get(this) ?? new Set<string>()
      found.set(this, names.add(key))
    }
    return value
  }
  try {
    const body: unknown = JSON.parse(text, note as (this: unknown, key: string, value: unknown) => unknown)
    return pathsIn(body, found, "").map((path) => ({ path, message: "must have at most 6 decimals" }))
  } catch {
    return []
  }
}
