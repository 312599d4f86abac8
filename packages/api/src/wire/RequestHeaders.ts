import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "./Field.ts"

/** The header of every POST that moves money (IDEMPOTENCY-4). */
export const idempotencyHeaders = {
  "idempotency-key": Schema.optionalKey(
    field(
      boundedText({ min: 1, max: 255 }),
      "1 to 255 characters, kept for 24 hours: a repeated request with the same key gets the first response again.",
      "order-2025-01-15-0001"
    )
  )
} as const

/** 1 to 128 printable ASCII characters. */
const printable = /^[\x20-\x7e]{1,128}$/

/** The header with which callers distinguish their agents. It is stored with purchases, grants nothing, and is never refused (AGENT-15, BUY-21). */
export const trackingHeaders = {
  "x-agent-id": Schema.optionalKey(
    field(
      Schema.String,
      "A name chosen by the caller, stored as `trackingId`: 1 to 128 printable ASCII characters; anything else is ignored.",
      "planner-7"
    )
  )
} as const

/** The stored value of the header; null if it is absent or not printable. */
export const trackingIdOf = (header: string | undefined): string | null =>
  header !== undefined && printable.test(header) ? header : null
