import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { EventCursor } from "@agent-marketplace/core/events/EventLog"
import { isEventCursor } from "@agent-marketplace/core/events/EventLog"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Text } from "@agent-marketplace/core/text/Text"
import { VisibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Effect, Option, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { field } from "./Field.ts"

/** The annotation of a string parameter with the schema of the value that it encodes; {@link documented} replaces the string by it. */
export const shapeKey = "x-shape"

/** A string that is always valid and is documented as that JSON schema: query parameters are strings only on the wire. */
export const textOf = (shape: Readonly<Record<string, unknown>>) =>
  Schema.String.annotate({ message: "must be given once" }).check(
    Schema.makeFilter(() => true, { toJsonSchema: () => ({ [shapeKey]: shape }) })
  )

type Documented = readonly [description: string, example: string]

/** A known parameter with a wrong value fails (WIRE-21). */
const codec = <A>(
  shape: Readonly<Record<string, unknown>>,
  [description, example]: Documented,
  parse: (text: string) => Result.Result<A, string>
) =>
  field(textOf(shape), description, example).pipe(
    Schema.decodeTo(Schema.Any as unknown as Schema.Codec<A>, {
      decode: SchemaGetter.transformEffect((text: string, options) =>
        Result.match(parse(text), {
          onSuccess: (value) => Effect.succeed(value),
          onFailure: (message) => Effect.fail(new SchemaIssue.InvalidValue({ message }, text, options))
        })
      ),
      encode: SchemaGetter.transform((value: A): string =>
        typeof value === "bigint" ? Usdt.format(value) : String(value)
      )
    })
  )

/** The decoded object lacks the key if the parameter is absent. */
const parameter = <A>(
  shape: Readonly<Record<string, unknown>>,
  documented: Documented,
  parse: (text: string) => Result.Result<A, string>
) => Schema.optionalKey(codec(shape, documented, parse))

const number = (text: string): number => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

const bounded = (value: number, minimum: number, maximum: number, message: string): Result.Result<number, string> =>
  value >= minimum && value <= maximum ? Result.succeed(value) : Result.fail(message)

/** Parses an integer from `minimum` to `maximum`. */
const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): Result.Result<number, string> => {
    const message = `must be a whole number from ${minimum} to ${maximum}`
    const value = number(text)
    return Number.isInteger(value) ? bounded(value, minimum, maximum, message) : Result.fail(message)
  }

const moneyShape = { type: "string", pattern: "^\\d+(\\.\\d{1,6})?$" } as const

const cleanText =
  (maxLength: number) =>
  (text: string): Result.Result<string, string> => {
    if (!Text.isClean(text)) return Result.fail("must not contain NUL or unpaired surrogates")
    const trimmed = text.trim()
    return Text.codePoints(trimmed) > maxLength
      ? Result.fail(`must be at most ${maxLength} characters`)
      : Result.succeed(trimmed)
  }

const isRequired = { messageMissingKey: "is required" }

const actionSubjectForm = /^(?:[a-z]+_[0-9a-z_]{1,95}|T[1-9A-HJ-NP-Za-km-z]{33}|[0-9a-f]{64}|clock|payouts|hot|cold)$/

const cursorForm = /^[a-z]+_[0-9a-zA-Z_]{1,100}$/

/** Why a text is not a cursor of the log of events. */
export const cursorRule = "must be the cursor of an event: the id of a message of the stream"

