import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"

/** An amount as a column returns it, or inside JSON: there it is a number below 2⁵³, or text. */
export type Amount = bigint | number | string

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
