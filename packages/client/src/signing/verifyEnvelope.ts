import type { PublicKeys, SignatureRefusal } from "./checkSignature.ts"
import { checkSignature, exactBytes, objectOf } from "./checkSignature.ts"

/** A signed payload in a DSSE envelope, as the market returns it. */
export interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>
}

/** Why an envelope is not believed. */
export type EnvelopeRefusal =
  | SignatureRefusal
  | "malformed"
  /** The payload is of another type, so the signature was made for something else. */
  | "other_type"
  /** The market makes exactly one signature. */
  | "other_signatures"

/** The fields of a signed JSON object. */
export type Payload = Readonly<Record<string, unknown>>

/** Whether the value is an object with these fields and no others. */
export const hasExactly = (value: unknown, ...names: ReadonlyArray<string>): value is Payload =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === names.length &&
  names.every((name) => Object.hasOwn(value, name))

const encoded = (payloadType: string, payload: Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder()
  const head = encoder.encode(`DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `)
  const bytes = new Uint8Array(head.length + payload.length)
  bytes.set(head)
  bytes.set(payload, head.length)
  return bytes
}

/**
 * The payload of an envelope that the market signed: JSON of that type, dated by its `dateOf`. Everything that is not part of the signature is
 * refused too: other fields, further signatures, and other ways to write the same base64.
 */
export const verifyEnvelope = async (
  envelope: Envelope,
  keys: PublicKeys,
  payloadType: string,
  dateOf: (payload: Payload) => unknown
): Promise<{ readonly payload: Payload } | { readonly reason: EnvelopeRefusal }> => {
  if (!hasExactly(envelope, "payloadType", "payload", "signatures") || !Array.isArray(envelope.signatures))
    return { reason: "malformed" }
  if (envelope.payloadType !== payloadType) return { reason: "other_type" }
  const [first] = envelope.signatures as ReadonlyArray<unknown>
  if (envelope.signatures.length !== 1) return { reason: "other_signatures" }
  const bytes = exactBytes(String(envelope.payload), false)
  const payload = bytes === undefined ? undefined : objectOf(bytes)
  const sig = hasExactly(first, "keyid", "sig") ? exactBytes(String(first["sig"]), false) : undefined
  if (bytes === undefined || payload === undefined || sig?.length !== 64) return { reason: "malformed" }
  const { keyid } = first as Payload
  const date = Date.parse(String(dateOf(payload)))
  const reason = await checkSignature(keys, keyid, encoded(payloadType, bytes), sig, date)
  return reason === undefined ? { payload } : { reason }
}
