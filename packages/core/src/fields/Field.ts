import type { Brand, Schema } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"

/** The storage kind of a value: a store derives the column from it, the API the JSON type. */
export type FieldKind = "text" | "texts" | "amount" | "flag" | "integer" | "time" | "json"

/** The type of a field's values. */
export interface FieldType<out T = unknown, out K extends FieldKind = FieldKind> {
  readonly kind: K
  readonly nullable: boolean
  /** The allowed texts of an enumeration. */
  readonly values?: ReadonlyArray<string>
  /** Carries `T` for the compiler; never set at run time. */
  readonly "~value"?: T
}

/** How requests set a field. */
export interface FieldInput<out T = unknown> {
  readonly schema: Schema.Codec<T, unknown>
  /** A create request without it fails. */
  readonly required?: true
  readonly description: string
  /** Used instead of `description` in the documentation of a PATCH. */
  readonly patchDescription?: string
  readonly example: unknown
  /** The default of a create request, if this face's default differs from the field's own `absent`. */
  readonly absent?: T
}

/** How responses show a field. */
export interface FieldOutput {
  /** `item`: in lists and in the detail; `detail`: in the detail only. */
  readonly at: "item" | "detail"
  /** The name in the JSON, if it differs from the field's. */
  readonly as?: string
  /** Amounts are texts unless this is set. */
  readonly format?: "number"
  /** Not part of the stored JSON: shown only to some viewers, as decided for each response. */
  readonly guarded?: true
  readonly description: string
  readonly example: unknown
}

/** One field of a record: its type, its default, how requests set it, and where responses show it. */
export interface Field<out T = unknown> {
  readonly type: FieldType<T>
  /** The field is not a column of the record's own table. */
  readonly apart?: true
  /** The value of a new record if its creator gives none. Without a default, every new record must give a value. */
  readonly absent?: NoInfer<T>
  readonly input?: Readonly<Partial<Record<string, FieldInput>>>
  readonly output?: Readonly<Partial<Record<string, FieldOutput>>>
}

export type Fields = Readonly<Record<string, Field>>

export type ValueOf<F> = F extends { readonly type: FieldType<infer T> } ? T : never

/** The record type that the fields describe. */
export type RecordOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

type Drafted<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly input: object } ? K : never]: ValueOf<F[K]>
}

type Defaulted<F extends Fields> = keyof WithDefault<F> & keyof Drafted<F>

/** The fields that a request may set, through any face. Fields with a default may be left out. */
export type DraftOf<F extends Fields> = Omit<Drafted<F>, Defaulted<F>> & Partial<Pick<Drafted<F>, Defaulted<F>>>

type FaceDefault<Face extends string> = [Face] extends [never]
  ? never
  : { readonly input: Readonly<Record<Face, { readonly absent: unknown }>> }

type WithDefault<F extends Fields, Face extends string = never> = {
  readonly [K in keyof F as F[K] extends { readonly absent: unknown } | FaceDefault<Face> ? K : never]: ValueOf<F[K]>
}

const make = <T, K extends FieldKind>(kind: K): FieldType<T, K> => ({ kind, nullable: false })

/** The types of fields. */
export const FieldType = {
  text: <T extends string = string>(): FieldType<T, "text"> => make("text"),
  texts: make<ReadonlyArray<string>, "texts">("texts"),
  amount: make<Usdt, "amount">("amount"),
  flag: make<boolean, "flag">("flag"),
  integer: make<number, "integer">("integer"),
  time: make<Timestamp, "time">("time"),
  /** Any JSON value: no amounts, no undefined. */
  json: <T>(): FieldType<T, "json"> => make("json"),
  choice: <const L extends ReadonlyArray<string>>(
    values: L
  ): FieldType<L[number], "text"> & { readonly values: L } => ({
    ...make<L[number], "text">("text"),
    values
  }),
  orNull: <T, K extends FieldKind>(type: FieldType<T, K>): FieldType<T | null, K> => ({ ...type, nullable: true })
} as const

/** The default values of a new record. A face may have its own defaults. */
export const defaultsOf = <const F extends Fields, const Face extends string = never>(
  fields: F,
  face?: Face
): WithDefault<F, Face> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { absent, input }]) => {
      const own: unknown = face === undefined ? undefined : input?.[face]?.absent
      const value = own ?? absent
      return value === undefined ? [] : [[name, value]]
    })
  ) as WithDefault<F, Face>

const encoders: Readonly<Partial<Record<FieldKind, (value: never) => unknown>>> = {
  amount: (value: Usdt) => Usdt.format(value),
  time: (value: Timestamp) => Time.toIso(value)
}

const encoderOf = ({ kind }: FieldType, { format }: FieldOutput): ((value: unknown) => unknown) => {
  const encode = (kind === "amount" && format === "number" ? Usdt.toNumber : encoders[kind]) as
    ((value: unknown) => unknown) | undefined
  return encode === undefined ? (value) => value : (value) => (value === null ? null : encode(value))
}

type Level<At extends "item" | "detail"> = At extends "item" ? "item" : "item" | "detail"

type OutputFor<F, Face extends string> = F extends {
  readonly output: Readonly<Record<Face, infer O extends FieldOutput>>
}
  ? O
  : never

type Guarded = { readonly guarded: true }

/** A branded text is a plain text in JSON. */
type Plain<T> = T extends string & Brand.Brand<string> ? string : T

type JsonOf<F, O> = F extends { readonly type: FieldType<infer T, infer K> }
  ? K extends "time"
    ? string | Extract<T, null>
    : K extends "amount"
      ? (O extends { readonly format: "number" } ? number : string) | Extract<T, null>
      : Plain<T>
  : never

type NameOf<K, O> = O extends { readonly as: infer N extends string } ? N : K & string

/** The JSON of a record for a face, in lists (`item`) or alone (`detail`). */
export type JsonFields<
  F extends Fields,
  Face extends string,
  At extends "item" | "detail",
  G extends boolean = true
> = {
  readonly [
    K in keyof F as F[K] extends { readonly output: Readonly<Record<Face, { readonly at: Level<At> }>> }
      ? OutputFor<F[K], Face> extends Guarded
        ? G extends true
          ? NameOf<K, OutputFor<F[K], Face>>
          : never
        : NameOf<K, OutputFor<F[K], Face>>
      : never
  ]: JsonOf<F[K], OutputFor<F[K], Face>>
}

/** The fields that a face shows, in the order of the JSON. Guarded fields are included only if `guarded` is set. */
export const outputOf = <
  const F extends Fields,
  const Face extends string,
  const At extends "item" | "detail",
  const G extends boolean = false
>(
  fields: F,
  face: Face,
  at: At,
  options?: { readonly guarded: G }
): ((record: RecordOf<F>) => JsonFields<F, Face, At, G>) => {
  const shown = Object.entries(fields).flatMap(([name, { output, type }]) => {
    const of = output?.[face]
    if (of === undefined || (at === "item" && of.at === "detail")) return []
    if (of.guarded === true && options?.guarded !== true) return []
    return [{ name, as: of.as ?? name, encode: encoderOf(type, of) }]
  })
  return (record) => {
    const json: Record<string, unknown> = {}
    for (const { as, encode, name } of shown) json[as] = encode(record[name])
    return json as JsonFields<F, Face, At, G>
  }
}
