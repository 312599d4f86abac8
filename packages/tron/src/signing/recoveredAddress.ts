import { secp256k1 } from "@noble/curves/secp256k1"
import { addressOfKey } from "../chain/DepositAddresses.ts"

/** The address whose key made the signature: r, s and the recovery byte 27 or 28. Undefined if it is not a signature. */
export const recoveredAddress = (hash: Uint8Array, signature: Uint8Array): string | undefined => {
  const recovery = signature[64]
  if (signature.length !== 65 || (recovery !== 27 && recovery !== 28)) return undefined
  try {
    const key = secp256k1.Signature.fromCompact(signature.subarray(0, 64))
      .addRecoveryBit(recovery - 27)
      .recoverPublicKey(hash)
    return addressOfKey(key.toRawBytes(true))
  } catch {
    return undefined
  }
}
