import { Redacted } from "effect"
import { createHmac } from "node:crypto"

/** A key for one purpose, drawn from the operator's secret, so that every process of a market has the same one. */
export const derivedSecret = (secret: Redacted.Redacted, purpose: string): Redacted.Redacted =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update(purpose).digest("hex"))
