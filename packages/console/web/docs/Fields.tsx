import { createContext, use } from "react"
import { Text } from "./inline.tsx"
import type { OpenApiDocument, Parameter, Schema } from "./OpenApi.ts"
import { resolved } from "./OpenApi.ts"

export const Document = createContext<OpenApiDocument | undefined>(undefined)

export const useDocument = (): OpenApiDocument => {
  const document = use(Document)
  if (document === undefined) throw new Error("no document")
  return document
}

const isNull = ({ type }: Schema): boolean => type === "null"

const alternatives = ({ anyOf, oneOf }: Schema): ReadonlyArray<Schema> => anyOf ?? oneOf ?? []

const literal = (value: unknown): string => JSON.stringify(value)

/** The type in words: `array of string or null`. */
const typeOf = (document: OpenApiDocument, given: Schema): string => {
  const schema = resolved(document, given)
  const others = alternatives(schema)
  if (others.length > 0) return [...new Set(others.map((each) => typeOf(document, each)))].join(" or ")
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.type === "array") return `array of ${typeOf(document, schema.items ?? {})}`
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any")
  return schema.format === undefined ? String(type) : `${String(type)} (${schema.format})`
}

/** The first object with fields inside a schema: its own, that of its items, or of an alternative. */
const objectsIn = (document: OpenApiDocument, given: Schema): ReadonlyArray<Schema> => {
  const schema = resolved(document, given)
  if (schema.properties !== undefined) return [schema]
  if (schema.items !== undefined) return objectsIn(document, schema.items)
  if (typeof schema.additionalProperties === "object") return objectsIn(document, schema.additionalProperties)
  return alternatives(schema)
    .filter((each) => !isNull(each))
    .flatMap((each) => objectsIn(document, each))
}

const units: ReadonlyArray<readonly [least: string, most: string, unit: string]> = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", " characters"],
  ["minItems", "maxItems", " items"]
]

const bound = (least: unknown, most: unknown, unit: string): string => {
  const plural = most === 1 || (most === undefined && least === 1) ? unit.replace(/s$/, "") : unit
  if (least !== undefined && most !== undefined) return `${literal(least)} to ${literal(most)}${plural}`
  return least === undefined ? `at most ${literal(most)}${plural}` : `at least ${literal(least)}${plural}`
}

/** The bounds of a value in words: `1 to 255 characters`. */
const boundsOf = (schema: Schema): ReadonlyArray<string> => {
  const known = units.flatMap(([least, most, unit]) =>
    schema[least] === undefined && schema[most] === undefined ? [] : [bound(schema[least], schema[most], unit)]
  )
  const more = schema["exclusiveMinimum"]
  if (more !== undefined) known.push(`more than ${literal(more)}`)
  if (schema.default !== undefined) known.push(`default ${literal(schema.default)}`)
  return known
}

const enumOf = (document: OpenApiDocument, given: Schema): ReadonlyArray<unknown> => {
  const schema = resolved(document, given)
  if (schema.enum !== undefined) return schema.enum
  return schema.items === undefined
    ? alternatives(schema).flatMap((each) => enumOf(document, each))
    : enumOf(document, schema.items)
}

const Bounds = ({ schema: given }: { readonly schema: Schema }) => {
  const document = useDocument()
  const own = resolved(document, given)
  const [only] = alternatives(own).filter((each) => !isNull(each))
  const schema = { ...(only === undefined ? {} : resolved(document, only)), ...own }
  const known = boundsOf(schema)
  const values = enumOf(document, given)
  return (
    <>
      {known.length === 0 ? null : <p className="bounds">{known.join(", ")}</p>}
      {values.length < 2 ? null : (
        <p className="bounds">
          One of{" "}
          {values.map((value, index) => (
            <span key={literal(value)}>
              {index === 0 ? "" : " "}
              <code>{String(value)}</code>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

const nesting = 6

const Field = ({
  depth,
  name,
  required,
  schema
}: {
  readonly depth: number
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}) => {
  const document = useDocument()
  const objects = depth >= nesting ? [] : objectsIn(document, schema)
  return (
    <li>
      <p className="field-head">
        <code className="name">{name}</code> <span className="type">{typeOf(document, schema)}</span>
        {required ? null : <span className="optional">optional</span>}
      </p>
      <Text of={resolved(document, schema).description} />
      <Bounds schema={schema} />
      {objects.map((object, index) => (
        <details key={index} className="nested">
          <summary>
            Fields of <code>{name}</code>
            {objects.length > 1 ? `, form ${index + 1}` : ""}
          </summary>
          <Fields depth={depth + 1} schema={object} />
        </details>
      ))}
    </li>
  )
}

/** The fields of an object; nested ones can be opened. */
const Fields = ({ depth = 0, schema }: { readonly depth?: number; readonly schema: Schema }) => (
  <ul className="fields">
    {Object.entries(schema.properties ?? {}).map(([name, each]) => (
      <Field key={name} depth={depth} name={name} required={schema.required?.includes(name) === true} schema={each} />
    ))}
  </ul>
)

export const Parameters = ({ of }: { readonly of: ReadonlyArray<Parameter> }) => {
  const document = useDocument()
  return (
    <ul className="fields">
      {of.map((parameter) => (
        <li key={parameter.name}>
          <p className="field-head">
            <code className="name">{parameter.name}</code>{" "}
            <span className="type">{typeOf(document, parameter.schema)}</span>
            {parameter.required === true ? null : <span className="optional">optional</span>}
          </p>
          <Text of={parameter.description} />
          <Bounds schema={parameter.schema} />
        </li>
      ))}
    </ul>
  )
}

/** The fields of a body. Of the general envelope only `data` is shown. */
export const Body = ({ schema: given }: { readonly schema: Schema }) => {
  const document = useDocument()
  const schema = resolved(document, given)
  const { data, success } = schema.properties ?? {}
  const isEnvelope = data !== undefined && success !== undefined && Object.keys(schema.properties ?? {}).length === 2
  const shown = isEnvelope ? data : schema
  const objects = objectsIn(document, shown)
  const type = typeOf(document, shown)
  return (
    <>
      {type === "object" ? null : <p className="bounds">{type}</p>}
      {objects.map((object, index) => (
        <Fields key={index} schema={object} />
      ))}
    </>
  )
}
