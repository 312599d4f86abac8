import type { Document } from "../text/readDocument.ts"
import type { Statement } from "../text/Statement.ts"
import type { Concept } from "./concepts.ts"
import { conceptIndex, maskWidth } from "./concepts.ts"
import { accountSignals } from "./accountSignals.ts"
import { derivedSignals } from "./derivedSignals.ts"
import { has, include } from "./conceptMask.ts"
import type { Hits } from "./matchWords.ts"
import { matchWords } from "./matchWords.ts"
import { refineSignals } from "./refineSignals.ts"

/** A statement with what occurs in it and how it is meant. */
export interface Signals {
  readonly statement: Statement
  readonly hits: Hits
  /** The concepts that occur, as bits. */
  readonly mask: Int32Array
  /** Its heading or the sentence that introduces it speaks of attacks, examples or detection. */
  readonly described: boolean
  /** Its heading or the sentence that introduces it forbids what follows. */
  readonly forbidden: boolean
}

export interface DocumentSignals {
  readonly document: Document
  readonly signals: ReadonlyArray<Signals>
}

const index = (concept: Concept) => conceptIndex(concept)
const concepts = {
  defence: index("defence"),
  example: index("exampleWord"),
  negation: index("negation"),
  notNegation: index("notNegation"),
  hide: index("hide"),
  prohibition: index("prohibition")
}

interface Frame {
  readonly depth: number
  readonly described: boolean
  readonly forbidden: boolean
}

const forbids = (mask: Int32Array) =>
  has(mask, concepts.negation) && !has(mask, concepts.notNegation) && !has(mask, concepts.hide)

const warnings = [
  "bad",
  "wrong",
  "unsafe",
  "insecure",
  "vulnerable",
  "dangerous",
  "don't",
  "do not",
  "avoid",
  "never",
  "instead of",
  "malicious",
  "attack",
  "✗",
  "❌"
]
const isWarning = (text: string): boolean => {
  const words = text.split(/[\s|:*#/]+/u)
  return warnings.some((warning) => (warning.includes(" ") ? text.includes(warning) : words.includes(warning)))
}

/** A heading such as "No interruptions" forbids nothing; "Never do this" does. */
const headingForbids = (mask: Int32Array) => has(mask, concepts.prohibition) && forbids(mask)

/** Keeps track of headings and of sentences that introduce a list, a table or a block. */
class Outline {
  readonly #headings: Array<Frame> = []
  #intro: Frame | undefined
  #introBlock = -1
  #last: Frame = { depth: 0, described: false, forbidden: false }
  #lastBlock = -1
  /** The head of the current table, or the remark above lines of code. */
  #head: Frame | undefined
  #headContext = ""

  of(statement: Statement, mask: Int32Array): { readonly described: boolean; readonly forbidden: boolean } {
    const own = { depth: statement.depth, described: has(mask, concepts.defence), forbidden: forbids(mask) }
    if (statement.context === "heading") {
      while ((this.#headings.at(-1)?.depth ?? 0) >= statement.depth) this.#headings.pop()
      this.#headings.push({ ...own, forbidden: headingForbids(mask) })
      this.#intro = undefined
      return { described: false, forbidden: false }
    }
    this.#introduce(statement)
    this.#heads(statement, own)
    const any = (kind: "described" | "forbidden") =>
      this.#intro?.[kind] === true || this.#head?.[kind] === true || this.#headings.some((frame) => frame[kind])
    const result = { described: any("described"), forbidden: any("forbidden") }
    if (statement.context === "prose" || statement.context === "quote") {
      if (
        statement.text.endsWith(":") ||
        statement.text.endsWith("：") ||
        statement.text.endsWith(":**") ||
        statement.text.endsWith("：**")
      ) {
        this.#intro = own
        this.#introBlock = statement.block
      }
    }
    this.#last = own
    this.#lastBlock = statement.block
    return result
  }

  /** The first row of a table speaks of all rows; a remark such as `# Bad` of the lines of code under it. */
  #heads({ context, text }: Statement, own: Frame): void {
    if (context !== this.#headContext) {
      this.#head =
        context === "table" ? { ...own, forbidden: false, described: own.described || isWarning(text) } : undefined
      this.#headContext = context
    }
    if (context === "code" && (text.startsWith("# ") || text.startsWith("// ")))
      this.#head = { depth: 0, described: isWarning(text), forbidden: false }
  }

  /** A paragraph that is no item ends what an earlier sentence introduced. */
  #introduce(statement: Statement): void {
    if (this.#intro === undefined || statement.block === this.#introBlock) return
    if (statement.context === "prose" && !statement.item && statement.block > this.#introBlock + 1)
      this.#intro = undefined
  }

  /** The statement before, if it belongs to the block before. */
  get last(): Frame {
    return this.#lastBlock < 0 ? { depth: 0, described: false, forbidden: false } : this.#last
  }
}

const isCode = (statement: Statement) =>
  statement.context === "code" || statement.context === "script" || statement.context === "decoded"

const maskOf = (hits: Hits): Int32Array => {
  const mask = new Int32Array(maskWidth)
  for (const { concept } of hits) include(mask, concept)
  return mask
}

export const signalsOf = (statement: Statement): { readonly hits: Hits; readonly mask: Int32Array } => {
  const found: Hits = []
  matchWords(statement.text, found)
  derivedSignals(statement.text, found, isCode(statement))
  const words = refineSignals(statement.text, found)
  const hits = accountSignals(statement.text, words, maskOf(words))
  return { hits, mask: maskOf(hits) }
}

/** Finds the concepts of every statement of a document. */
export const readSignals = (document: Document): DocumentSignals => {
  const outline = new Outline()
  const plain = document.kind === "text"
  const signals = document.statements.map((statement) => {
    const { hits, mask } = signalsOf(statement)
    const { described, forbidden } = plain ? outline.of(statement, mask) : { described: false, forbidden: false }
    return { statement, hits, mask, described, forbidden }
  })
  return { document, signals }
}
