import { hash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

/** Compares a text with the secret in constant time. Without a secret nothing matches. */
export const matchesSecret = (secret: Redacted.Redacted | null): ((text: string) => boolean) => {
  if (secret === null) return () => false
  const expected = digest(Redacted.value(secret))
  return (text) => timingSafeEqual(digest(text), expected)
}
