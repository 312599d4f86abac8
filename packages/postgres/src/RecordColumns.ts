import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import type { Row } from "./Columns.ts"
import { columnName } from "./Columns.ts"
import type { Amount, Time } from "./Row.ts"
import { amount, AmountColumn, date, oneOf, time, TimeColumn } from "./Row.ts"

/** How a field is stored: what a query may return in its column, and how it is read and written. */
interface Column<A> {
  readonly schema: Schema.Codec<unknown>
  readonly read: (value: never) => A
  /** For JSON. */
  readonly write: (value: A) => unknown
}

const plain = <A>(schema: Schema.Top): Column<A> => ({
  schema: schema as unknown as Schema.Codec<unknown>,
  read: (value) => value,
  write: (value) => value
})

/** The kinds of columns. */
export const column = {
  text: plain<string>(Schema.String),
  integer: plain<number>(Schema.Int),
  list: <Word extends string>() => plain<ReadonlyArray<Word>>(Schema.Array(Schema.String)),
  /** Any JSON value that this market wrote itself. */
  json: <A extends object>() => plain<A>(Schema.Unknown),
  flag: plain<boolean>(Schema.Boolean),
  id: <Id extends string>() => plain<Id>(Schema.String),
  oneOf: <Word extends string>(words: Readonly<Record<Word, true>>) => plain<Word>(oneOf(words)),
  literals: <Word extends string>(words: ReadonlyArray<Word>) => plain<Word>(Schema.Literals(words)),
  amount: { schema: AmountColumn, read: (value: Amount) => amount(value), write: String } as Column<Usdt>,
  time: { schema: TimeColumn, read: (value: Time) => time(value), write: date } as Column<Timestamp>,
  orNull: <A>({ read, schema, write }: Column<A>): Column<A | null> => ({
    schema: Schema.NullOr(schema),
    read: (value) => (value === null ? null : read(value)),
    write: (value) => (value === null ? null : write(value))
  })
}

/** How the fields of a record map to columns. */
export interface RecordColumns<A> {
  /** The columns by name: the fields of a schema that checks rows before money depends on them. */
  readonly columns: Readonly<Record<string, Schema.Codec<unknown>>>
  readonly read: (row: Row) => A
  /** The values of a record by column, for JSON. */
  readonly write: (record: A) => Row
}

/** A field that is a record itself is stored in a column for each of its fields. */
type FieldsOf<A> = { readonly [K in keyof A]-?: Column<A[K]> | RecordColumns<A[K]> }

/** The column of the field `createdAt` is `created_at`, after the prefix. */
export const recordColumns = <A extends object>(fields: FieldsOf<A>, prefix = ""): RecordColumns<A> => {
  const kinds = fields as unknown as Readonly<Record<string, Column<unknown> | RecordColumns<unknown>>>
  const all = Object.entries(kinds).map(([field, stored]) => {
    if ("columns" in stored) return { field, ...stored }
    const name = `${prefix}${columnName(field)}`
    return {
      field,
      columns: { [name]: stored.schema },
      read: (row: Row) => stored.read(row[name] as never),
      write: (value: unknown): Row => ({ [name]: stored.write(value) })
    }
  })
  return {
    columns: Object.assign({}, ...all.map(({ columns }) => columns)),
    read: (row) => Object.fromEntries(all.map(({ field, read }) => [field, read(row)])) as A,
    write: (record) => Object.assign({}, ...all.map(({ field, write }) => write(record[field as keyof A])))
  }
}
