import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { SchemaIssue } from "effect"

const articles: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object"
}

/** `Expected string | null` in the words of the other messages; null is as good as absent and needs no mention. */
const reworded = (message: string): string => {
  const expected = /^Expected (.+?)(?:, got .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message
  const kinds = expected.split(" | ").filter((kind) => kind !== "null")
  return `must be ${kinds.map((kind) => articles[kind] ?? kind).join(" or ")}`
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    return reworded(SchemaIssue.defaultLeafHook(issue))
  }
})

/**
 * What a schema found wrong with a part of a request, as contract 1 shows it: every issue, each once, the path dotted.
 */
export const issuesOf = (issue: SchemaIssue.Issue): ReadonlyArray<Issue> => {
  const seen = new Set<string>()
  return format(issue).issues.flatMap(({ message, path = [] }) => {
    const dotted = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    const text = dotted === "" && message.startsWith("must be ") ? "must be a JSON object" : reworded(message)
    const found = { path: dotted, message: text }
    const key = `${dotted} ${text}`
    if (seen.has(key)) return []
    seen.add(key)
    return [found]
  })
}
