import type {
  FieldInput,
  FieldOutput,
  Fields,
  FieldType,
  JsonFields,
  ValueOf
} from "@agent-marketplace/core/fields/Field"
import { Schema } from "effect"
import { field } from "./Field.ts"
import { clearable, optional } from "./Input.ts"
import { ResponseField } from "./ResponseField.ts"

/** The keys of the fields that a face accepts. */
type Taken<F extends Fields, Face extends string> = {
  [K in keyof F]: F[K] extends { readonly input: Readonly<Record<Face, FieldInput>> } ? K : never
}[keyof F]

/** The definition of a field in a face that accepts it. */
type InputOf<F, Face extends string> = F extends { readonly input: Readonly<Record<Face, infer I extends FieldInput>> }
  ? I
  : never

type CreateOf<I extends FieldInput> = I extends { readonly required: true }
  ? I["schema"]
  : ReturnType<typeof optional<I["schema"]>>

type PatchOf<V, I extends FieldInput> = I extends { readonly required: true }
  ? ReturnType<typeof optional<I["schema"]>>
  : null extends V
    ? ReturnType<typeof clearable<I["schema"]>>
    : ReturnType<typeof optional<I["schema"]>>

const taken = (fields: Fields, face: string) =>
  Object.entries(fields).flatMap(([name, { input, type }]) => {
    const of = input?.[face]
    return of === undefined ? [] : [{ name, type, of }]
  })

/** The body of a create through a face: a schema for each field that the face accepts, with its documentation. */
export const createFields = <const F extends Fields, const Face extends string>(
  fields: F,
  face: Face
): { readonly [K in Taken<F, Face>]: CreateOf<InputOf<F[K], Face>> } =>
  Object.fromEntries(
    taken(fields, face).map(({ name, of }) => {
      const { description, example, required, schema } = of
      return [name, field(required === true ? schema : optional(schema), description, example as never)]
    })
  ) as never

/** The body of a PATCH through a face: every field is optional, and null clears a field that may be null. */
export const patchFields = <const F extends Fields, const Face extends string>(
  fields: F,
  face: Face
): { readonly [K in Taken<F, Face>]: PatchOf<ValueOf<F[K]>, InputOf<F[K], Face>> } =>
  Object.fromEntries(
    taken(fields, face).map(({ name, of, type }) => {
      const { example, patchDescription, required, schema } = of
      const description = patchDescription ?? of.description
      // A field that a create requires is never cleared.
      const clears = type.nullable && required !== true
      return [
        name,
        clears
          ? field(clearable(schema), `${description} Null clears it.`, example as never)
          : field(optional(schema), description, example as never)
      ]
    })
  ) as never

const schemaOf = ({ kind, nullable, values }: FieldType, { description, example, format }: FieldOutput) => {
  const one = {
    text: () => (values === undefined ? Schema.String : Schema.Literals(values)),
    texts: () => Schema.Array(Schema.String),
    flag: () => Schema.Boolean,
    integer: () => ResponseField.types.count,
    time: () => ResponseField.types.time,
    amount: () => (format === "number" ? Schema.Finite : ResponseField.types.money),
    json: () => Schema.Unknown
  }[kind]() as Schema.Top
  return field(nullable ? Schema.NullOr(one) : one, description, example as never)
}

/** The fields of a record that a face shows, in lists (`item`) or alone (`detail`): a schema for each, with its documentation. */
export const outputFields = <const F extends Fields, const Face extends string, At extends "item" | "detail">(
  fields: F,
  face: Face,
  at: At
): { readonly [K in keyof JsonFields<F, Face, At>]: Schema.Codec<JsonFields<F, Face, At>[K]> } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { output, type }]) => {
      const of = output?.[face]
      if (of === undefined || (at === "item" && of.at === "detail")) return []
      return [[of.as ?? name, schemaOf(type, of)]]
    })
  ) as never
