import type { Statement } from "./Statement.ts"
import type { BlockKind } from "./StatementBuilder.ts"
import { StatementBuilder } from "./StatementBuilder.ts"

const isFence = (line: string) => line.startsWith("```") || line.startsWith("~~~")
const fenceLength = (line: string) => {
  let length = 0
  while (line[length] === line[0]) length++
  return length
}

const isItem = (line: string): boolean => {
  if ((line[0] === "-" || line[0] === "*" || line[0] === "+") && line[1] === " ") return true
  let digits = 0
  while (line.charAt(digits) >= "0" && line.charAt(digits) <= "9") digits++
  return digits > 0 && digits < 4 && (line[digits] === "." || line[digits] === ")") && line[digits + 1] === " "
}

/** `[//]: # (text)` and similar forms are comments: no renderer shows them. */
const isHiddenReference = (line: string): boolean => {
  const close = line.indexOf("]: ")
  if (line[0] !== "[" || close < 0) return false
  const label = line.slice(1, close)
  return (label === "//" || label.toLowerCase() === "comment" || label === "_" || label === "#") && close < 12
}

/** Where a comment opens. `<!--` between backticks is shown, so it opens none. */
const commentStart = (line: string): number => {
  let ticks = 0
  let counted = 0
  for (let at = line.indexOf("<!--"); at >= 0; at = line.indexOf("<!--", at + 4)) {
    for (; counted < at; counted++) if (line[counted] === "`") ticks++
    if (ticks % 2 === 0 || !line.includes("`", at)) return at
  }
  return -1
}

/** Reads markdown by line, in time linear in its length. It needs no valid markdown. */
class MarkdownReader {
  readonly builder = new StatementBuilder()
  #lines: Array<string> = []
  #first = 1
  #kind: BlockKind = { context: "prose" }
  #fence = ""
  #comment = false

  read(text: string): ReadonlyArray<Statement> {
    const lines = text.split("\n")
    let at = 0
    if (lines[0]?.trim() === "---") {
      const close = lines.findIndex((line, index) => index > 0 && line.trim() === "---")
      if (close > 0) {
        this.#frontMatter(lines.slice(1, close))
        at = close + 1
      }
    }
    for (; at < lines.length; at++) this.#line(lines[at] ?? "", at + 1)
    this.#flush()
    return this.builder.statements
  }

  /** One statement for each top-level key, with its continued lines. */
  #frontMatter(lines: ReadonlyArray<string>): void {
    lines.forEach((line, index) => {
      const starts = line !== "" && line[0] !== " " && line[0] !== "\t" && line[0] !== "-"
      this.#append(line, index + 2, { context: "front" }, starts)
    })
    this.#flush()
  }

  #line(raw: string, number: number): void {
    const line = raw.trim()
    if (this.#fence !== "") {
      if (line.startsWith(this.#fence) && line.length === fenceLength(line)) {
        this.#fence = ""
        this.#flush()
      } else this.#code(raw, number)
      return
    }
    if (this.#comment) return this.#inComment(raw, number)
    if (isFence(line)) {
      this.#fence = line.slice(0, fenceLength(line))
      this.#start(number + 1, {
        context: "code",
        language: line.slice(this.#fence.length).trim().split(" ", 1).join("").toLowerCase()
      })
      return
    }
    const opens = commentStart(line)
    if (opens >= 0) {
      if (opens > 0) this.#visible(line.slice(0, opens), number)
      this.#start(number, { context: "comment" })
      this.#comment = true
      return this.#inComment(line.slice(opens + 4), number)
    }
    this.#visible(line, number)
  }

  /** A line that ends in a backslash continues on the next one. */
  #code(raw: string, number: number): void {
    const language = this.#kind.language ?? ""
    const continues = this.#lines.at(-1)?.trimEnd().endsWith("\\") === true
    this.#append(raw, number, { context: "code", language }, !continues)
  }

  #inComment(line: string, number: number): void {
    const close = line.indexOf("-->")
    if (close < 0) return this.#append(line, number, { context: "comment" }, false)
    this.#append(line.slice(0, close), number, { context: "comment" }, false)
    this.#comment = false
    this.#flush()
    if (line.length > close + 3) this.#line(line.slice(close + 3), number)
  }

  #visible(line: string, number: number): void {
    if (line === "") return this.#flush()
    if (isHiddenReference(line))
      return this.#append(line.slice(line.indexOf("]: ") + 3), number, { context: "comment" }, true)
    if (line[0] === "#" && fenceLength(line) <= 6 && line[fenceLength(line)] === " ") {
      this.#append(line, number, { context: "heading", depth: fenceLength(line) }, true)
      return this.#flush()
    }
    if (line[0] === "|") return this.#append(line, number, { context: "table" }, true)
    if (line[0] === ">")
      return this.#append(line.slice(1), number, { context: "quote" }, this.#kind.context !== "quote")
    if (isItem(line)) return this.#append(line, number, { context: "prose", item: true }, true)
    if (this.#lines.length === 0) return this.#append(line, number, { context: "prose" }, true)
    this.#append(line, number, this.#kind, this.#kind.context !== "prose")
  }

  #append(line: string, number: number, kind: BlockKind, starts: boolean): void {
    if (starts || this.#kind.context !== kind.context) this.#start(number, kind)
    if (this.#lines.length === 0) this.#first = number
    this.#lines.push(line)
  }

  #start(number: number, kind: BlockKind): void {
    this.#flush()
    this.#first = number
    this.#kind = kind
  }

  #flush(): void {
    this.builder.add(this.#lines, this.#first, this.#kind)
    this.#lines = []
    if (this.#fence === "" && !this.#comment) this.#kind = { context: "prose" }
  }
}

export const markdownStatements = (text: string): ReadonlyArray<Statement> => new MarkdownReader().read(text)
