import { Schema } from "effect"
import { field } from "./Field.ts"

/** 1 to 128 printable ASCII characters. */
const printable = /^[\x20-\x7e]{1,128}$/

/** The header that tells a caller's own agents apart; it is kept with purchases, gives no rights, and is never refused (BUY-21). */
export const trackingHeaders = {
  "x-agent-id": Schema.optionalKey(
    field(
      Schema.String,
      "A name of the caller's own, kept as `trackingId`: 1 to 128 printable ASCII characters; anything else is ignored.",
      "planner-7"
    )
  )
} as const

/** What is kept of the header; null where it is absent or not printable. */
export const trackingIdOf = (header: string | undefined): string | null =>
  header !== undefined && printable.test(header) ? header : null
