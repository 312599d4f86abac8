import { generateKeyPairSync, sign } from "node:crypto"
import type { KeyObject } from "node:crypto"

export interface TestKey {
  readonly kid: string
  readonly x: string
  readonly retiredAt: string | null
  readonly privateKey: KeyObject
}

/** A key of a market, as its JWKS shows it, with the private part. */
export const testKey = (kid: string, retiredAt: string | null = null): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  return { kid, x: publicKey.export({ format: "jwk" }).x ?? "", retiredAt, privateKey }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A proof as the market signs it. */
export const signedProof = ({ kid, privateKey }: TestKey, claims: object, header: object = {}): string => {
  const input = `${part({ alg: "EdDSA", typ: "JWT", kid, ...header })}.${part(claims)}`
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`
}

/** An envelope as the market signs it. */
export const signedEnvelope = ({ kid, privateKey }: TestKey, payloadType: string, content: object) => {
  const payload = Buffer.from(JSON.stringify(content))
  const bytes = Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload
  ])
  return {
    payloadType,
    payload: payload.toString("base64"),
    signatures: [{ keyid: kid, sig: sign(null, bytes, privateKey).toString("base64") }]
  }
}

/** The text with one bit of its UTF-8 bytes flipped, for each bit. Bytes that are no UTF-8 any more are replaced, as a reader would. */
export const withFlippedBits = function* (text: string): Generator<string> {
  const bytes = Buffer.from(text)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield changed.toString()
  }
}
