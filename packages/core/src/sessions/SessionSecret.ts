import { Base64Url } from "effect/encoding"

/** 256 random bits. */
const randomBytes = 32

const form = (prefix: string) => new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`)

const secretOf = (prefix: string) => {
  const wellFormed = form(prefix)
  return {
    bytes: randomBytes,
    /** The secret of the first 32 bytes of `random`. */
    make: (random: Uint8Array): string => prefix + Base64Url.encode(random.subarray(0, randomBytes)),
    isWellFormed: (secret: string): boolean => wellFormed.test(secret)
  }
}

/** The secret in the cookie of a session; only its hash is stored (SESSION-2, SESSION-22). */
export const SessionSecret = secretOf("ams_")

/** The secret in the fragment of a sign-in link (SESSION-6). */
export const LinkSecret = secretOf("aml_")
