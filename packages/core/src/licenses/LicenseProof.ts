import { Timestamp } from "../clock/Timestamp.ts"
import type { Purchase } from "../purchases/Purchase.ts"

/** How long the proof of a subscription remains valid after the paid period, so that machines that are rarely online can get the proof of the renewal. */
const grace = 7 * Timestamp.day

/** How long the proof of a license without an end is valid. A new proof can be requested as long as the license is valid. */
const perpetual = 365 * Timestamp.day

/** The claims of a license proof, a JWT (PROOF-2). Times are whole seconds since the epoch. */
export interface LicenseClaims {
  /** The market's public URL. */
  readonly iss: string
  /** The purchase's id. */
  readonly sub: string
  /** The item's id. */
  readonly item: string
  /** The item's version on sale when the proof was made; null if it has none. */
  readonly version: string | null
  readonly type: Purchase["licenseType"]
  /** A keyed hash of the buyer, in hex: the same for all purchases of one buyer. */
  readonly holder: string
  readonly iat: number
  readonly exp: number
  /** The SHA-256 of the license key in its issued form, in hex. */
  readonly key: string
  /** The machine that was activated; absent if the proof is for no particular machine. */
  readonly machine?: string
}

const seconds = (at: Timestamp): number => Math.floor(at / Timestamp.second)

/** The claims about a license that is valid at `now` (PROOF-2, PROOF-3). */
export const licenseClaims = (
  { expiresAt, id, item, licenseType }: Purchase,
  now: Timestamp,
  facts: Pick<LicenseClaims, "holder" | "iss" | "key" | "version"> & { readonly machine: string | undefined }
): LicenseClaims => ({
  iss: facts.iss,
  sub: id,
  item: item.id,
  version: facts.version,
  type: licenseType,
  holder: facts.holder,
  iat: seconds(now),
  exp: seconds(expiresAt === null ? now + perpetual : expiresAt + grace),
  key: facts.key,
  ...(facts.machine === undefined ? {} : { machine: facts.machine })
})
