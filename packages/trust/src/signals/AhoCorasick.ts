/** Receives the index of a literal and where it occurs. */
export type OnMatch = (literal: number, start: number, end: number) => void

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** The state of the empty prefix. As a child or sibling it means none. */
const root = 0

/** A trie: one state for each distinct prefix of the literals. */
class Trie {
  /** The class of each UTF-16 code unit: its column in a row. Code units in no literal have class 0. */
  readonly classes = new Uint16Array(65_536)
  /** The number of classes. */
  readonly width: number
  readonly states: number
  readonly parent: Int32Array
  readonly firstChild: Int32Array
  readonly sibling: Int32Array
  /** The class of the last character of a state. */
  readonly last: Uint16Array
  /** The literals that end in a state. */
  readonly ends: ReadonlyArray<ReadonlyArray<number> | undefined>

  constructor(literals: ReadonlyArray<string>) {
    const order = [...literals.keys()].sort((a, b) => {
      const [one = "", other = ""] = [literals[a], literals[b]]
      return one < other ? -1 : one > other ? 1 : 0
    })
    const most = literals.reduce((sum, literal) => sum + literal.length, 1)
    this.parent = new Int32Array(most)
    this.firstChild = new Int32Array(most)
    this.sibling = new Int32Array(most)
    this.last = new Uint16Array(most)
    let [classes, states] = [1, 1]
    const ends: Array<Array<number> | undefined> = [undefined]
    // The states of the previous literal. In sorted order, no earlier literal shares a longer prefix with the next one.
    const path = [root]
    let before = ""
    for (const index of order) {
      const literal = literals[index] ?? ""
      const shared = sharedLength(before, literal)
      path.length = shared + 1
      for (let i = shared; i < literal.length; i++) {
        const code = literal.charCodeAt(i)
        if (this.classes[code] === 0) this.classes[code] = classes++
        const [parent = root, state] = [path[i], states++]
        ends.push(undefined)
        this.parent[state] = parent
        this.last[state] = this.classes[code] ?? 0
        this.sibling[state] = this.firstChild[parent] ?? root
        this.firstChild[parent] = state
        path.push(state)
      }
      ;(ends[path[literal.length] ?? root] ??= []).push(index)
      before = literal
    }
    this.ends = ends
    this.width = classes
    this.states = states
  }
}

/**
 * Finds every occurrence of many literals in one pass over the text, in time linear in the text (SCAN-6). A text visits few states, so the
 * transitions of a state are computed when it is first visited. A text with all literals needs the memory of the whole table.
 */
export class AhoCorasick {
  readonly #trie: Trie
  readonly #lengths: ReadonlyArray<number>
  /** A row for each visited state: the next state for each class. The first row is the root's. */
  #next: Int32Array
  /** For each visited state, where its row starts; 0 for the root and before the first visit. */
  readonly #rows: Int32Array
  #used: number
  /** For each visited state, its longest proper suffix that is a state. */
  readonly #suffix: Int32Array
  /** For each visited state, its longest suffix that is a literal, which may be the state itself. */
  readonly #output: Int32Array

  constructor(literals: ReadonlyArray<string>) {
    this.#trie = new Trie(literals)
    this.#lengths = literals.map((literal) => literal.length)
    const { states, width } = this.#trie
    this.#next = new Int32Array(width)
    this.#used = width
    this.#link(root, 0)
    this.#rows = new Int32Array(states)
    this.#suffix = new Int32Array(states)
    this.#output = new Int32Array(states)
  }

  /** Writes the edges to the children of a state into its row. */
  #link(state: number, row: number): void {
    const { firstChild, last, sibling } = this.#trie
    for (let child = firstChild[state] ?? root; child !== root; child = sibling[child] ?? root)
      this.#next[row + (last[child] ?? 0)] = child
  }

  /**
   * Computes the row of a state, whose parent has been visited, and returns where the row starts. Where the state has no child, the row is that of its longest
   * proper suffix, which is visited too. Each suffix is shorter, so the longest literal bounds the depth of the recursion.
   */
  #visit(state: number): number {
    const { ends, last, parent, states, width } = this.#trie
    const above = parent[state] ?? root
    const suffixRow = this.#rows[this.#suffix[above] ?? root] ?? 0
    const suffix = above === root ? root : (this.#next[suffixRow + (last[state] ?? 0)] ?? root)
    const from = suffix === root ? 0 : this.#rows[suffix] || this.#visit(suffix)
    const row = this.#used
    this.#used += width
    if (this.#used > this.#next.length) {
      const larger = new Int32Array(Math.min(2 * this.#used, states * width))
      larger.set(this.#next)
      this.#next = larger
    }
    this.#next.copyWithin(row, from, from + width)
    this.#link(state, row)
    this.#suffix[state] = suffix
    this.#output[state] = ends[state] === undefined ? (this.#output[suffix] ?? root) : state
    this.#rows[state] = row
    return row
  }

  /** `onMatch` must not search with the same automaton. */
  search(text: string, onMatch: OnMatch): void {
    const { classes, ends } = this.#trie
    const [rows, suffix, output] = [this.#rows, this.#suffix, this.#output]
    let next = this.#next
    let row = 0
    for (let i = 0; i < text.length; i++) {
      const state = next[row + (classes[text.charCodeAt(i)] ?? 0)] ?? root
      row = rows[state] ?? 0
      if (state === root) continue
      if (row === 0) {
        row = this.#visit(state)
        next = this.#next
      }
      for (let at = output[state] ?? root; at !== root; at = output[suffix[at] ?? root] ?? root)
        for (const literal of ends[at] ?? []) onMatch(literal, i + 1 - (this.#lengths[literal] ?? 0), i + 1)
    }
  }
}
