const partsOf = (version: string): { readonly core: ReadonlyArray<bigint>; readonly pre: ReadonlyArray<string> } => {
  const [core = "", ...pre] = (version.split("+")[0] ?? "").split("-")
  return {
    core: core.split(".").map((part) => (/^\d+$/.test(part) ? BigInt(part) : 0n)),
    pre: pre.length === 0 ? [] : pre.join("-").split(".")
  }
}

/** As semantic versioning orders identifiers of pre-releases: numbers before texts. */
const compareIdentifiers = (a: string, b: string): number => {
  const [isA, isB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isA && isB) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0
  if (isA !== isB) return isA ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether one semantic version comes before another. */
export const isOlder = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)]
  for (const at of [0, 1, 2]) {
    const [left = 0n, right = 0n] = [a.core[at], b.core[at]]
    if (left !== right) return left < right
  }
  if (a.pre.length === 0 || b.pre.length === 0) return a.pre.length > b.pre.length
  for (const [at, left] of a.pre.entries()) {
    const right = b.pre[at]
    if (right === undefined) return false
    const order = compareIdentifiers(left, right)
    if (order !== 0) return order < 0
  }
  return a.pre.length < b.pre.length
}
