/** Where a statement stands: this decides whether an agent takes it as an instruction (SCAN-5). */
export type Context =
  "prose" | "heading" | "front" | "quote" | "table" | "code" | "comment" | "script" | "remark" | "data" | "decoded"

/** A sentence, a line of code, a table row or an entry of data, folded for matching. */
export interface Statement {
  readonly text: string
  /** The line on which it starts, counted from 1. */
  readonly line: number
  /** Offsets in `text` at which the following lines start. */
  readonly breaks: ReadonlyArray<number>
  readonly context: Context
  /** The language of a fenced block or of a script; empty if none is named. */
  readonly language: string
  /** Level of a heading, 1 to 6; otherwise 0. */
  readonly depth: number
  /** Whether it is an item of a list. */
  readonly item: boolean
  /** Number of the paragraph, block or file part that it belongs to. */
  readonly block: number
}

/** Longer statements are cut, so that words that are far apart are not read as one sentence. */
export const longestStatement = 800

/** The line of the file on which the character at `offset` stands. */
export const lineAt = (statement: Statement, offset: number): number => {
  let line = statement.line
  for (const start of statement.breaks) {
    if (start > offset) break
    line++
  }
  return line
}
