import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { integer, optional } from "../wire/Input.ts"

/** One review for each buyer (REVIEW-1); posting again replaces it (REVIEW-3). */
export const ReviewInput = Schema.Struct({
  rating: field(integer(1, 5), "A whole number from 1 to 5.", 5),
  comment: field(
    optional(boundedText({ min: 0, max: 2000 })),
    "At most 2,000 characters.",
    "Did in minutes what took us days."
  )
}).annotate({ identifier: "ReviewInput", description: "A judgement." })
