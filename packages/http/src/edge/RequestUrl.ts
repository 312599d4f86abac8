import type { Issue } from "@agent-marketplace/core/errors/MarketError"

const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const problem = (part: string): string | undefined => {
  if (/[\0\u0080-\uffff]/.test(part)) return "must be percent-encoded UTF-8"
  if (!part.includes("%")) return undefined
  if (!decodes(part)) return "must be percent-encoded UTF-8"
  return part.includes("%00") ? "must not contain NUL" : undefined
}

/** What is wrong with the encoding of a request's path and query; most have nothing that needs a look. */
export const urlIssues = (url: string): ReadonlyArray<Issue> => {
  if (/^[\x20-\x24\x26-\x7e]*$/.test(url)) return []
  const at = url.indexOf("?")
  const [path, query] = at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)]
  const issues: Array<Issue> = []
  const inPath = problem(path)
  const inQuery = problem(query)
  if (inPath !== undefined) issues.push({ path: "path", message: inPath })
  if (inQuery !== undefined) issues.push({ path: "query", message: inQuery })
  return issues
}
