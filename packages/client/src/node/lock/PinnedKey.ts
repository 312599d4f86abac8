import { createHash } from "node:crypto"
import { InstallError } from "../InstallError.ts"

/** A public key of the market, as the lock file keeps it from the first use on (INSTALL-12). */
export interface PinnedKey {
  /** The thumbprint of RFC 7638. */
  readonly kid: string
  /** 32 bytes in base64url. */
  readonly x: string
  /** ISO 8601; null while the key signs. */
  readonly retiredAt: string | null
}

const thumbprint = (x: string): string =>
  createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url")

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value))

/** Whether a value is a key whose id belongs to it. */
export const isPinnedKey = (value: unknown): value is PinnedKey => {
  if (typeof value !== "object" || value === null) return false
  const { kid, retiredAt, x } = value as Readonly<Record<string, unknown>>
  if (typeof x !== "string" || !/^[\w-]{43}$/.test(x) || thumbprint(x) !== kid) return false
  return retiredAt === null || isTime(retiredAt)
}

const refused = (why: string): InstallError =>
  new InstallError(
    `the market's keys are refused: ${why}. If the operator confirms its present keys, move the install folder away and install again`
  )

const listedKeys = (published: ReadonlyArray<PinnedKey>): ReadonlyArray<PinnedKey> => {
  if (!Array.isArray(published)) throw refused("the response contains no list of keys")
  return published.map((each: unknown) => {
    const { kid, retiredAt, x } = Object(each) as Readonly<Record<string, unknown>>
    const key = { kid, x, retiredAt }
    if (!isPinnedKey(key)) throw refused("one of them is not an Ed25519 key with its own id")
    return key
  })
}

/**
 * The keys to trust after the market published these (INSTALL-12). The first ones are pinned as they are. Later every pinned key must still
 * be listed, and another one is accepted only if the list says when each of the pinned ones retired.
 */
export const pinKeys = (
  pinned: ReadonlyArray<PinnedKey>,
  published: ReadonlyArray<PinnedKey>
): ReadonlyArray<PinnedKey> => {
  const listed = listedKeys(published)
  for (const key of pinned) {
    const now = listed.find(({ kid }) => kid === key.kid)
    if (now === undefined) throw refused(`the key ${key.kid}, which was pinned, is no longer listed`)
    if (key.retiredAt !== null && now.retiredAt !== key.retiredAt)
      throw refused(`the key ${key.kid} retired at ${key.retiredAt}, and another time is listed now`)
  }
  if (listed.filter(({ retiredAt }) => retiredAt === null).length > 1)
    throw refused("a new key is listed, and the earlier one has not retired")
  return listed.toSorted((a, b) => (a.kid < b.kid ? -1 : 1))
}

/** The keys of a lock file together with those that an install used, which may be older: another process may have pinned newer ones meanwhile. */
export const joinKeys = (
  locked: ReadonlyArray<PinnedKey>,
  used: ReadonlyArray<PinnedKey>
): ReadonlyArray<PinnedKey> => {
  const isKnown = ({ kid, retiredAt }: PinnedKey) =>
    locked.some((key) => key.kid === kid && (retiredAt === null || key.retiredAt === retiredAt))
  return used.every(isKnown) ? locked : pinKeys(locked, used)
}
