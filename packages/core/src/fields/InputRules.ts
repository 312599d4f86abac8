import { Schema } from "effect"
import { Text } from "../text/Text.ts"

/** One of the values, matched exactly. */
export const choice = <const L extends ReadonlyArray<string>>(values: L) =>
  Schema.Literals(values).annotate({ message: `must be one of: ${values.join(", ")}` })

/** A whole JSON number within bounds. */
export const integer = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`
  return Schema.Number.annotate({ message }).check(
    Schema.isFinite({ message }),
    Schema.makeFilter(
      (value) => (Number.isInteger(value) && value >= minimum && value <= maximum ? undefined : message),
      {
        toJsonSchema: () => ({ type: "integer", minimum, maximum })
      }
    )
  )
}

/** At most `max` items. */
export const listUpTo = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item)
    .annotate({ message: "must be a list" })
    .check(
      Schema.makeFilter((items) => (items.length > max ? `must have at most ${max} items` : undefined), {
        toJsonSchema: () => ({ maxItems: max })
      })
    )

/** A text that is stored as sent, including blanks. Its length is counted without leading and trailing blanks. */
export const wholeText = (min: number, max: number) =>
  Schema.String.annotate({ message: "must be a string" }).check(
    Schema.makeFilter(
      (value) => {
        const length = Text.codePoints(value.trim())
        if (length < min || length > max) return `must be ${min} to ${max} characters`
        return Text.isClean(value) ? undefined : "must not contain NUL or unpaired surrogates"
      },
      { toJsonSchema: () => ({ minLength: min, maxLength: max }) }
    )
  )