/** Parameters of the URL. Each is decoded strictly and documented as the value that its text encodes. */
export const Query = {
  /** The fallback applies if the parameter is absent. */
  integer: (minimum: number, maximum: number, fallback: number, description: string) =>
    codec(
      { type: "integer", minimum, maximum, default: fallback },
      [description, String(fallback)],
      wholeNumber(minimum, maximum)
    ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(fallback)))),
  /** Required parameters, such as those of the path. */
  required: {
    money: (...documented: Documented) => codec<Usdt>(moneyShape, documented, Usdt.parse).annotateKey(isRequired),
    text: (maxLength: number, ...documented: Documented) =>
      codec({ type: "string", maxLength }, documented, cleanText(maxLength)).annotateKey(isRequired),
    integer: (minimum: number, maximum: number, description: string) =>
      codec({ type: "integer", minimum, maximum }, [description, String(minimum)], wholeNumber(minimum, maximum))
  },
  number: (minimum: number, maximum: number, ...documented: Documented) =>
    parameter({ type: "number", minimum, maximum }, documented, (text) =>
      bounded(number(text), minimum, maximum, `must be a number from ${minimum} to ${maximum}`)
    ),
  money: (...documented: Documented) => parameter<Usdt>(moneyShape, documented, Usdt.parse),
  flag: (...documented: Documented) =>
    parameter({ type: "boolean" }, documented, (text) =>
      text === "true" || text === "false" ? Result.succeed(text === "true") : Result.fail("must be true or false")
    ),
  choice: <const L extends ReadonlyArray<string>>(values: L, ...documented: Documented) =>
    parameter<L[number]>({ type: "string", enum: values }, documented, (text) =>
      values.includes(text) ? Result.succeed(text) : Result.fail(`must be one of: ${values.join(", ")}`)
    ),
  /** `me`, or the id of an account. */
  account: (...documented: Documented) =>
    parameter({ type: "string", maxLength: 100 }, documented, (text) =>
      text === "me" || /^usr_[0-9a-z_]{1,96}$/.test(text)
        ? Result.succeed(text)
        : Result.fail("must be me or the id of an account (usr_…)")
    ),
  /** The id of a record of one of these kinds, named by the prefixes of their ids. */
  id: (prefixes: ReadonlyArray<string>, ...documented: Documented) => {
    const form = new RegExp(`^(?:${prefixes.join("|")})_[0-9a-z_]{1,95}$`)
    const named = prefixes.map((prefix) => `${prefix}_…`).join(" or ")
    return parameter({ type: "string", maxLength: 100 }, documented, (text) =>
      form.test(text) ? Result.succeed(text) : Result.fail(`must be an id (${named})`)
    )
  },
  /** The subject of an operator's action: a record's id, a deposit address, a transaction, the clock, the payouts, the hot or the cold wallet. */
  actionSubject: (...documented: Documented) =>
    parameter({ type: "string", maxLength: 100 }, documented, (text) =>
      actionSubjectForm.test(text)
        ? Result.succeed(text)
        : Result.fail("must be the id of a record or of a transaction, a deposit address, clock, payouts, hot or cold")
    ),
  /** One visible line, such as the name of an operator. It is trimmed; an empty one counts as absent and is decoded to "". */
  line: (maxLength: number, ...documented: Documented) =>
    parameter({ type: "string", maxLength }, documented, (text) =>
      Result.flatMap(cleanText(maxLength)(text), (clean) => {
        const violation = VisibleLine.violation(clean)
        return violation === undefined ? Result.succeed(clean) : Result.fail(violation)
      })
    ),
  /** The cursor of a keyset page: the id of the last record of the previous page. */
  cursor: (...documented: Documented) =>
    parameter({ type: "string", maxLength: 120 }, documented, (text) =>
      cursorForm.test(text) ? Result.succeed(text) : Result.fail("must be the nextCursor of an earlier page")
    ),
  /** A position in the log of events. */
  eventCursor: (...documented: Documented) =>
    parameter<EventCursor>({ type: "string", maxLength: 18, pattern: "^\\d+$" }, documented, (text) =>
      isEventCursor(text) ? Result.succeed(text) : Result.fail(cursorRule)
    ),
  /** Several of the values, separated by commas. */
  choices: <const L extends ReadonlyArray<string>>(values: L, ...documented: Documented) =>
    parameter<ReadonlyArray<L[number]>>({ type: "string" }, documented, (text) => {
      const names = text.split(",").map((name) => name.trim())
      return names.every((name) => values.includes(name))
        ? Result.succeed(values.filter((value) => names.includes(value)))
        : Result.fail(`must be some of these, separated by commas: ${values.join(", ")}`)
    }),
  /** An ISO 8601 instant, or a date, which means its start in UTC. */
  moment: (...documented: Documented) =>
    parameter<Timestamp>({ type: "string", maxLength: 40 }, documented, (text) =>
      Timestamp.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
    ),
  /** The text is trimmed; an empty one counts as absent and is decoded to "". */
  text: (maxLength: number, ...documented: Documented) =>
    parameter({ type: "string", maxLength }, documented, cleanText(maxLength)),
  /** Comma-separated, without the blanks around entries; any of them matches (SOUL-7). Without an entry the decoded object lacks the key. */
  tags: (...documented: Documented) =>
    parameter<ReadonlyArray<string>>({ type: "string" }, documented, (text) =>
      Result.map(cleanText(1000)(text), (clean) =>
        clean
          .split(",")
          .map((tag) => tag.trim())
          .filter((tag) => tag !== "")
      )
    ).pipe(
      Schema.decodeTo(Schema.optionalKey(Schema.Array(Schema.String)), {
        decode: SchemaGetter.transformOptional(Option.filter((tags: ReadonlyArray<string>) => tags.length > 0)),
        encode: SchemaGetter.passthrough()
      })
    )
} as const

/** Page and page size of every list except that of souls (WIRE-10, WIRE-22). */
export const pageQuery = {
  page: Query.integer(1, 1_000_000_000, 1, "The page, counted from 1."),
  limit: Query.integer(1, 100, 20, "The most records on a page.")
}
