import type { Effect } from "effect"
import { Context, Data } from "effect"

/** The key could not be used. Nothing was signed. */
export class SignerUnavailable extends Data.TaggedError("SignerUnavailable")<{ readonly reason: string }> {}

/**
 * The holder of the hot wallet's key: this process, or a key management service.
 *
 * Contract: only payouts whose transaction was stored are signed. Signing the same hash again is harmless, even if the signature
 * differs, because the chain counts a transaction once by its hash.
 */
export class Signer extends Context.Service<
  Signer,
  {
    /** The address of the paying wallet, in the chain's own notation. */
    readonly address: string
    /** A secp256k1 signature over the 32 bytes: r, s and the recovery byte (27 or 28), 65 bytes. */
    readonly sign: (hash: Uint8Array) => Effect.Effect<Uint8Array, SignerUnavailable>
  }
>()("@agent-marketplace/core/chain/Signer") {}
