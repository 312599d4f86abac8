import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"

/** An amount as a column returns it, or inside JSON: there it is a number below 2⁵³, or text. */
export type Amount = bigint | number | string

/** A column of money: whole 10⁻⁶ USDT, never negative. JSON's numbers are exact below 2⁵³ only. */
export const AmountColumn: Schema.Codec<Amount, Amount> = Schema.Union([
  Schema.BigInt.check(Schema.isGreaterThanOrEqualToBigInt(0n)),
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  Schema.String.check(Schema.isPattern(/^\d+$/))
])

/** What is added to a column of money, or taken from it. */
export const ChangeColumn: Schema.Codec<Amount, Amount> = Schema.Union([
  Schema.BigInt,
  Schema.Int,
  Schema.String.check(Schema.isPattern(/^-?\d+$/))
])

/** A column of time. */
export const TimeColumn: Schema.Codec<Time, Time> = Schema.Union([
  Schema.Date.check(Schema.makeFilter((date) => !Number.isNaN(date.getTime()))),
  Schema.String.check(Schema.makeFilter((text) => !Number.isNaN(Date.parse(text))))
])

/** A column with one of those words; the type demands every one. */
export const oneOf = <Word extends string>(words: Readonly<Record<Word, true>>) =>
  Schema.Literals(Object.keys(words) as unknown as ReadonlyArray<Word>)

/** A column with an id of that kind. */
export const idColumn = <Id extends string>() => Schema.NonEmptyString as unknown as Schema.Codec<Id, string>

/**
 * Checks what a query returned before money depends on it. Throws where a row is not as its schema says: that is a fault of the database or
 * of the query, for which there is no default.
 */
export const decodeRows = <A, I>(schema: Schema.Codec<A, I>): ((rows: unknown) => A) => Schema.decodeUnknownSync(schema)

/** A time as a column returns it, or inside JSON as ISO 8601. */
export type Time = Date | string

export const amount = (value: Amount): Usdt => Usdt.of(BigInt(value))

export const time = (value: Time): Timestamp => (typeof value === "string" ? Date.parse(value) : value.getTime())

export const nullableTime = (value: Time | null): Timestamp | null => (value === null ? null : time(value))

/** A duration in milliseconds as SQL. */
export const interval = (milliseconds: number): string => `interval '${milliseconds} milliseconds'`

/** A time as a parameter, also inside JSON. */
export const date = (at: Timestamp): Date => new Date(at)

export const nullableDate = (at: Timestamp | null): Date | null => (at === null ? null : new Date(at))
