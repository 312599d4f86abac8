import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { SchemaIssue } from "effect"

const articles: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object"
}

/** Rewords `Expected string | null` like the other messages. Null counts as absent, so it is not mentioned. */
const reworded = (message: string): string => {
  const expected = /^Expected (.+?)(?:, got .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message
  const kinds = expected.split(" | ").filter((kind) => kind !== "null")
  return `must be ${kinds.map((kind) => articles[kind] ?? kind).join(" or ")}`
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "is required" : SchemaIssue.defaultLeafHook(issue))
})

const worded = (path: string, message: string): string => {
  if (message === "Expected a valid JSON body") return "must be valid JSON"
  return path === "" && message.startsWith("Expected ") ? "must be a JSON object" : reworded(message)
}

/**
 * The issues that a schema found in a part of a request, as ERROR-2 shows them: each once, with a dotted path.
 */
export const issuesOf = (issue: SchemaIssue.Issue): ReadonlyArray<Issue> => {
  const found = new Map<string, Issue>()
  for (const { message, path = [] } of format(issue).issues) {
    const dotted = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    const text = worded(dotted, message)
    found.set(`${dotted} ${text}`, { path: dotted, message: text })
  }
  return [...found.values()]
}
