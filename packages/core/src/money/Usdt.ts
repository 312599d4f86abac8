import type { Brand } from "effect"
import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"

/** An amount in units of 10⁻⁶ USDT, never a binary fraction (MONEY-1). Amounts of ledger lines are signed. */
export type Usdt = bigint & Brand.Brand<"Usdt">

const unitsPerUsdt = 1_000_000n

const maxUsdt = 1_000_000_000

const maxTextLength = 32

/** Below this value a unit count is an exact double, so that one division rounds only once. */
const exactUnits = BigInt(Number.MAX_SAFE_INTEGER)

const of = (units: bigint): Usdt => units as Usdt

const max = of(BigInt(maxUsdt) * unitsPerUsdt)

const parseText = (text: string): Result.Result<Usdt, string> => {
  if (text.length > maxTextLength) return Result.fail(`must have at most ${maxTextLength} characters`)
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null) return Result.fail("must be a plain decimal number")
  const [, sign, whole = "", fraction = ""] = parts
  if (sign === "-") return Result.fail("must not be negative")
  if (fraction.length > 6) return Result.fail("must have at most 6 decimals")
  const units = BigInt(whole) * unitsPerUsdt + BigInt(fraction.padEnd(6, "0"))
  return units > max ? Result.fail(`must be at most ${maxUsdt}`) : Result.succeed(of(units))
}

const parseNumber = (value: number): Result.Result<Usdt, string> => {
  if (!Number.isFinite(value)) return Result.fail("must be a finite number")
  if (value < 0 || Object.is(value, -0)) return Result.fail("must not be negative")
  if (value > maxUsdt) return Result.fail(`must be at most ${maxUsdt}`)
  const text = String(value)
  // Below the maximum, only numbers less than 10⁻⁶ are written with an exponent.
  return text.includes("e") ? Result.fail("must have at most 6 decimals") : parseText(text)
}

const parse = (input: unknown): Result.Result<Usdt, string> => {
  if (typeof input === "number") return parseNumber(input)
  if (typeof input === "string") return parseText(input)
  return Result.fail("must be a number or a decimal string")
}

const format = (units: bigint): string => {
  const magnitude = units < 0n ? -units : units
  const fraction = (magnitude % unitsPerUsdt).toString().padStart(6, "0")
  const digits = fraction.replace(/0{1,4}$/, "")
  return `${units < 0n ? "-" : ""}${magnitude / unitsPerUsdt}.${digits}`
}

const toNumber = (units: bigint): number =>
  units <= exactUnits && units >= -exactUnits ? Number(units) / 1_000_000 : Number(format(units))

export const Usdt: {
  readonly zero: Usdt
  /** The maximum amount of a request: 1,000,000,000 USDT. */
  readonly max: Usdt
  /** The amount of a number of units of 10⁻⁶ USDT. */
  readonly of: (units: bigint) => Usdt
  /**
   * Parses a request amount (MONEY-4, MONEY-5): a JSON number, read by its shortest decimal text, or a string of plain decimal digits, from 0 to
   * {@link Usdt.max} with at most 6 decimals. The failure names the broken rule.
   */
  readonly parse: (input: unknown) => Result.Result<Usdt, string>
  /** At least 2 decimals, at most 6, no trailing zeros past the second: `"12.50"`, `"0.000001"`, `"-10.00"`. */
  readonly format: (units: bigint) => string
  /** The JSON number with that value in its shortest form (MONEY-3); above 8,000,000,000 USDT the nearest double. */
  readonly toNumber: (units: bigint) => number
  /** The format of error details: `"12.50 USDT"` (ERROR-4). */
  readonly withCurrency: (units: bigint) => string
} = {
  zero: of(0n),
  max,
  of,
  parse,
  format,
  toNumber,
  withCurrency: (units) => `${format(units)} USDT`
}

const describedBy = (jsonSchema: Record<string, unknown>) =>
  Schema.makeFilter<string | number>(() => true, { toJsonSchema: () => jsonSchema })

const notAnAmount = { message: "must be a number or a decimal string" }

const WireAmount = Schema.Union(
  [
    Schema.Finite.annotate({ message: "must be a finite number" }).check(describedBy({ minimum: 0, maximum: maxUsdt })),
    Schema.String.check(describedBy({ pattern: "^\\d+(\\.\\d{1,6})?$", maxLength: maxTextLength }))
  ],
  { mode: "oneOf" }
).annotate({
  ...notAnAmount,
  description: "An amount from 0 to 1,000,000,000 with at most 6 decimals, as a JSON number or a decimal string.",
  examples: ["12.50", 12.5]
})

/** A request amount on the wire (MONEY-4): {@link Usdt.parse} as a codec. Encodes as {@link Usdt.format} does. */
export const UsdtInput = WireAmount.pipe(
  Schema.decodeTo(Schema.BigInt.pipe(Schema.brand("Usdt")), {
    decode: SchemaGetter.transformEffect((input: string | number, options) =>
      Result.match(parse(input), {
        onSuccess: (units) => Effect.succeed<bigint>(units),
        onFailure: (message) => Effect.fail(new SchemaIssue.InvalidValue({ message }, input, options))
      })
    ),
    encode: SchemaGetter.transform((units: bigint): string | number => format(units))
  })
).annotateKey({ messageMissingKey: "is required" })

/** A quotient rounded to the nearest integer, a half to the even one. The numerator is not negative, the denominator above zero. */
export const halfEven = (numerator: bigint, denominator: bigint): bigint => {
  const floor = numerator / denominator
  const twice = (numerator % denominator) * 2n
  return twice > denominator || (twice === denominator && floor % 2n === 1n) ? floor + 1n : floor
}
