import { Schema } from "effect"
import { field } from "./Field.ts"

const shaped = (shape: Readonly<Record<string, unknown>>) =>
  Schema.makeFilter<unknown>(() => true, { toJsonSchema: () => ({ ...shape }) })

const count = Schema.Finite.check(shaped({ type: "integer", minimum: 0 }))
const time = Schema.String.check(shaped({ format: "date-time" }))
const money = Schema.String.check(shaped({ pattern: "^-?\\d+\\.\\d{2,6}$" }))
const exampleTime = "2025-01-15T12:00:00.000Z"

/** Fields of responses, each with its documentation. */
export const ResponseField = {
  types: { count, time, money },
  text: (description: string, example: string) => field(Schema.String, description, example),
  textOrNull: (description: string, example: string | null) =>
    field(Schema.NullOr(Schema.String), description, example),
  texts: (description: string, example: ReadonlyArray<string>) =>
    field(Schema.Array(Schema.String), description, example),
  flag: (description: string, example: boolean) => field(Schema.Boolean, description, example),
  count: (description: string, example: number) => field(count, description, example),
  number: (description: string, example: number) => field(Schema.Finite, description, example),
  numberOrNull: (description: string, example: number | null) =>
    field(Schema.NullOr(Schema.Finite), description, example),
  /** At least 2 and at most 6 decimals (MONEY-2). */
  money: (description: string, example: string) => field(money, description, example),
  moneyOrNull: (description: string, example: string | null) => field(Schema.NullOr(money), description, example),
  /** ISO 8601 with milliseconds, UTC. */
  time: (description: string, example = exampleTime) => field(time, description, example),
  timeOrNull: (description: string, example: string | null = exampleTime) =>
    field(Schema.NullOr(time), description, example),
  choice: <const L extends ReadonlyArray<string>>(values: L, description: string, example: L[number]) =>
    field(Schema.Literals(values), description, example)
} as const
