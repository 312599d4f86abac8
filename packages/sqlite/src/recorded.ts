import type { TableChanges } from "./TableChanges.ts"

/** Records changes of entries of the table, or with a key those of members below this key. */
const recorderOf = (changes: TableChanges, key: string | null) => ({
  put: (entry: string, value: unknown) => changes.put(key ?? entry, key === null ? "" : entry, value),
  delete: (entry: string) => changes.delete(key ?? entry, key === null ? "" : entry)
})

/** Collections that behave like those of JavaScript and record their changes. `load` adds a stored row and records nothing. */
export class RecordedMap<V> extends Map<string, V> {
  private readonly recorder: ReturnType<typeof recorderOf>

  /** With a key, the entries are members below this key of the table. */
  constructor(changes: TableChanges, key: string | null = null) {
    super()
    this.recorder = recorderOf(changes, key)
  }

  load(key: string, value: V): void {
    super.set(key, value)
  }

  override set(key: string, value: V): this {
    super.set(key, value)
    this.recorder.put(key, value)
    return this
  }

  override delete(key: string): boolean {
    if (!super.delete(key)) return false
    this.recorder.delete(key)
    return true
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key)
  }
}

export class RecordedSet extends Set<string> {
  private readonly recorder: ReturnType<typeof recorderOf>

  constructor(changes: TableChanges, key: string | null = null) {
    super()
    this.recorder = recorderOf(changes, key)
  }

  load(value: string): void {
    super.add(value)
  }

  override add(value: string): this {
    if (this.has(value)) return this
    super.add(value)
    this.recorder.put(value, undefined)
    return this
  }

  override delete(value: string): boolean {
    if (!super.delete(value)) return false
    this.recorder.delete(value)
    return true
  }

  override clear(): void {
    for (const value of this) this.delete(value)
  }
}

type Below = RecordedMap<unknown> | RecordedSet

/** Sets or maps by key. A collection that is assigned is copied into one that records. */
export class RecordedGroups extends Map<string, Below> {
  private readonly changes: TableChanges

  constructor(changes: TableChanges) {
    super()
    this.changes = changes
  }

  load(key: string, member: string, value: { readonly entry: unknown } | null): void {
    const found = this.get(key)
    const below =
      found ?? (value === null ? new RecordedSet(this.changes, key) : new RecordedMap<unknown>(this.changes, key))
    if (found === undefined) super.set(key, below)
    if (below instanceof RecordedSet) below.load(member)
    else below.load(member, value?.entry)
  }

  override set(key: string, assigned: Map<string, unknown> | Set<string>): this {
    const before = this.get(key)
    if (before === assigned) return this
    before?.clear()
    if (assigned instanceof Map) {
      const below = new RecordedMap<unknown>(this.changes, key)
      for (const [member, value] of assigned) below.set(member, value)
      return super.set(key, below)
    }
    const below = new RecordedSet(this.changes, key)
    for (const member of assigned) below.add(member)
    return super.set(key, below)
  }

  override delete(key: string): boolean {
    this.get(key)?.clear()
    return super.delete(key)
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key)
  }
}

/** An array whose elements change only by `push`, `shift` and `splice`. */
export class RecordedArray extends Array<unknown> {
  static override get [Symbol.species]() {
    return Array
  }

  #changes: TableChanges | undefined

  static over(changes: TableChanges, stored: ReadonlyArray<unknown>): RecordedArray {
    const array = new RecordedArray()
    for (const value of stored) array.push(value)
    array.#changes = changes
    return array
  }

  override push(...values: Array<unknown>): number {
    for (const value of values) {
      this.#changes?.put(String(this.length), "", value)
      super.push(value)
    }
    return this.length
  }

  override shift(): unknown {
    return this.splice(0, 1)[0]
  }

  override splice(start: number, removing: number, ...inserted: Array<unknown>): Array<unknown> {
    const before = this.length
    const removed = super.splice(start, removing, ...inserted)
    const end = removed.length === inserted.length ? start + inserted.length : this.length
    for (let i = start; i < end; i++) this.#changes?.put(String(i), "", this[i])
    for (let i = this.length; i < before; i++) this.#changes?.delete(String(i), "")
    return removed
  }
}

/** An object whose assignments are recorded. */
export const recordedFields = (
  changes: TableChanges,
  initial: Readonly<Record<string, unknown>>,
  stored: ReadonlyMap<string, unknown>
): object => {
  const values = new Map(
    Object.entries(initial).map(([name, value]) => [name, stored.has(name) ? stored.get(name) : value])
  )
  const fields = {}
  for (const name of values.keys()) {
    Object.defineProperty(fields, name, {
      enumerable: true,
      get: () => values.get(name),
      set: (value: unknown) => {
        values.set(name, value)
        changes.put(name, "", value)
      }
    })
  }
  return fields
}
