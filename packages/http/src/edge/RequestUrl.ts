import type { Issue } from "@agent-marketplace/core/errors/MarketError"

const decodes = (text: string): boolean => {
  if (!text.includes("%")) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const problem = (part: string): string | undefined => {
  if (/[\0\u0080-\uffff]/.test(part)) return "must be percent-encoded UTF-8"
  if (!decodes(part)) return "must be percent-encoded UTF-8"
  return part.includes("%00") ? "must not contain NUL" : undefined
}

const divided = (url: string): readonly [path: string, query: string] => {
  const at = url.indexOf("?")
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)]
}

/**
 * The URL with a path that decodes, so that the router finds the operation and the encoding fault is reported in its error format. The
 * request's `originalUrl` keeps the URL as it was sent.
 */
export const legible = (url: string): string => {
  const [path] = divided(url)
  return decodes(path) ? url : path.replaceAll("%", "%25") + url.slice(path.length)
}

/** By the names of the parameters; one that the operation does not know is ignored, whatever it holds (WIRE-19). */
const queryIssues = (query: string, known: ReadonlySet<string>): ReadonlyArray<Issue> => {
  const issues = new Map<string, Issue>()
  for (const pair of query.split("&")) {
    const message = problem(pair)
    const [written = ""] = pair.split("=", 1)
    const path = decodes(written) ? decodeURIComponent(written) : written
    if (message !== undefined && known.has(path)) issues.set(path, { path, message })
  }
  return [...issues.values()]
}

/** Encoding faults of a request's path and of its known `parameters`. Most URLs need no look beyond the first test. */
export const urlIssues = (url: string, parameters: ReadonlySet<string>): ReadonlyArray<Issue> => {
  if (/^[\x20-\x24\x26-\x7e]*$/.test(url)) return []
  const [path, query] = divided(url)
  const inPath = problem(path)
  const issues = queryIssues(query, parameters)
  return inPath === undefined ? issues : [{ path: "path", message: inPath }, ...issues]
}
