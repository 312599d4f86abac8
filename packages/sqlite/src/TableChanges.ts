export interface Change {
  readonly key: string
  /** The member of a collection below the key, else empty. */
  readonly member: string
  /** `put` keeps the position of a row that exists, `append` moves it to the end. */
  readonly kind: "put" | "append" | "delete"
  readonly value: unknown
}

/** The rows of one table that changed since the last commit. */
export class TableChanges {
  private readonly rows = new Map<string, Change>()
  private readonly changed: () => void

  constructor(changed: () => void) {
    this.changed = changed
  }

  put(key: string, member: string, value: unknown): void {
    const id = `${key}\0${member}`
    const before = this.rows.get(id)
    const kind = before?.kind === "delete" ? "append" : (before?.kind ?? "put")
    // A row that is inserted again follows those that were inserted before.
    if (before?.kind === "delete") this.rows.delete(id)
    this.rows.set(id, { key, member, kind, value })
    this.changed()
  }

  delete(key: string, member: string): void {
    this.rows.set(`${key}\0${member}`, { key, member, kind: "delete", value: null })
    this.changed()
  }

  take(): ReadonlyArray<Change> {
    const all = [...this.rows.values()]
    this.rows.clear()
    return all
  }
}
