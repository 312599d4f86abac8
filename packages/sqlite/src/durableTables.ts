import type { MarketTables } from "@agent-marketplace/memory/MarketTables"
import { emptyTables } from "@agent-marketplace/memory/MarketTables"
import { rebuildSpending } from "@agent-marketplace/memory/settlement/applyWrites"
import { appendTransactions } from "@agent-marketplace/memory/wallets/appendLine"
import type { DatabaseSync } from "node:sqlite"
import type { Journal } from "./Journal.ts"
import { RecordedArray, recordedFields, RecordedGroups, RecordedMap, RecordedSet } from "./recorded.ts"
import { StoredJson } from "./StoredJson.ts"
import type { TableKind } from "./tableKinds.ts"
import { tableKinds } from "./tableKinds.ts"
import type { TableChanges } from "./TableChanges.ts"

interface Row {
  readonly key: string
  readonly member: string
  readonly value: string | null
}

function* rowsOf(database: DatabaseSync, name: string): Generator<Row> {
  for (const row of database.prepare(`SELECT key, member, value FROM "${name}" ORDER BY position`).iterate())
    yield row as unknown as Row
}

const valueOf = ({ value }: Row): unknown => (value === null ? undefined : StoredJson.parse(value))

const mapOf = (changes: TableChanges, rows: Iterable<Row>, restore: (value: never) => unknown) => {
  const map = new RecordedMap<unknown>(changes)
  for (const row of rows) map.load(row.key, restore(valueOf(row) as never))
  return map
}

const setOf = (changes: TableChanges, rows: Iterable<Row>) => {
  const set = new RecordedSet(changes)
  for (const { key } of rows) set.load(key)
  return set
}

const groupsOf = (changes: TableChanges, rows: Iterable<Row>) => {
  const groups = new RecordedGroups(changes)
  for (const row of rows) groups.load(row.key, row.member, row.value === null ? null : { entry: valueOf(row) })
  return groups
}

const arrayOf = (changes: TableChanges, rows: Iterable<Row>) => {
  const values: Array<unknown> = []
  for (const row of rows) values[Number(row.key)] = valueOf(row)
  return RecordedArray.over(changes, values)
}

const load = (
  kind: Exclude<TableKind, "derived">,
  changes: TableChanges,
  rows: Iterable<Row>,
  empty: unknown
): unknown => {
  switch (kind) {
    case "map":
      return mapOf(changes, rows, (value) => value)
    case "set":
      return setOf(changes, rows)
    case "groups":
      return groupsOf(changes, rows)
    case "array":
      return arrayOf(changes, rows)
    case "fields":
      return recordedFields(
        changes,
        empty as Record<string, unknown>,
        new Map(Array.from(rows, (row) => [row.key, valueOf(row)]))
      )
    default:
      return mapOf(changes, rows, kind.restore)
  }
}

/** Rebuilds what the file does not contain. */
const rebuild = (tables: MarketTables): void => {
  for (const [slugs, used] of [
    [tables.soulSlugs, tables.soulsBySlug],
    [tables.listingSlugs, tables.listingsBySlug]
  ] as const)
    for (const base of used.keys()) slugs.take({ base, reserved: false } as Parameters<typeof slugs.take>[0])
  tables.lines.forEach((line, i) => appendTransactions(tables, line, i + 1))
  rebuildSpending(tables)
}

/** The tables of the market with the content of the file. Their changes go to the journal. */
export const durableTables = (database: DatabaseSync, journal: Journal): MarketTables => {
  const tables: MarketTables = emptyTables()
  const loaded: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(tableKinds) as ReadonlyArray<[keyof MarketTables, TableKind]>) {
    if (kind === "derived") continue
    const store = typeof kind === "object" ? (kind.store as (value: unknown) => unknown) : (value: unknown) => value
    loaded[name] = load(kind, journal.table(name, store), rowsOf(database, name), tables[name])
  }
  Object.assign(tables, loaded)
  rebuild(tables)
  return tables
}
