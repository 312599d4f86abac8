import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Text } from "@agent-marketplace/core/text/Text"
import { Effect, Option, Result, Schema, SchemaGetter, SchemaIssue } from "effect"

/**
 * An optional field of a body: null counts as absent (SOUL-13), so what is decoded either has the value or has no key.
 */
export const optional = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(
        Option.filter((value: S["Type"] | null): value is S["Type"] => value !== null)
      ),
      encode: SchemaGetter.transformOptional((value: Option.Option<S["Type"]>) => value)
    })
  )

/** A field of a PATCH that null clears; absent it stays as it is. */
export const clearable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

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

export const flag = Schema.Boolean.annotate({ message: "must be true or false" })

/** One of the values, written exactly so. */
export const choice = <const L extends ReadonlyArray<string>>(values: L) =>
  Schema.Literals(values).annotate({ message: `must be one of: ${values.join(", ")}` })

/** At most `max` items. */
export const listUpTo = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item)
    .annotate({ message: "must be a list" })
    .check(
      Schema.makeFilter((items) => (items.length > max ? `must have at most ${max} items` : undefined), {
        toJsonSchema: () => ({ maxItems: max })
      })
    )

/** An ISO 8601 instant, decoded to milliseconds since the epoch. */
export const instant = Schema.String.annotate({ message: "must be a string" })
  .check(Schema.makeFilter(() => true, { toJsonSchema: () => ({ format: "date-time" }) }))
  .pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transformEffect((text: string, options) =>
        Result.match(Timestamp.parse(text), {
          onSuccess: (time) => Effect.succeed(time),
          onFailure: (message) => Effect.fail(new SchemaIssue.InvalidValue({ message }, text, options))
        })
      ),
      encode: SchemaGetter.transform((time: number) => Timestamp.toIso(time))
    })
  )

/** The id of a record as the wire has it: any clean text may be looked up, and most name nothing. */
export const idOf = <Id extends string>(): Schema.Codec<Id, string> =>
  Schema.String.annotate({ message: "must be a string" }).check(
    Schema.makeFilter((value) => (Text.isClean(value) ? undefined : "must not contain NUL or unpaired surrogates"), {
      toJsonSchema: () => ({ type: "string" })
    })
  ) as unknown as Schema.Codec<Id, string>

/** A text that is kept as it was sent, blanks included; its bounds count without the blanks around it. */
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
