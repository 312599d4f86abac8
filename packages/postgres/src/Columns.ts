import type { FieldKind, Fields, FieldType, RecordOf } from "@agent-marketplace/core/fields/Field"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Amount, Time } from "./Row.ts"
import { amount, date, time } from "./Row.ts"

const sqlTypes: Readonly<Record<FieldKind, string>> = {
  text: "text",
  texts: "text[]",
  amount: "bigint",
  flag: "boolean",
  integer: "int",
  time: "timestamptz",
  json: "jsonb"
}

const decoders: Readonly<Partial<Record<FieldKind, (value: never) => unknown>>> = {
  amount: (value: Amount) => amount(value),
  time: (value: Time) => time(value)
}

const encoders: Readonly<Partial<Record<FieldKind, (value: never) => unknown>>> = {
  amount: (value: Usdt) => value.toString(),
  time: (value: number) => date(value)
}

const through = (
  coders: Readonly<Partial<Record<FieldKind, (value: never) => unknown>>>,
  { kind }: FieldType
): ((value: unknown) => unknown) => {
  const code = coders[kind] as ((value: unknown) => unknown) | undefined
  return code === undefined ? (value) => value : (value) => (value === null ? null : code(value))
}

/** The column of `longDescription` is `long_description`. */
export const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A row as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** How the fields of a record map to the columns of its table. */
export interface Columns<F extends Fields> {
  readonly names: ReadonlyArray<string>
  /** `name type, …`: for `json_to_recordset`. */
  readonly typed: string
  /** The columns that a record is read from. Fields kept in other tables use the expressions given for them. */
  readonly select: string
  readonly recordOf: (row: Row) => RecordOf<F>
  /** The values of a record by column, for JSON. */
  readonly rowOf: (record: RecordOf<F>) => Row
}

/** `apart`: an expression for each field that is kept in another table. */
export const columnsOf = <const F extends Fields>(
  fields: F,
  table: string,
  apart: { readonly [K in keyof F as F[K] extends { readonly apart: true } ? K : never]: string }
): Columns<F> => {
  const expressions: Readonly<Record<string, string>> = apart
  const all = Object.entries(fields).map(([field, { apart: elsewhere, type }]) => ({
    field,
    name: columnName(field),
    type,
    elsewhere: elsewhere === true,
    decode: through(decoders, type),
    encode: through(encoders, type)
  }))
  const own = all.filter(({ elsewhere }) => !elsewhere)
  return {
    names: own.map(({ name }) => name),
    typed: own.map(({ name, type }) => `${name} ${sqlTypes[type.kind]}`).join(", "),
    select: all
      .map(({ elsewhere, field, name }) => (elsewhere ? `${expressions[field]} AS ${name}` : `${table}.${name}`))
      .join(", "),
    recordOf: (row) => {
      const record: Record<string, unknown> = {}
      for (const { decode, field, name } of all) record[field] = decode(row[name])
      return record as RecordOf<F>
    },
    rowOf: (record) => {
      const row: Record<string, unknown> = {}
      for (const { encode, field, name } of own) row[name] = encode(record[field])
      return row
    }
  }
}
