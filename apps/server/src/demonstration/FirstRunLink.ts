import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** The secret of the link that this process prints. Only its digest stays in memory, and nothing is stored (CONSOLE-54). */
export interface FirstRunLink {
  /** For the terminal, once. */
  readonly secret: string
  readonly matches: (secret: string) => boolean
  /** True for the first call with the secret. */
  readonly spend: (secret: string) => boolean
}

const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest()

export const makeFirstRunLink = (): FirstRunLink => {
  const secret = randomBytes(32).toString("base64url")
  let digest: Buffer | undefined = digestOf(secret)
  const matches = (given: string): boolean => digest !== undefined && timingSafeEqual(digestOf(given), digest)
  return {
    secret,
    matches,
    spend: (given) => {
      if (!matches(given)) return false
      digest = undefined
      return true
    }
  }
}
