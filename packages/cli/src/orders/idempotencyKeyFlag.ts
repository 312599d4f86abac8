import { Flag } from "effect/cli"

/** An idempotency key of the caller's own. */
export const idempotencyKeyFlag = Flag.String("idempotency-key").pipe(
  Flag.withDescription("Whatever is repeated with the same key within 24 hours is done once"),
  Flag.withMetavar("key"),
  Flag.optional
)
