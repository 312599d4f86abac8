import { Redacted } from "effect"
import { createHmac } from "node:crypto"

/** The seed of an Ed25519 key: 32 bytes. */
export type SigningSeed = Redacted.Redacted<Uint8Array>

/** The rule that `parseSigningSeed` checks. */
export const signingSeedRule = "must be 32 random bytes in base64, such as the output of: openssl rand -base64 32"

/** So few different bytes are a placeholder: 32 random bytes have fewer than 16 with a probability below 10⁻⁸. */
const fewestBytes = 16

/** The seed of a text in base64 or base64url; undefined if the text breaks the rule. */
export const parseSigningSeed = (text: string): SigningSeed | undefined => {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = new Uint8Array(Buffer.from(text, "base64"))
  return new Set(bytes).size < fewestBytes ? undefined : Redacted.make(bytes, { label: "signing key" })
}

/** The seed that a secret determines, so that every process with the same secret has the same key. */
export const derivedSigningSeed = (secret: Redacted.Redacted): SigningSeed =>
  Redacted.make(new Uint8Array(createHmac("sha256", Redacted.value(secret)).update("signing-key").digest()), {
    label: "signing key"
  })
