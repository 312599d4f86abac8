import type { Effect } from "effect"
import { Context, Data } from "effect"

/** The key could not be used now. Nothing was signed. */
export class SignerUnavailable extends Data.TaggedError("SignerUnavailable")<{ readonly reason: string }> {}

/**
 * Who holds the key of the service's own wallet: this process, or a key management service.
 *
 * Contract: only payouts whose transaction was stored are signed. Signing the same hash again is harmless, whether or not it gives
 * the same bytes: the hash is what a chain counts once.
 */
export class Signer extends Context.Service<
  Signer,
  {
    /** The wallet that pays, as people write it. */
    readonly address: string
    /** A secp256k1 signature over the 32 bytes: r, s and the recovery byte (27 or 28), 65 bytes. */
    readonly sign: (hash: Uint8Array) => Effect.Effect<Uint8Array, SignerUnavailable>
  }
>()("@agent-marketplace/core/chain/Signer") {}
