import { Effect, Result } from "effect"
import { Digest } from "effect/crypto"
import { Base58 } from "./Base58.ts"

/** The first byte of every TRON main-net address; base 58 shows it as `T`. */
const network = 0x41

const payloadLength = 21

const checksum = Effect.fnUntraced(function* (payload: Uint8Array) {
  const { digest } = yield* Digest.Digest
  const once = yield* digest(Digest.sha256, payload)
  const twice = yield* digest(Digest.sha256, once)
  return twice.subarray(0, 4)
})

/** The address of 20 zero bytes. Money sent to it is lost (WITHDRAWAL-9). */
export const zeroAddress = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"

/** TRON addresses in base58check: `0x41`, 20 bytes, and the first bytes of their double SHA-256. */
export const TronAddress: {
  /** The address of a 20-byte hash of a public key or contract. */
  readonly fromPayload: (payload20: Uint8Array) => Effect.Effect<string, never, Digest.Digest>
  /** Whether it has 34 characters of base 58, the right first byte and the right checksum. */
  readonly isValid: (address: string) => Effect.Effect<boolean, never, Digest.Digest>
} = {
  fromPayload: (payload20) => {
    const payload = Uint8Array.from([network, ...payload20])
    return Effect.map(checksum(payload), (check) => Base58.encode(Uint8Array.from([...payload, ...check])))
  },
  isValid: (address) => {
    if (address.length !== 34) return Effect.succeed(false)
    const decoded = Base58.decode(address)
    if (Result.isFailure(decoded)) return Effect.succeed(false)
    const bytes = decoded.success
    if (bytes.length !== payloadLength + 4 || bytes[0] !== network) return Effect.succeed(false)
    return Effect.map(checksum(bytes.subarray(0, payloadLength)), (check) =>
      check.every((byte, index) => byte === bytes[payloadLength + index])
    )
  }
}
