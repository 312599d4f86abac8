/** Receives the index of a literal and where it occurs. */
export type OnMatch = (literal: number, start: number, end: number) => void

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** The empty start of every literal. As the next state, child or sibling it means that there is none. */
const root = 0

/** A tree with one state for each distinct start of a literal. */
class Trie {
  /** Characters that occur in no literal share class 0. */
  readonly classes = new Uint16Array(65_536)
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
    // The states of the literal before. In this order, no other literal shares a longer start.
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
 * transitions of a state are computed when it is first visited.
 */
export class AhoCorasick {
  readonly #trie: Trie
  readonly #lengths: ReadonlyArray<number>
  /** A row for each visited state: the next state for each class. The first row is the root's. */
  #next: Int32Array
  /** Where the row of a state begins; 0 before it is visited. */
  readonly #rows: Int32Array
  #used: number
  /** Of each visited state: the longest proper suffix that is a state. */
  readonly #suffix: Int32Array
  /** Of each visited state: the longest suffix in which a literal ends, the state itself included. */
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

  /** A suffix is shorter than its state, so the recursion ends: it is about as deep as a literal is long. */
  #suffixOf(state: number): number {
    const { last, parent } = this.#trie
    const before = parent[state] ?? root
    if (before === root) return root
    const row = this.#rowOf(this.#suffixOf(before))
    return this.#next[row + (last[state] ?? 0)] ?? root
  }

  #rowOf(state: number): number {
    if (state === root) return 0
    const known = this.#rows[state] ?? 0
    return known === 0 ? this.#visit(state) : known
  }

  /** A missing edge goes where the longest proper suffix would go. */
  #visit(state: number): number {
    const { ends, width } = this.#trie
    const suffix = this.#suffixOf(state)
    const from = this.#rowOf(suffix)
    const row = this.#used
    this.#used += width
    if (this.#used > this.#next.length) {
      const larger = new Int32Array(2 * this.#used)
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
