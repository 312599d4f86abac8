/** The market's public keys: the response of `signing.keys()`, or its `keys`. */
export type PublicKeys = { readonly keys: ReadonlyArray<PublicKey> } | ReadonlyArray<PublicKey>

/** A public key as the market publishes it. */
export interface PublicKey {
  readonly kid: string
  /** 32 bytes in base64url. */
  readonly x: string
  /** Signatures dated at this time or later are not valid: ISO 8601; null or absent while the key signs. */
  readonly retiredAt?: string | null
}

/** Why a signature is not believed. */
export type SignatureRefusal = "unknown_key" | "retired_key" | "bad_signature"

/** Node 18 has WebCrypto, but not as a global. The module name is not a literal, so that bundlers ignore it. */
const nodeCrypto = "node:crypto"

const subtle = async (): Promise<SubtleCrypto> =>
  globalThis.crypto?.subtle ??
  ((await import(/* @vite-ignore */ /* webpackIgnore: true */ nodeCrypto)) as { webcrypto: Crypto }).webcrypto.subtle

/**
 * The bytes of a text in base64 (`url: false`, with padding) or base64url (without). Undefined unless the text is exactly how these bytes are
 * written: otherwise several texts would carry the same signature.
 */
export const exactBytes = (text: string, url: boolean): Uint8Array<ArrayBuffer> | undefined => {
  if (!(url ? /^[\w-]*$/ : /^[A-Za-z0-9+/]*={0,2}$/).test(text)) return undefined
  try {
    const binary = atob(url ? text.replace(/-/g, "+").replace(/_/g, "/") : text)
    const again = btoa(binary)
    const written = url ? again.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "") : again
    return written === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** The object of JSON in UTF-8; undefined if the bytes are anything else. */
export const objectOf = (bytes: Uint8Array<ArrayBuffer> | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

const isList = (keys: PublicKeys): keys is ReadonlyArray<PublicKey> => Array.isArray(keys)

/** Whether the key `kid` made the Ed25519 signature of the bytes, and was not retired at their date, in milliseconds. Undefined if so. */
export const checkSignature = async (
  keys: PublicKeys,
  kid: unknown,
  bytes: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  date: number
): Promise<SignatureRefusal | undefined> => {
  const known = isList(keys) ? keys : keys.keys
  const key = known.find((each) => each.kid === kid)
  const raw = key === undefined ? undefined : exactBytes(key.x, true)
  if (key === undefined || raw?.length !== 32) return "unknown_key"
  const crypto = await subtle()
  const imported = await crypto.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"])
  if (!(await crypto.verify({ name: "Ed25519" }, imported, signature, bytes))) return "bad_signature"
  const { retiredAt = null } = key
  // A date that cannot be read counts as retired.
  return retiredAt !== null && !(date < Date.parse(retiredAt)) ? "retired_key" : undefined
}
