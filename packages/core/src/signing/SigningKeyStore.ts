import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { SigningKey } from "./SigningKey.ts"

/** The public keys of the market, also retired ones (SIGN-4). At most one has no `retiredAt`. */
export class SigningKeyStore extends Context.Service<
  SigningKeyStore,
  {
    /**
     * Makes a new key the current one and retires the earlier current key at `retireAt`, in one transaction. A known key is not changed, also if
     * it is retired. Returns the stored key.
     */
    readonly register: (
      key: Pick<SigningKey, "keyId" | "publicKey"> & { readonly at: Timestamp; readonly retireAt: Timestamp }
    ) => StoreEffect<SigningKey>
    /** Reports that a process uses the key at that time. */
    readonly seen: (keyId: string, at: Timestamp) => StoreEffect<void>
    /** Every key, newest first. */
    readonly list: StoreEffect<ReadonlyArray<SigningKey>>
  }
>()("@agent-marketplace/core/signing/SigningKeyStore") {}
