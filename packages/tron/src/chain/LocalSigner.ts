import { Signer } from "@agent-marketplace/core/chain/Signer"
import { secp256k1 } from "@noble/curves/secp256k1"
import { Effect, Layer, Redacted } from "effect"
import { addressOfKey } from "./DepositAddresses.ts"

/** Signs with a key that this process holds: 32 bytes in hexadecimal. Signatures are deterministic (RFC 6979). */
export const LocalSigner = {
  of: (privateKey: Redacted.Redacted): Signer["Service"] => ({
    address: addressOfKey(secp256k1.getPublicKey(Redacted.value(privateKey))),
    sign: ({ hash }) =>
      Effect.sync(() => {
        const signature = secp256k1.sign(hash, Redacted.value(privateKey))
        return Uint8Array.from([...signature.toCompactRawBytes(), 27 + signature.recovery])
      })
  }),
  layer: (privateKey: Redacted.Redacted): Layer.Layer<Signer> => Layer.sync(Signer, () => LocalSigner.of(privateKey))
}
