const number = "(0|[1-9][0-9]*)"
const identifier = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"

/** Semantic Versioning 2.0.0, sections 9 to 11. No text can match in two ways, so the expression does not backtrack. */
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`
)

const isNumeric = (text: string): boolean => /^[0-9]+$/.test(text)

/** Numbers without leading zeros, of any size. */
const compareNumbers = (a: string, b: string): number => a.length - b.length || compareTexts(a, b)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const compareIdentifiers = (a: string, b: string): number => {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : -1
  return isNumeric(b) ? 1 : compareTexts(a, b)
}

const comparePreReleases = (a: string | undefined, b: string | undefined): number => {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const [left, right] = [a.split("."), b.split(".")]
  for (const [i, one] of left.entries()) {
    const other = right[i]
    if (other === undefined) return 1
    const order = compareIdentifiers(one, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const longest = 100

/** Versions of releases: https://semver.org, version 2.0.0 (RELEASE-2). */
export const SemanticVersion = {
  /** A valid version of at most 100 characters. */
  isValid: (text: string): boolean => text.length <= longest && pattern.test(text),
  isPreRelease: (version: string): boolean => pattern.exec(version)?.[4] !== undefined,
  /** Negative if `a` has lower precedence. Build metadata is ignored. Both must be valid. */
  compare: (a: string, b: string): number => {
    const [left, right] = [pattern.exec(a) ?? [], pattern.exec(b) ?? []]
    for (const part of [1, 2, 3]) {
      const order = compareNumbers(left[part] ?? "", right[part] ?? "")
      if (order !== 0) return order
    }
    return comparePreReleases(left[4], right[4])
  }
}
