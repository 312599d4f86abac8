import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { secp256k1 } from "@noble/curves/secp256k1"
import { keccak_256 } from "@noble/hashes/sha3"
import { HDKey } from "@scure/bip32"
import { Effect } from "effect"
import { addressOf } from "../nodes/Base58Check.ts"

/** The TRON address of a public key, compressed or not. */
export const addressOfKey = (publicKey: Uint8Array): string => {
  const point = secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false)
  return addressOf(Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString("hex"))
}

/**
 * Derives the addresses m/44'/195'/0'/0/i from an account's public key. No private key is needed, and none could be derived from it
 * (CHAIN-4, CHAIN-5). Dies if the key is a private one.
 */
export const depositAddresses = (
  xpub: string | undefined
): ((index: number) => Effect.Effect<string, ChainUnavailable>) => {
  if (xpub === undefined) return () => Effect.fail(new ChainUnavailable({ reason: "TRON_DEPOSIT_XPUB is not set" }))
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey !== null)
    throw new Error("TRON_DEPOSIT_XPUB is a private key: set the account's public key (xpub…)")
  const external = account.deriveChild(0)
  return (index) =>
    Effect.sync(() => {
      const { publicKey } = external.deriveChild(index)
      if (publicKey === null) throw new Error(`no public key can be derived at index ${index}`)
      return addressOfKey(publicKey)
    })
}
