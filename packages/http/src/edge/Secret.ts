import { hash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

/** Whether a text is the secret, in a time that says nothing about it. Nothing matches a secret that is not set. */
export const matches = (secret: Redacted.Redacted | null): ((text: string) => boolean) => {
  if (secret === null) return () => false
  const expected = digest(Redacted.value(secret))
  return (text) => timingSafeEqual(digest(text), expected)
}
