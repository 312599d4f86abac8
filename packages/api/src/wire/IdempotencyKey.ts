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
