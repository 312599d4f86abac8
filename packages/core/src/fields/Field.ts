import type { Brand, Schema } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"

/** How a value is kept: a store derives the column from it, the API the JSON type. */
export type FieldKind = "text" | "texts" | "amount" | "flag" | "integer" | "time" | "json"

/** The type of a field's values. */
export interface FieldType<out T = unknown, out K extends FieldKind = FieldKind> {
  readonly kind: K
  readonly nullable: boolean
  /** The only texts allowed, where they are enumerated. */
  readonly values?: ReadonlyArray<string>
  /** Carries `T` for the compiler; never set. */
  readonly "~value"?: T
}

/** What a request may say of a field. */
export interface FieldInput<out T = unknown> {
  readonly schema: Schema.Codec<T, unknown>
  /** A create without it fails. */
  readonly required?: true
  readonly description: string
  /** Instead of `description`, in the documentation of a PATCH. */
  readonly patchDescription?: string
  readonly example: unknown
  /** What a create without it stands for, where this face differs from the field's own `absent`. */
  readonly absent?: T
}

/** What a response shows of a field. */
export interface FieldOutput {
  /** `item`: in lists and in the detail; `detail`: there only. */
  readonly at: "item" | "detail"
  /** The name in the JSON, where it differs from the field's. */
  readonly as?: string
  /** Amounts are texts unless this says otherwise. */
  readonly format?: "number"
  /** Not part of the stored JSON: shown only to some viewers, by code that decides for each. */
  readonly guarded?: true
  readonly description: string
  readonly example: unknown
}

/** One field of a record: its type, its value in a new record, what requests may say of it, and where responses show it. */
export interface Field<out T = unknown> {
  readonly type: FieldType<T>
  /** Not a column of the record's own table. */
  readonly apart?: true
  /** The value in a new record whose creator does not give one. Without it every new record must give one. */
  readonly absent?: NoInfer<T>
  readonly input?: Readonly<Partial<Record<string, FieldInput>>>
  readonly output?: Readonly<Partial<Record<string, FieldOutput>>>
}

export type Fields = Readonly<Record<string, Field>>

export type ValueOf<F> = F extends { readonly type: FieldType<infer T> } ? T : never

/** The record that the fields describe. */
export type RecordOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

type Drafted<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly input: object } ? K : never]: ValueOf<F[K]>
}

type Defaulted<F extends Fields> = keyof WithDefault<F> & keyof Drafted<F>

/** The fields that a request may set, through whichever face; those with a default may be left out. */
export type DraftOf<F extends Fields> = Omit<Drafted<F>, Defaulted<F>> & Partial<Pick<Drafted<F>, Defaulted<F>>>

type FaceDefault<Face extends string> = [Face] extends [never]
  ? never
  : { readonly input: Readonly<Record<Face, { readonly absent: unknown }>> }

type WithDefault<F extends Fields, Face extends string = never> = {
  readonly [K in keyof F as F[K] extends { readonly absent: unknown } | FaceDefault<Face> ? K : never]: ValueOf<F[K]>
}

const make = <T, K extends FieldKind>(kind: K): FieldType<T, K> => ({ kind, nullable: false })

/** The types that fields have. */
export const FieldType = {
  text: <T extends string = string>(): FieldType<T, "text"> => make("text"),
  texts: make<ReadonlyArray<string>, "texts">("texts"),
  amount: make<Usdt, "amount">("amount"),
  flag: make<boolean, "flag">("flag"),
  integer: make<number, "integer">("integer"),
  time: make<Timestamp, "time">("time"),
  /** Anything that JSON holds as it is: no amounts, no undefined. */
  json: <T>(): FieldType<T, "json"> => make("json"),
  choice: <const L extends ReadonlyArray<string>>(
    values: L
  ): FieldType<L[number], "text"> & { readonly values: L } => ({
    ...make<L[number], "text">("text"),
    values
  }),
  orNull: <T, K extends FieldKind>(type: FieldType<T, K>): FieldType<T | null, K> => ({ ...type, nullable: true })
} as const

/** The fields' values in a new record; a face may have defaults of its own. */
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

/** A brand is the compiler's: the JSON is a plain text. */
type Plain<T> = T extends string & Brand.Brand<string> ? string : T

type JsonOf<F, O> = F extends { readonly type: FieldType<infer T, infer K> }
  ? K extends "time"
    ? string | Extract<T, null>
    : K extends "amount"
      ? (O extends { readonly format: "number" } ? number : string) | Extract<T, null>
      : Plain<T>
  : never

type NameOf<K, O> = O extends { readonly as: infer N extends string } ? N : K & string

/** What a face shows of a record, in lists (`item`) or alone (`detail`), as JSON. */
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

/** The fields that a face shows, as they stand in the JSON; guarded ones only where `guarded` is set. */
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
