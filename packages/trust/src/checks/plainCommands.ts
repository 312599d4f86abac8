/** Commands whose names are written in pieces only to hide them. */
const commands = new Set([
  "curl",
  "wget",
  "sh",
  "bash",
  "zsh",
  "dash",
  "python",
  "python3",
  "perl",
  "ruby",
  "node",
  "eval",
  "nc",
  "ncat",
  "base64",
  "openssl",
  "powershell",
  "pwsh",
  "iex",
  "invoke-expression",
  "sudo",
  "chmod"
])

const isNameCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95

/** Longer lines are data. */
const longestLine = 4_000
const longestValue = 24

/** The short values that a document gives to shell variables: `a=cu; b=rl`. */
export const assignedValues = (lines: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (const line of lines) {
    if (!line.includes("=") || line.length > longestLine) continue
    for (const part of line.split(/[;\s&]/)) {
      const equal = part.indexOf("=")
      if (equal <= 0 || equal > 20 || part.length - equal > longestValue) continue
      const name = part.slice(0, equal)
      if (!Array.from(name).every((char) => isNameCode(char.charCodeAt(0)))) continue
      values.set(name, part.slice(equal + 1).replace(/["']/g, ""))
    }
  }
  return values
}

/** The characters of `\x63`, `\143` and `\0143`. */
const unescaped = (text: string): string => {
  let result = ""
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== "\\") {
      result += text[i]
      continue
    }
    const hex = text[i + 1] === "x"
    const from = hex ? i + 2 : i + 1
    let end = from
    const most = hex ? 2 : text[from] === "0" ? 4 : 3
    while (end < from + most && (hex ? "0123456789abcdefABCDEF" : "01234567").includes(text[end] ?? " ")) end++
    if (end === from) {
      result += "\\"
      continue
    }
    result += String.fromCharCode(Number.parseInt(text.slice(from, end), hex ? 16 : 8) & 0x7f)
    i = end - 1
  }
  return result
}

const printers = ["printf ", "printf -- ", "printf %b ", "echo -e ", "echo -ne ", "echo -en "]

/** The text of a substitution that only prints one quoted text: `$(printf '\x63')`. */
const printed = (inside: string): string | undefined => {
  const command = inside.trim()
  const printer = printers.find((one) => command.startsWith(one))
  if (printer === undefined) return undefined
  const text = command.slice(printer.length).trim()
  const quote = text[0]
  const bare = quote === "'" || quote === '"' ? text.slice(1, text.indexOf(quote, 1)) : text
  return bare.includes("\\") ? unescaped(bare) : undefined
}

const substitutions = [
  { open: "$(shell ", close: ")" },
  { open: "$(", close: ")" },
  { open: "`", close: "`" }
]

const withPrinted = (line: string): string => {
  let result = line
  for (const { close, open } of substitutions) {
    if (!result.includes(open)) continue
    let text = ""
    let from = 0
    for (let at = result.indexOf(open); at >= 0; at = result.indexOf(open, from)) {
      const end = result.indexOf(close, at + open.length)
      if (end < 0) break
      const inside = printed(result.slice(at + open.length, end))
      text += inside === undefined ? result.slice(from, at + open.length) : result.slice(from, at) + inside
      from = inside === undefined ? at + open.length : end + close.length
    }
    result = text + result.slice(from)
  }
  return result
}

/** `$'\x63\x75'` is a text with escapes. */
const withQuotedEscapes = (line: string): string => {
  if (!line.includes("$'")) return line
  const [first = "", ...parts] = line.split("$'")
  return parts.reduce((text, part) => {
    const end = part.indexOf("'")
    return end < 0 ? `${text}$'${part}` : text + unescaped(part.slice(0, end)) + part.slice(end + 1)
  }, first)
}

/** The line with the values of variables; unknown ones inside a word are empty. */
const withValues = (line: string, values: ReadonlyMap<string, string>): string => {
  let result = ""
  for (let i = 0; i < line.length; i++) {
    if (line[i] !== "$") {
      result += line[i]
      continue
    }
    const braced = line[i + 1] === "{"
    const start = braced ? i + 2 : i + 1
    let end = start
    while (end < line.length && isNameCode(line.charCodeAt(end))) end++
    if (end === start && (line[end] === "@" || line[end] === "*")) end++
    const name = line.slice(start, end)
    const after = braced && line[end] === "}" ? end + 1 : end
    const value = name === "IFS" ? " " : values.get(name)
    if (name === "" || (braced && after === end)) result += "$"
    else {
      const inWord = isNameCode(line.charCodeAt(i - 1)) && (braced || name === "@" || name === "*")
      if (value === undefined && !inWord) result += line.slice(i, after)
      else result += value ?? ""
      i = after - 1
    }
  }
  return result
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().split(/[^a-z0-9-]+/)

/**
 * The line as the shell reads it, if that shows the name of a command that is otherwise written in pieces: `c"u"rl`, `$a$b`, `c${x}url`,
 * `$(printf '\x63…')`. Undefined if there is none.
 */
export const plainCommand = (line: string, values: () => ReadonlyMap<string, string>): string | undefined => {
  if (line.length > longestLine) return undefined
  const quoted = line.includes("'") || line.includes('"') || line.includes("\\")
  if (!line.includes("$") && !quoted) return undefined
  const printedOut = withQuotedEscapes(withPrinted(line))
  const text = printedOut.includes("$") ? withValues(printedOut, values()) : printedOut
  const plain = text.replace(/["'\\]/g, "")
  if (plain === line) return undefined
  const known = new Set(wordsOf(line))
  return wordsOf(plain).some((word) => commands.has(word) && !known.has(word)) ? plain : undefined
}
