import { Schema } from "effect"

/** The SHA-256 digest of some bytes: 64 hexadecimal digits, lower case. */
export const Sha256 = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { message: "must be a SHA-256 digest: 64 hexadecimal digits, lower case" })
).pipe(Schema.brand("Sha256"))

export type Sha256 = typeof Sha256.Type
