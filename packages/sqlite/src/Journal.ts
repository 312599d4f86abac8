import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import { Effect } from "effect"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { StoredJson } from "./StoredJson.ts"
import type { Change } from "./TableChanges.ts"
import { TableChanges } from "./TableChanges.ts"

interface Table {
  readonly changes: TableChanges
  readonly json: (value: unknown) => string | null
  readonly put: StatementSync
  readonly remove: StatementSync
}

const versionOf = (database: DatabaseSync): unknown => database.prepare("PRAGMA data_version").get()?.["data_version"]

/**
 * Writes what steps have changed, in one transaction for all steps of a turn of the event loop: they share one flush of the disk. A step is
 * synchronous, so a transaction contains whole steps.
 *
 * After a commit that failed, memory is ahead of the file. From then on every method fails: a restart continues with what the file has (SQLITE-4).
 */
export class Journal {
  private readonly database: DatabaseSync
  private readonly tables: Array<Table> = []
  private waiting: Array<() => void> = []
  private dirty = false
  private fault: string | undefined
  private readonly version: unknown
  private readonly onFault: (fault: string) => void
  /** Changes and commits so far. */
  changed = 0
  commits = 0

  constructor(database: DatabaseSync, onFault: (fault: string) => void) {
    this.database = database
    this.onFault = onFault
    this.version = versionOf(database)
  }

  table(name: string, store: (value: unknown) => unknown): TableChanges {
    const changes = new TableChanges(() => this.recorded())
    this.tables.push({
      changes,
      json: (value) => (value === undefined ? null : StoredJson.stringify(store(value))),
      put: this.database.prepare(
        `INSERT INTO "${name}" (key, member, value) VALUES (?, ?, ?) ON CONFLICT (key, member) DO UPDATE SET value = excluded.value`
      ),
      remove: this.database.prepare(`DELETE FROM "${name}" WHERE key = ? AND member = ?`)
    })
    return changes
  }

  private recorded(): void {
    this.changed++
    if (this.dirty) return
    this.dirty = true
    setImmediate(() => this.commit())
  }

  /** Writes the changes so far. */
  commit(): void {
    if (!this.dirty) return
    if (this.fault === undefined) {
      try {
        this.write()
      } catch (error) {
        this.stop(
          `the changes cannot be written to the SQLite file: ${error instanceof Error ? error.message : String(error)}`
        )
      }
    }
    this.dirty = false
    this.commits++
    for (const wake of this.waiting.splice(0)) wake()
  }

  private write(): void {
    this.database.exec("BEGIN IMMEDIATE")
    try {
      if (versionOf(this.database) !== this.version) throw new Error("another program has changed the file")
      for (const table of this.tables) for (const change of table.changes.take()) this.writeRow(table, change)
      this.database.exec("COMMIT")
    } catch (error) {
      if (this.database.isTransaction) this.database.exec("ROLLBACK")
      throw error
    }
  }

  private writeRow({ json, put, remove }: Table, { key, kind, member, value }: Change): void {
    if (kind !== "put") remove.run(key, member)
    if (kind !== "delete") put.run(key, member, json(value))
  }

  /** Refuses everything from now on. */
  stop(fault: string): void {
    if (this.fault !== undefined) return
    this.fault = fault
    this.onFault(fault)
  }

  private readonly refuse = Effect.suspend(() => Effect.fail(new StoreUnavailable({ cause: this.fault })))

  /** Waits until every change so far is on the disk. */
  readonly stored: StoreEffect<void> = Effect.suspend((): StoreEffect<void> => {
    if (this.fault !== undefined) return this.refuse
    if (!this.dirty) return Effect.void
    return Effect.flatMap(
      Effect.callback<void>((resume) => void this.waiting.push(() => resume(Effect.void))),
      () => (this.fault === undefined ? Effect.void : this.refuse)
    )
  })

  /** Writes a small record, to check that the disk accepts writes. */
  readonly probe: StoreEffect<void> = Effect.flatMap(
    Effect.suspend(() => this.stored),
    () =>
      Effect.try({
        try: () => this.database.exec("INSERT OR REPLACE INTO probe VALUES (1, randomblob(16384))"),
        catch: (cause) => new StoreUnavailable({ cause })
      })
  )
}
