import { Result } from "effect"

/** A JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** RFC 8785 sorts names by UTF-16 code units, which is what `<` compares. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

const faultOf = (value: string | number): string | undefined => {
  if (typeof value === "string") return isWellFormed(value) ? undefined : "contains an unpaired surrogate"
  return Number.isFinite(value) ? undefined : "is a number that JSON cannot express"
}

const write = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => byCodeUnits(a, b))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${write(field)}`).join(",")}}`
}

const fault = (value: Json, path: string): string | undefined => {
  if (typeof value === "string" || typeof value === "number") {
    const found = faultOf(value)
    return found === undefined ? undefined : `${path} ${found}`
  }
  if (value === null || typeof value !== "object") return undefined
  for (const [name, field] of Object.entries(value)) {
    const found = isWellFormed(name) ? fault(field, `${path}.${name}`) : `a name in ${path} ${faultOf(name)}`
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The canonical form of a JSON value (RFC 8785): equal values have equal texts, whatever the order of their fields (SIGN-2). Numbers that are
 * not finite and unpaired surrogates have no canonical form, so it fails for them.
 */
export const canonicalJson = (value: Json): Result.Result<string, string> => {
  const found = fault(value, "$")
  return found === undefined ? Result.succeed(write(value)) : Result.fail(found)
}
