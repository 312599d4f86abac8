import { foldText, isAscii } from "../text/foldText.ts"
import { AhoCorasick } from "./AhoCorasick.ts"
import { conceptIndex, words } from "./concepts.ts"

/** An occurrence of a concept in a statement, by the offsets of its first character and of the one behind its last. */
export interface Hit {
  readonly concept: number
  readonly start: number
  readonly end: number
}

/** Occurrences of concepts in one statement: those of words in the order of their ends, then those that parsers found. */
export type Hits = Array<Hit>

interface Literal {
  readonly text: string
  readonly concepts: Array<number>
  /** Whether a letter may stand directly before or after it. */
  readonly openStart: boolean
  readonly openEnd: boolean
}

/** Letters of scripts that separate words by spaces. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  (code >= 0x370 && code < 0x600) ||
  (code >= 0xc0 && code < 0x250)

const isDashed = (code: number): boolean => code === 45

/** Concepts whose words that start with a dot are names of files: `.env`, but not `process.env`. */
const dotFiles = new Set(["credentialFile", "keyFile", "browserData", "walletFile", "shellProfile", "agentConfig"])

const literalsOf = (): ReadonlyArray<Literal> => {
  const byText = new Map<string, Literal>()
  for (const [name, list] of Object.entries(words)) {
    const concept = conceptIndex(name)
    for (const entry of list.split(";")) {
      const trimmed = entry
        .trim()
        .split("\n")
        .map((part) => part.trim())
        .join(" ")
      if (trimmed === "") continue
      const open = trimmed.endsWith("*")
      const text = foldText(open ? trimmed.slice(0, -1) : trimmed)
      const key = `${text}\u0000${open}`
      const known = byText.get(key)
      if (known === undefined) {
        const openStart = !isWordCode(text.charCodeAt(0)) && !(text[0] === "." && dotFiles.has(name))
        const openEnd = open || !isWordCode(text.charCodeAt(text.length - 1))
        byText.set(key, { text, concepts: [concept], openStart, openEnd })
      } else if (!known.concepts.includes(concept)) known.concepts.push(concept)
    }
  }
  return [...byText.values()]
}

interface Automaton {
  readonly literals: ReadonlyArray<Literal>
  readonly search: AhoCorasick
}

const automaton = (literals: ReadonlyArray<Literal>): Automaton => ({
  literals,
  search: new AhoCorasick(literals.map(({ text }) => text))
})

let automata: { readonly ascii: Automaton; readonly foreign: Automaton } | undefined

/** Built at the first scan, in a fraction of a second. */
const loaded = () => {
  if (automata === undefined) {
    const all = literalsOf()
    automata = {
      ascii: automaton(all.filter(({ text }) => isAscii(text))),
      foreign: automaton(all.filter(({ text }) => !isAscii(text)))
    }
  }
  return automata
}

const collect = ({ literals, search }: Automaton, text: string, hits: Hits): void =>
  search.search(text, (index, start, end) => {
    const literal = literals[index]
    if (literal === undefined) return
    if (!literal.openStart && start > 0 && isWordCode(text.charCodeAt(start - 1))) return
    if (
      !literal.openEnd &&
      end < text.length &&
      (isWordCode(text.charCodeAt(end)) || (isDashed(text.charCodeAt(end)) && isWordCode(text.charCodeAt(end + 1))))
    )
      return
    for (const concept of literal.concepts) hits.push({ concept, start, end })
  })

/** Adds the concepts whose words occur in folded text. */
export const matchWords = (text: string, hits: Hits): void => {
  const { ascii, foreign } = loaded()
  collect(ascii, text, hits)
  if (!isAscii(text)) collect(foreign, text, hits)
}
