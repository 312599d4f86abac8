import { Base64 } from "effect/encoding"

/** A signed payload in a Dead Simple Signing Envelope (DSSE 1.0, SIGN-3). */
export interface DsseEnvelope {
  readonly payloadType: string
  /** The payload in base64. */
  readonly payload: string
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>
}

const encoder = new TextEncoder()

/** The bytes that are signed: the pre-authentication encoding of DSSE, which separates the type from the payload by their lengths in bytes. */
export const preAuthenticationEncoding = (payloadType: string, payload: Uint8Array): Uint8Array => {
  const type = encoder.encode(payloadType)
  const head = encoder.encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `)
  const bytes = new Uint8Array(head.length + payload.length)
  bytes.set(head)
  bytes.set(payload, head.length)
  return bytes
}

export const dsseEnvelope = (
  payloadType: string,
  payload: Uint8Array,
  keyid: string,
  signature: Uint8Array
): DsseEnvelope => ({
  payloadType,
  payload: Base64.encode(payload),
  signatures: [{ keyid, sig: Base64.encode(signature) }]
})
