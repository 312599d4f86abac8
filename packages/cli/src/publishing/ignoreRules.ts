/** Names that are never published, wherever they are: they belong to tools, or contain secrets (CLI-21). */
const alwaysIgnored = new Set([".git", ".hg", ".svn", "node_modules", ".DS_Store", ".skillignore", ".gitignore"])

/** Files with the secrets of an environment; templates of them are published. */
const isEnvironment = (name: string): boolean =>
  name === ".env" || (name.startsWith(".env.") && !/^\.env\.(?:example|sample|template)$/.test(name))

interface Pattern {
  readonly matches: RegExp
  readonly negated: boolean
  readonly foldersOnly: boolean
}

const longestPattern = 200
const mostWildcards = 8

const expressionOf = (glob: string): string =>
  glob.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*"
    if (part === "**") return ".*"
    if (part === "*") return "[^/]*"
    return part === "?" ? "[^/]" : `\\${part}`
  })

/** A line of `.skillignore`; undefined for blank lines and comments, a text if the line is invalid. */
const patternOf = (line: string): Pattern | string | undefined => {
  const text = line.trim()
  if (text === "" || text.startsWith("#")) return undefined
  if (text.length > longestPattern) return `has more than ${longestPattern} characters`
  if ((text.match(/\*+/g) ?? []).length > mostWildcards) return `has more than ${mostWildcards} wildcards`
  const negated = text.startsWith("!")
  const glob = (negated ? text.slice(1) : text).replace(/\/$/, "")
  const isAnchored = glob.includes("/")
  const expression = expressionOf(glob.replace(/^\//, ""))
  if (expression === "") return "is empty"
  const matches = new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${expression}$`)
  return { matches, negated, foldersOnly: text.endsWith("/") }
}

/** Whether a path of a folder is left out of a release. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean

/**
 * The rules of a `.skillignore`, which are those of `.gitignore` without character classes: the last line that matches a path decides. Names that are
 * always ignored cannot be included. Returns a text that describes the first invalid line, if there is one.
 */
export const ignoreRules = (text: string): IsIgnored | string => {
  const patterns: Array<Pattern> = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const pattern = patternOf(line)
    if (typeof pattern === "string") return `line ${index + 1} of .skillignore ${pattern}`
    if (pattern !== undefined) patterns.push(pattern)
  }
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf("/") + 1)
    if (alwaysIgnored.has(name) || isEnvironment(name)) return true
    const last = patterns.findLast(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches.test(path))
    return last !== undefined && !last.negated
  }
}
