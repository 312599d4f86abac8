import { Redacted, Result } from "effect"

const rule = "must be pairs name=value, separated by commas, with percent-encoded values"

/** A header's value has visible characters and spaces only. */
const decoded = (text: string): string | undefined => {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The headers of exports as OpenTelemetry writes them: `name=value,…`. A fault contains no value (CONFIG-1). */
export const readExportHeaders = (text: string): Result.Result<Readonly<Record<string, Redacted.Redacted>>, string> => {
  const headers: Record<string, Redacted.Redacted> = {}
  for (const pair of text.split(",")) {
    const [, name, encoded = ""] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    const value = decoded(encoded)
    if (name === undefined || value === undefined) return Result.fail(rule)
    headers[name.toLowerCase()] = Redacted.make(value)
  }
  return Result.succeed(headers)
}
