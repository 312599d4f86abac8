import { createHash } from "node:crypto"

const byCodeUnits = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** A copy of a JSON value whose fields are in the order of RFC 8785. */
export const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(byCodeUnits)
      .map(([name, field]) => [name, ordered(field)])
  )
}

/** The digest of a record of the lock file under its name; every field counts, whatever their order. */
export const sealOf = (name: string, record: object): string =>
  `sha256-${createHash("sha256")
    .update(JSON.stringify([name, ordered(record)]))
    .digest("hex")}`

/** Whether two JSON values are equal, whatever the order of fields. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))
