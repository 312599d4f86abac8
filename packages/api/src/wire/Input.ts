import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Text } from "@agent-marketplace/core/text/Text"
import { Effect, Option, Result, Schema, SchemaGetter, SchemaIssue } from "effect"

/**
 * An optional field of a body. Null counts as absent (SOUL-13): the decoded object either has a value or lacks the key.
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

/** A field of a PATCH: null clears it, and an absent field keeps its value. */
export const clearable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const flag = Schema.Boolean.annotate({ message: "must be true or false" })

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

/** The id of a record on the wire. Any text without NUL and unpaired surrogates is looked up; an unknown one is not found. */
export const idOf = <Id extends string>(): Schema.Codec<Id, string> =>
  Schema.String.annotate({ message: "must be a string" }).check(
    Schema.makeFilter((value) => (Text.isClean(value) ? undefined : "must not contain NUL or unpaired surrogates"), {
      toJsonSchema: () => ({ type: "string" })
    })
  ) as unknown as Schema.Codec<Id, string>
