import { foldText, isAscii } from "./foldText.ts"
import type { Context, Statement } from "./Statement.ts"
import { longestStatement } from "./Statement.ts"

/** What all statements of one block share. */
export interface BlockKind {
  readonly context: Context
  readonly language?: string
  readonly depth?: number
  readonly item?: boolean
}

const foreignEnds = new Set(["。", "！", "？", "؟", "।"])

/** Whether a sentence ends after the character at `i`. */
const endsAt = (text: string, i: number): boolean => {
  const char = text.charAt(i)
  if (char === "." || char === "!" || char === "?") return text[i + 1] === " " && !(char === "." && isShort(text, i))
  return char === "；" || (char > "~" && foreignEnds.has(char))
}

/** "e.g. ", "1. " and the like end no sentence. */
const isShort = (text: string, i: number): boolean => {
  let start = i
  while (start > 0 && text[start - 1] !== " " && text[start - 1] !== "(") start--
  return (
    i - start <= 1 || text.slice(start, i) === "e.g" || text.slice(start, i) === "i.e" || text.slice(start, i) === "vs"
  )
}

/** Collects lines into statements. */
export class StatementBuilder {
  readonly statements: Array<Statement> = []
  #block = 0

  /** Adds one block whose lines belong together; prose is cut into sentences, other lines are statements of their own. */
  add(lines: ReadonlyArray<string>, firstLine: number, kind: BlockKind): void {
    if (lines.length === 0) return
    this.#block++
    let text = ""
    let breaks: Array<number> = []
    let start = firstLine
    lines.forEach((line, index) => {
      const folded = foldText(line.trim())
      if (text !== "") {
        text += " "
        breaks.push(text.length)
      } else start = firstLine + index
      text += folded
      if (text.length > longestStatement * 2) {
        this.#sentences(text, start, breaks, kind)
        text = ""
        breaks = []
      }
    })
    if (text !== "") this.#sentences(text, start, breaks, kind)
  }

  #sentences(text: string, line: number, breaks: ReadonlyArray<number>, kind: BlockKind): void {
    const whole = kind.context === "code" || kind.context === "script" || kind.context === "data"
    const ascii = isAscii(text)
    let from = 0
    let ticks = false
    for (let i = 0; i < text.length; i++) {
      if (text[i] === "`") ticks = !ticks
      const long = i - from >= longestStatement && (text[i] === " " || i - from >= longestStatement * 1.5)
      if (long || (!whole && !ticks && (text.charAt(i) < "@" || !ascii) && endsAt(text, i))) {
        this.#push(text.slice(from, i + 1), line, breaks, from, kind)
        from = i + 1
      }
    }
    this.#push(text.slice(from), line, breaks, from, kind)
  }

  #push(text: string, line: number, breaks: ReadonlyArray<number>, offset: number, kind: BlockKind): void {
    if (text.trim() === "") return
    const passed = breaks.filter((at) => at <= offset).length
    this.statements.push({
      text,
      line: line + passed,
      breaks: breaks
        .slice(passed)
        .map((at) => at - offset)
        .filter((at) => at < text.length),
      context: kind.context,
      language: kind.language ?? "",
      depth: kind.depth ?? 0,
      item: kind.item ?? false,
      block: this.#block
    })
  }
}
