import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { SchemaAST } from "effect"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object that a schema describes, ignoring null and absence. */
const objectOf = (ast: SchemaAST.AST): SchemaAST.Objects | undefined => {
  if (SchemaAST.isObjects(ast)) return ast
  if (!SchemaAST.isUnion(ast)) return undefined
  for (const type of ast.types) {
    const found = objectOf(type)
    if (found !== undefined) return found
  }
  return undefined
}

const within = (ast: SchemaAST.AST, value: unknown, path: string): ReadonlyArray<Issue> => {
  const object = objectOf(ast)
  if (object === undefined || object.indexSignatures.length > 0 || !isRecord(value)) return []
  const known = new Map(object.propertySignatures.map(({ name, type }) => [String(name), type]))
  return Object.entries(value).flatMap(([name, field]) => {
    const type = known.get(name)
    const dotted = path === "" ? name : `${path}.${name}`
    return type === undefined ? [{ path: dotted, message: "is not a known field" }] : within(type, field, dotted)
  })
}

/** The fields of a body that its schema does not know, by name (OPERATOR-24). */
export const unknownFields = (schema: { readonly ast: SchemaAST.AST }, body: unknown): ReadonlyArray<Issue> =>
  within(SchemaAST.toEncoded(schema.ast), body, "")
