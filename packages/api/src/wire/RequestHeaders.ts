import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "./Field.ts"

/** The header of every POST that moves money (IDEMPOTENCY-4). */
export const idempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    field(
      boundedText({ min: 1, max: 255 }),
      "1 to 255 characters, kept for 24 hours: the same key and request gives the first answer again.",
      "order-2025-01-15-0001"
    )
  )
} as const

/** 1 to 128 printable ASCII characters. */
const printable = /^[\x20-\x7e]{1,128}$/

/** The header that tells a caller's own agents apart; it is kept with purchases, gives no rights, and is never refused (AGENT-15, BUY-21). */
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
