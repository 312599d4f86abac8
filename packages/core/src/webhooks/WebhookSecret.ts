import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { Text } from "../text/Text.ts"

const prefix = "whsec_"
const minLength = 16
const maxLength = 256
const encoder = new TextEncoder()

/** The key after `whsec_`: base64, padding optional. */
const standardKey = (secret: string): Result.Result<Uint8Array, string> => {
  const text = secret.slice(prefix.length).replace(/=+$/, "")
  const bytes = Base64.decode(text.padEnd(Math.ceil(text.length / 4) * 4, "="))
  return Result.isFailure(bytes) || bytes.success.length === 0
    ? Result.fail("must be base64 after whsec_")
    : Result.succeed(bytes.success)
}

/** The signing secret of a subscription (WEBHOOK-2). Pure. */
export const WebhookSecret: {
  readonly minLength: number
  readonly maxLength: number
  /** `whsec_` and the base64 of the bytes. A new secret uses 24 random bytes. */
  readonly make: (random: Uint8Array) => string
  /** The violation of a secret, which must have 16 to 256 clean characters, and be base64 after an initial `whsec_`. */
  readonly problem: (secret: string) => string | undefined
  /** The key of the service's own HMACs: always the complete text in UTF-8. */
  readonly ownKey: (secret: string) => Uint8Array
  /** The key of the Standard Webhooks signature: the decoded base64 after `whsec_`, otherwise the text in UTF-8. */
  readonly standardKey: (secret: string) => Uint8Array
} = {
  minLength,
  maxLength,
  make: (random) => prefix + Base64.encode(random),
  problem: (secret) => {
    const length = Text.codePoints(secret)
    if (length < minLength || length > maxLength) return `must be ${minLength} to ${maxLength} characters`
    if (!Text.isClean(secret)) return "must not contain NUL or unpaired surrogates"
    if (!secret.startsWith(prefix)) return undefined
    return Result.getOrUndefined(Result.flip(standardKey(secret)))
  },
  ownKey: (secret) => encoder.encode(secret),
  standardKey: (secret) =>
    secret.startsWith(prefix)
      ? Result.getOrElse(standardKey(secret), () => encoder.encode(secret))
      : encoder.encode(secret)
}
