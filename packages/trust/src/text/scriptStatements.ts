import type { Context, Statement } from "./Statement.ts"
import { StatementBuilder } from "./StatementBuilder.ts"

const startsRemark = (line: string): boolean =>
  (line[0] === "#" && line[1] !== "!") ||
  line.startsWith("//") ||
  line.startsWith("--") ||
  line.startsWith("* ") ||
  line.startsWith("/*") ||
  line.startsWith("<!--") ||
  line.toLowerCase().startsWith("rem ")

/** Lines of code, one statement each; a line that ends in a backslash, pipe or backtick continues. Remarks are kept apart, because nothing runs them. */
export const scriptStatements = (text: string, language: string, context: Context): ReadonlyArray<Statement> => {
  const builder = new StatementBuilder()
  let pending: Array<string> = []
  let first = 1
  let docstring = ""
  text.split("\n").forEach((raw, index) => {
    const line = raw.trim()
    if (line === "" && docstring === "") return
    const quotes = language === "python" ? docstringIn(line) : ""
    if (docstring !== "" || (quotes !== "" && startsDocstring(line))) {
      builder.add([line], index + 1, { context: "remark", language })
      if (quotes !== "" && (docstring === quotes || docstring === ""))
        docstring = docstring === "" && line.indexOf(quotes) === line.lastIndexOf(quotes) ? quotes : ""
      return
    }
    if (context === "script" && startsRemark(line))
      return builder.add([line], index + 1, { context: "remark", language })
    if (pending.length === 0) first = index + 1
    pending.push(line)
    if (
      pending.length < 20 &&
      (line.endsWith("\\") || line.endsWith("|") || (language === "powershell" && line.endsWith("`")))
    )
      return
    builder.add(pending, first, { context, language })
    if (context === "script")
      for (const text of pending.flatMap(sentencesIn)) builder.add([text], first, { context: "data" })
    pending = []
  })
  builder.add(pending, first, { context, language })
  return builder.statements
}

/** A literal with at least this many spaces is read as a sentence, such as the description of a tool. */
const leastSpaces = 7

/** The literals of a line of code that are sentences, without those that contain code. */
const sentencesIn = (line: string): ReadonlyArray<string> => {
  if (line.length < 40) return []
  const found: Array<string> = []
  let open = -1
  for (let i = 0; i < line.length; i++) {
    const char = line[i]
    if (char !== '"' && char !== "'" && char !== "`") continue
    if (open < 0) open = i
    else if (char === line[open] && line[i - 1] !== "\\") {
      const text = line.slice(open + 1, i)
      if (text.split(" ").length > leastSpaces && !text.includes("$(") && !text.includes(";")) found.push(text)
      open = -1
    }
  }
  return found
}

const docstringIn = (line: string): string => (line.includes('"""') ? '"""' : line.includes("'''") ? "'''" : "")
const startsDocstring = (line: string): boolean =>
  line.startsWith('"""') || line.startsWith("'''") || line.startsWith('r"""')
