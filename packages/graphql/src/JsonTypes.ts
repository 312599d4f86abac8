import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
  Kind
} from "graphql"
import type { GraphQLFieldConfigMap, GraphQLInputType, GraphQLOutputType } from "graphql"
import type { GraphQLContext } from "./GraphQLContext.ts"
import type { JsonSchema, OpenApiDocument } from "./JsonSchema.ts"

const amount = (value: unknown): string | number => {
  if (typeof value === "string" || typeof value === "number") return value
  throw new GraphQLError("Amount must be a number or a decimal string", { extensions: { code: "VALIDATION_ERROR" } })
}

/** An amount in a request. The digits of a literal are kept as they are written, so that nothing is rounded. */
const Amount = new GraphQLScalarType<string | number, string | number>({
  name: "Amount",
  description: "An amount with at most 6 decimals, as a number or as a decimal string.",
  parseValue: amount,
  serialize: amount,
  parseLiteral: (node) =>
    amount(node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : undefined)
})

const scalars: Readonly<Record<string, GraphQLScalarType>> = {
  string: GraphQLString,
  number: GraphQLFloat,
  integer: GraphQLInt,
  boolean: GraphQLBoolean
}

const refPrefix = "#/components/schemas/"

/** Splits `T | null` into the schema of `T` and whether null is allowed. */
const nullable = (schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } => {
  const { anyOf } = schema
  if (anyOf === undefined) return { schema, isNullable: false }
  const others = anyOf.filter(({ type }) => type !== "null")
  const [only] = others
  return {
    schema: others.length === 1 && only !== undefined ? only : { ...schema, anyOf: others },
    isNullable: others.length < anyOf.length
  }
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const described = (schema: JsonSchema): string | undefined => {
  const values = nullable(schema).schema.enum?.filter((value) => typeof value === "string") ?? []
  const choice = values.length > 1 ? `One of ${values.map((value) => `\`${value}\``).join(", ")}.` : ""
  return [schema.description ?? "", choice].filter((text) => text !== "").join(" ") || undefined
}

export type OutputFields = GraphQLFieldConfigMap<unknown, GraphQLContext>

/** Fields that a type has in addition to those of its JSON schema, by the name of the type. */
export type AddedFields = Readonly<Record<string, () => OutputFields>>

/**
 * Derives GraphQL types from the schemas of the OpenAPI document, so that both APIs have the same names, fields and descriptions. A schema
 * without a name is named after the field that contains it.
 */
export const makeJsonTypes = ({ components }: Pick<OpenApiDocument, "components">, added: AddedFields) => {
  const outputs = new Map<string, GraphQLObjectType<unknown, GraphQLContext>>()
  const inputs = new Map<string, GraphQLInputObjectType>()

  /** The named schema that a reference points at, or the schema itself with the given name. */
  const resolved = (schema: JsonSchema, name: string): { readonly name: string; readonly schema: JsonSchema } => {
    if (schema.$ref === undefined) return { name, schema }
    const referred = schema.$ref.slice(refPrefix.length)
    const found = components.schemas[referred]
    if (found === undefined) throw new Error(`The OpenAPI document has no schema ${referred}`)
    return { name: referred, schema: found }
  }

  const scalarOf = ({ enum: values, oneOf, type }: JsonSchema): GraphQLScalarType => {
    if (oneOf !== undefined) return Amount
    const scalar = scalars[type ?? (typeof values?.[0] === "boolean" ? "boolean" : "string")]
    if (scalar === undefined) throw new Error(`There is no GraphQL type for ${type}`)
    return scalar
  }

  const output = (given: JsonSchema, name: string): GraphQLOutputType => {
    const { isNullable, schema } = nullable(given)
    const type = outputOf(schema, name)
    return isNullable ? type : new GraphQLNonNull(type)
  }

  const outputOf = (
    given: JsonSchema,
    near: string
  ): GraphQLList<GraphQLOutputType> | GraphQLObjectType | GraphQLScalarType => {
    const { name, schema } = resolved(given, near)
    if (schema.type === "array") return new GraphQLList(output(schema.items ?? {}, near))
    if (schema.properties === undefined) return scalarOf(schema)
    const known = outputs.get(name)
    if (known !== undefined) return known
    const { properties, required = [] } = schema
    const type = new GraphQLObjectType<unknown, GraphQLContext>({
      name,
      ...optional("description", schema.description),
      fields: () => ({
        ...Object.fromEntries(
          Object.entries(properties).map(([field, of]) => [
            field,
            {
              type: required.includes(field)
                ? output(of, `${name}${capital(field)}`)
                : outputOf(nullable(of).schema, `${name}${capital(field)}`),
              ...optional("description", described(of))
            }
          ])
        ),
        ...added[name]?.()
      })
    })
    outputs.set(name, type)
    return type
  }

  const input = (given: JsonSchema, name: string, isRequired: boolean): GraphQLInputType => {
    const { isNullable, schema } = nullable(given)
    const type = inputOf(schema, name)
    return isNullable || !isRequired ? type : new GraphQLNonNull(type)
  }

  const inputOf = (
    given: JsonSchema,
    near: string
  ): GraphQLList<GraphQLInputType> | GraphQLInputObjectType | GraphQLScalarType => {
    const { name, schema } = resolved(given, near)
    if (schema.type === "array") return new GraphQLList(input(schema.items ?? {}, near, true))
    if (schema.properties === undefined) return scalarOf(schema)
    const known = inputs.get(name)
    if (known !== undefined) return known
    const { properties, required = [] } = schema
    const type = new GraphQLInputObjectType({
      name,
      ...optional("description", schema.description),
      fields: () =>
        Object.fromEntries(
          Object.entries(properties).map(([field, of]) => [
            field,
            {
              type: input(of, `${name}${capital(field)}`, required.includes(field)),
              ...optional("description", described(of))
            }
          ])
        )
    })
    inputs.set(name, type)
    return type
  }

  return {
    /** The type of a value in a response. */
    output,
    /** The type of a value in a request; not required values may be left out. */
    input,
    resolved
  }
}

export type JsonTypes = ReturnType<typeof makeJsonTypes>

/** An object with the value, or without the key where it is undefined. */
export const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
