import type { Effect } from "effect"
import { Context, Data } from "effect"

/** The signer did not answer, or its answer is not reliable. The same transaction may be offered again. */
export class SignerUnavailable extends Data.TaggedError("SignerUnavailable")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** The signer answered that it does not sign this transaction. An operator must decide. */
export class SignerRefused extends Data.TaggedError("SignerRefused")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** The signer has not decided yet, for example because a person must agree. The same transaction is offered again. */
export class SignaturePending extends Data.TaggedError("SignaturePending")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

export type SignerFailure = SignaturePending | SignerRefused | SignerUnavailable

/** A stored transaction that is to be signed. */
export interface SigningRequest {
  /** The SHA-256 of `transaction`: the 32 bytes that are signed, and the transaction's id. */
  readonly hash: Uint8Array
  /** The transaction's bytes without signatures, so that a signer can check what it signs. */
  readonly transaction: Uint8Array
  /** The signatures of the signers before this one, where several must sign. */
  readonly signatures: ReadonlyArray<Uint8Array>
}

/**
 * The holder of a key that signs payouts: this process, a signing server, or a key management service.
 *
 * Contract: only payouts whose transaction was stored are signed. Signing the same transaction again is harmless, even if the signature
 * differs, because the chain counts a transaction once by its hash. Callers verify each signature before they use it.
 */
export class Signer extends Context.Service<
  Signer,
  {
    /** The address of the key, in the chain's own notation. */
    readonly address: string
    /** A secp256k1 signature over the hash: r, s and the recovery byte (27 or 28), 65 bytes. */
    readonly sign: (request: SigningRequest) => Effect.Effect<Uint8Array, SignerFailure>
  }
>()("@agent-marketplace/core/chain/Signer") {}
