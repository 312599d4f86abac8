import { Base64Url } from "effect/encoding"

const randomBytes = 32

const secretOf = (prefix: string) => {
  const wellFormed = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`)
  return {
    /** The secret of the first 32 bytes of `random`. */
    make: (random: Uint8Array): string => prefix + Base64Url.encode(random.subarray(0, randomBytes)),
    isWellFormed: (secret: string): boolean => wellFormed.test(secret),
    /** Whether the text is an attempt at such a secret. */
    isMeant: (secret: string): boolean => secret.startsWith(prefix)
  }
}

/** The number of random bytes that `make` needs. */
export const oauthSecretBytes = randomBytes

/** The secrets of OAuth (OAUTH-7): each has 256 random bits, and only its SHA-256 is stored. */
export const AccessToken = secretOf("amt_")
export const RefreshToken = secretOf("amr_")
export const AuthorizationCode = secretOf("amc_")
export const DeviceCode = secretOf("amd_")
export const ClientSecret = secretOf("amo_")

/** Marks the digest of an access token where digests of keys are looked up. A digest itself contains no colon. */
const tokenPrefix = "token:"

/** How the caller with an access token is looked up. */
export const tokenDigest = {
  of: (hash: string): string => tokenPrefix + hash,
  /** The hash of an access token; undefined for the digest of a key. */
  hashIn: (digest: string): string | undefined =>
    digest.startsWith(tokenPrefix) ? digest.slice(tokenPrefix.length) : undefined
}
