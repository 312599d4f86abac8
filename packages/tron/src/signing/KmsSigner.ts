import type { Signer } from "@agent-marketplace/core/chain/Signer"
import { SignerUnavailable } from "@agent-marketplace/core/chain/Signer"
import { secp256k1 } from "@noble/curves/secp256k1"
import { Effect, Result } from "effect"
import { createPublicKey } from "node:crypto"
import { addressOfKey } from "../chain/DepositAddresses.ts"
import { recoveredAddress } from "./recoveredAddress.ts"

/** A secp256k1 key of a key management service. The promises end with the signal; a failure is an error whose name says why. */
export interface ManagedKey {
  /** What messages call it. */
  readonly name: string
  /** The public key as DER, SubjectPublicKeyInfo. */
  readonly publicKey: (signal: AbortSignal) => Promise<Uint8Array>
  /** An ECDSA signature over the 32 bytes, which are not hashed again, as DER. */
  readonly sign: (digest: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>
}

/** The time limit of a signature, with all attempts of the service's client. */
const timeLimit = 20_000

const call = <A>({ name }: ManagedKey, timeout: number, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: (signal) => run(AbortSignal.any([signal, AbortSignal.timeout(timeout)])),
    // Only the error's name: messages of clients can contain parts of the request and of credentials.
    catch: (cause) => {
      const kind = cause instanceof Error && /^[A-Za-z]{1,60}$/.test(cause.name) ? cause.name : "no valid answer"
      return new SignerUnavailable({ reason: `${name}: ${kind}` })
    }
  })

/**
 * The signature with its recovery byte: r, s and 27 or 28. The larger of the two values of s is replaced by the smaller one (SIGNER-7). Fails if the
 * signature was made by another key.
 */
const completed = (der: Uint8Array, hash: Uint8Array, address: string): Result.Result<Uint8Array, string> => {
  const parsed = Result.try({
    try: () => secp256k1.Signature.fromDER(der).normalizeS().toCompactRawBytes(),
    catch: () => "not a signature"
  })
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  for (const recovery of [27, 28]) {
    const signature = Uint8Array.from([...parsed.success, recovery])
    if (recoveredAddress(hash, signature) === address) return Result.succeed(signature)
  }
  return Result.fail(`its key is not that of ${address}`)
}

/** Signs with a key that never leaves a key management service. */
export const kmsSigner = (key: ManagedKey, address: string, timeout = timeLimit): Signer["Service"] => ({
  address,
  sign: ({ hash }) =>
    Effect.flatMap(
      call(key, timeout, (signal) => key.sign(hash, signal)),
      (der) =>
        Effect.fromResult(
          Result.mapError(
            completed(der, hash, address),
            (fault) => new SignerUnavailable({ reason: `${key.name}: ${fault}` })
          )
        )
    )
})

/** The TRON address of a managed key. */
export const kmsAddress = (key: ManagedKey, timeout = timeLimit): Effect.Effect<string, SignerUnavailable> =>
  Effect.flatMap(
    call(key, timeout, (signal) => key.publicKey(signal)),
    (der) =>
      Effect.fromResult(
        Result.try({
          try: () => {
            const {
              crv,
              x = "",
              y = ""
            } = createPublicKey({
              key: Buffer.from(der),
              format: "der",
              type: "spki"
            }).export({ format: "jwk" })
            if (crv !== "secp256k1") throw new Error("another curve")
            return addressOfKey(Uint8Array.from([4, ...Buffer.from(x, "base64url"), ...Buffer.from(y, "base64url")]))
          },
          catch: () => new SignerUnavailable({ reason: `${key.name}: not a key of the curve secp256k1` })
        })
      )
  )
