import type { Signer, SignerFailure, SigningRequest } from "@agent-marketplace/core/chain/Signer"
import { SignerUnavailable } from "@agent-marketplace/core/chain/Signer"
import { Context, Effect } from "effect"
import { recoveredAddress } from "./recoveredAddress.ts"

/** A second key that must agree to every payout, through a permission of the paying account (SIGNER-9). */
export class CoSigner extends Context.Service<
  CoSigner,
  {
    /** The paying account, whose permission names both keys. */
    readonly account: string
    /** The id of the permission, 2 to 9. */
    readonly permission: number
    readonly signer: Signer["Service"]
  }
>()("@agent-marketplace/tron/signing/AccountSigner/CoSigner") {}

/** A paying account, and all that its transactions must be signed with. */
export interface AccountSigner {
  readonly address: string
  /** Undefined: the account's owner permission. */
  readonly permission: number | undefined
  /** The number of signatures of each transaction. */
  readonly keys: number
  /** The verified signatures, in the order of the keys. Each signer receives the signatures of those before it. */
  readonly sign: (
    transaction: Pick<SigningRequest, "hash" | "transaction">
  ) => Effect.Effect<ReadonlyArray<Uint8Array>, SignerFailure>
}

/** The number of transactions whose signatures are remembered. */
const mostRemembered = 1000

/** Asks the signer once for each transaction, and does not use a signature that another key made: the signer may be faulty or replaced (SIGNER-3). */
const verified = ({ address, sign }: Signer["Service"]) => {
  const known = new Map<string, Uint8Array>()
  return Effect.fnUntraced(function* (request: SigningRequest) {
    const id = Buffer.from(request.hash).toString("hex")
    const before = known.get(id)
    if (before !== undefined) return before
    const signature = yield* sign(request)
    if (recoveredAddress(request.hash, signature) !== address)
      return yield* new SignerUnavailable({ reason: `the signer of ${address} returned a signature by another key` })
    const [oldest] = known.keys()
    if (known.size >= mostRemembered && oldest !== undefined) known.delete(oldest)
    known.set(id, signature)
    return signature
  })
}

/** With a second signer, the first key may belong to another address than the paying account. */
export const accountSigner = (signer: Signer["Service"], coSigner?: CoSigner["Service"]): AccountSigner => {
  const keys = [signer, ...(coSigner === undefined ? [] : [coSigner.signer])].map(verified)
  return {
    address: coSigner?.account ?? signer.address,
    permission: coSigner?.permission,
    keys: keys.length,
    sign: Effect.fnUntraced(function* ({ hash, transaction }) {
      const signatures: Array<Uint8Array> = []
      for (const sign of keys) signatures.push(yield* sign({ hash, transaction, signatures: [...signatures] }))
      return signatures
    })
  }
}
