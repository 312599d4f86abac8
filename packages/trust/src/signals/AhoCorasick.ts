/** Receives the index of a literal and where it occurs. */
export type OnMatch = (literal: number, start: number, end: number) => void

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** One state for each distinct start of a literal, the empty one included. */
const statesOf = (literals: ReadonlyArray<string>): number => {
  const sorted = literals.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted.reduce((sum, literal, i) => sum + literal.length - sharedLength(literal, sorted[i - 1] ?? ""), 1)
}

/**
 * Finds every occurrence of many literals in one pass over the text, in time linear in the text (SCAN-6). Characters that occur in no
 * literal share one class, so that the transition table stays small.
 */
export class AhoCorasick {
  readonly #classes = new Uint16Array(65_536)
  readonly #width: number
  readonly #next: Int32Array
  /** The literals that end in a state, and the nearest suffix state in which another one ends. */
  readonly #ends: ReadonlyArray<ReadonlyArray<number> | undefined>
  readonly #output: Int32Array
  readonly #lengths: ReadonlyArray<number>

  constructor(literals: ReadonlyArray<string>) {
    let classes = 1
    for (const literal of literals) {
      for (let i = 0; i < literal.length; i++) {
        const code = literal.charCodeAt(i)
        if (this.#classes[code] === 0) this.#classes[code] = classes++
      }
    }
    this.#width = classes
    this.#lengths = literals.map((literal) => literal.length)
    const { next, ends } = this.#trie(literals)
    this.#ends = ends
    this.#output = this.#links(next, ends)
    this.#next = next
  }

  #trie(literals: ReadonlyArray<string>) {
    const width = this.#width
    const next = new Int32Array(statesOf(literals) * width)
    const ends: Array<Array<number> | undefined> = [undefined]
    literals.forEach((literal, index) => {
      let state = 0
      for (let i = 0; i < literal.length; i++) {
        const edge = state * width + (this.#classes[literal.charCodeAt(i)] ?? 0)
        if (next[edge] === 0) next[edge] = ends.push(undefined) - 1
        state = next[edge] ?? 0
      }
      ;(ends[state] ??= []).push(index)
    })
    return { next, ends }
  }

  /** Completes the table breadth first: a missing edge goes where the longest proper suffix would go. */
  #links(table: Int32Array, ends: ReadonlyArray<ReadonlyArray<number> | undefined>): Int32Array {
    const width = this.#width
    const failure = new Int32Array(ends.length)
    const output = new Int32Array(ends.length)
    const queue: Array<number> = []
    for (const target of table.subarray(0, width)) if (target !== 0) queue.push(target)
    // The loop also visits the states that it appends.
    for (const state of queue) {
      const fallback = failure[state] ?? 0
      output[state] = ends[fallback] !== undefined ? fallback : (output[fallback] ?? 0)
      for (let c = 0; c < width; c++) {
        const edge = state * width + c
        const target = table[edge] ?? 0
        if (target === 0) table[edge] = table[fallback * width + c] ?? 0
        else {
          failure[target] = table[fallback * width + c] ?? 0
          queue.push(target)
        }
      }
    }
    return output
  }

  search(text: string, onMatch: OnMatch): void {
    const next = this.#next
    const classes = this.#classes
    const width = this.#width
    let state = 0
    for (let i = 0; i < text.length; i++) {
      state = next[state * width + (classes[text.charCodeAt(i)] ?? 0)] ?? 0
      if (state === 0) continue
      for (let at = state; at !== 0; at = this.#output[at] ?? 0) {
        for (const literal of this.#ends[at] ?? []) onMatch(literal, i + 1 - (this.#lengths[literal] ?? 0), i + 1)
      }
    }
  }
}
