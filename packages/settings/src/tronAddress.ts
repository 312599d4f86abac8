import { Base58 } from "@agent-marketplace/core/chain/Base58"
import { Result } from "effect"
import { createHash } from "node:crypto"

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

/** The bytes of a base58 text that ends in a checksum, without it; undefined if the checksum is wrong. */
export const payloadOf = (text: string): Uint8Array | undefined => {
  const decoded = Base58.decode(text)
  if (Result.isFailure(decoded) || decoded.success.length < 5) return undefined
  const payload = decoded.success.subarray(0, -4)
  return sha256(sha256(payload)).subarray(0, 4).equals(decoded.success.subarray(-4)) ? payload : undefined
}

export const isTronAddress = (text: string): boolean => {
  if (text.length !== 34) return false
  const payload = payloadOf(text)
  return payload?.length === 21 && payload[0] === 0x41
}
