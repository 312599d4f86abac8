import { Schema } from "effect"

/** A rule with its error message and its JSON Schema. */
const rule = <A>(message: string, holds: (value: A) => boolean, shape: Readonly<Record<string, unknown>>) =>
  Schema.makeFilter<A>((value) => (holds(value) ? undefined : message), { toJsonSchema: () => shape })

const string = Schema.String.annotate({ message: "must be a string" })

const matching = (pattern: string, message: string, description: string) =>
  string.check(rule(message, (value) => new RegExp(pattern, "u").test(value), { pattern })).annotate({ description })

const number = (minimum: number, maximum: number, whole: boolean, description: string) => {
  const message = `must be a ${whole ? "whole " : ""}number from ${minimum} to ${maximum}`
  return Schema.Finite.annotate({ message })
    .check(
      rule(message, (value) => value >= minimum && value <= maximum && (!whole || Number.isInteger(value)), {
        ...(whole ? { type: "integer" } : {}),
        minimum,
        maximum
      })
    )
    .annotate({ description })
}

/** Arguments of tools. The market checks them again; these rules inform a model before it calls. */
export const Argument = {
  /** Lengths count Unicode code points, as the market's do. */
  text: (min: number, max: number, description: string) =>
    string
      .check(
        rule(`must be ${min} to ${max} characters`, (value) => [...value].length >= min && [...value].length <= max, {
          minLength: min,
          maxLength: max
        })
      )
      .annotate({ description }),
  matching,
  /** An id that becomes part of a path. */
  id: (prefix: string, description: string) =>
    matching(`^${prefix}[A-Za-z0-9_-]{1,100}$`, `must be an id that starts with ${prefix}`, description),
  amount: (description: string) => number(0, 1_000_000_000, false, description),
  whole: (minimum: number, maximum: number, description: string) => number(minimum, maximum, true, description),
  choice: <const A extends ReadonlyArray<string>>(values: A, description: string) =>
    Schema.Literals(values).annotate({ message: `must be one of ${values.join(", ")}`, description }),
  /** Null counts as absent: see {@link marketTool}. */
  optional: <S extends Schema.Constraint>(schema: S): Schema.optionalKey<S> => Schema.optionalKey(schema)
} as const
