import type { PublicKeys, SignatureRefusal } from "../signing/checkSignature.ts"
import { checkSignature, exactBytes, objectOf } from "../signing/checkSignature.ts"

/** What a proof says about a license (PROOF-2). */
export interface License {
  /** The market's URL. */
  readonly iss: string
  /** The purchase. */
  readonly sub: string
  readonly item: string
  /** The item's version on sale when the proof was made; null if it had none. */
  readonly version: string | null
  readonly type: "perpetual" | "subscription" | "free"
  /** A keyed hash of the buyer. */
  readonly holder: string
  /** In seconds since the epoch. */
  readonly iat: number
  readonly exp: number
  /** The SHA-256 of the license key, in hex. */
  readonly key: string
  /** The machine of the proof, if it is for one. */
  readonly machine?: string
}

/** What the license must be for. Each option that is given is checked. */
export interface LicenseExpectation {
  /** The id of the item that the program belongs to. Without it, a license for any item of the market is accepted. */
  readonly item?: string | undefined
  /** This machine, as it was activated. A proof for no particular machine is refused. */
  readonly machine?: string | undefined
  /** The market's URL. */
  readonly issuer?: string | undefined
  /** The present time in milliseconds; default `Date.now()`. */
  readonly now?: number | undefined
}

/** Why a license is not accepted (PROOF-5). */
export type LicenseRefusal =
  | SignatureRefusal
  /** Not a proof at all. */
  | "malformed"
  | "expired"
  /** Issued in the future: the clock of this machine is wrong. */
  | "not_yet_valid"
  | "other_market"
  | "other_item"
  | "other_machine"

export type LicenseCheck =
  | { readonly valid: true; readonly license: License }
  /** `license` is there if the proof is the market's, so that its end or its item can be shown. */
  | { readonly valid: false; readonly reason: LicenseRefusal; readonly license?: License }

/** How far in milliseconds the clock of this machine may be behind the market's. */
const tolerance = 5 * 60_000

const types: ReadonlyArray<unknown> = ["perpetual", "subscription", "free"]

const isLicense = (claims: Readonly<Record<string, unknown>>): boolean =>
  ["iss", "sub", "item", "holder", "key"].every((name) => typeof claims[name] === "string") &&
  (claims["version"] === null || typeof claims["version"] === "string") &&
  (claims["machine"] === undefined || typeof claims["machine"] === "string") &&
  types.includes(claims["type"]) &&
  Number.isSafeInteger(claims["iat"]) &&
  Number.isSafeInteger(claims["exp"])

const refusalOf = (
  { exp, iat, iss, item, machine }: License,
  expected: LicenseExpectation
): LicenseRefusal | undefined => {
  const { now = Date.now() } = expected
  if (expected.issuer !== undefined && iss !== expected.issuer.replace(/\/+$/, "")) return "other_market"
  if (expected.item !== undefined && item !== expected.item) return "other_item"
  if (expected.machine !== undefined && machine !== expected.machine) return "other_machine"
  if (!(now < exp * 1000)) return "expired"
  return iat * 1000 > now + tolerance ? "not_yet_valid" : undefined
}

/**
 * Checks a license proof without the network (PROOF-5): that the market signed it, that it is not expired, and that it is for this item and this
 * machine. A refund that happened after the proof was made is noticed when it expires.
 *
 * ```ts
 * const check = await verifyLicense(proof, keys, { item: "lst_…" })
 * if (!check.valid) console.error(`no valid license: ${check.reason}`)
 * ```
 *
 * @param keys the market's public keys, stored with the program: the response of `signing.keys()`
 */
export const verifyLicense = async (
  proof: string,
  keys: PublicKeys,
  expected: LicenseExpectation = {}
): Promise<LicenseCheck> => {
  const parts = typeof proof === "string" ? proof.split(".") : []
  const [header = "", payload = "", sig = ""] = parts
  const { alg, kid, typ, ...more } = objectOf(exactBytes(header, true)) ?? {}
  const claims = objectOf(exactBytes(payload, true))
  const signature = exactBytes(sig, true)
  const isJws = parts.length === 3 && alg === "EdDSA" && typ === "JWT" && Object.keys(more).length === 0
  if (!isJws || claims === undefined || !isLicense(claims) || signature?.length !== 64)
    return { valid: false, reason: "malformed" }
  const license = claims as unknown as License
  const bytes = new TextEncoder().encode(`${header}.${payload}`)
  const unsigned = await checkSignature(keys, kid, bytes, signature, license.iat * 1000)
  if (unsigned !== undefined) return { valid: false, reason: unsigned }
  const reason = refusalOf(license, expected)
  return reason === undefined ? { valid: true, license } : { valid: false, reason, license }
}
