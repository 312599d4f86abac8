import type { Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Conflict, InvalidApiKey } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, KeyId, PasskeyId, SessionId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Session } from "../sessions/Session.ts"
import type { Challenge, Passkey } from "./Passkey.ts"

/** One use of a passkey, which the authenticator has signed. */
export interface PasskeyUse {
  readonly credentialId: string
  readonly counter: number
  readonly backedUp: boolean
  readonly at: Timestamp
}

/**
 * Passkeys and the challenges that they sign.
 *
 * Contract: each method is one transaction. A change of whether an account has passkeys, and a confirmation, are announced on
 * `SessionStore.changes` of every process before the method returns. A recovery or erasure deletes the account's passkeys, and a session
 * that one of them starts concurrently does not remain.
 */
export class PasskeyStore extends Context.Service<
  PasskeyStore,
  {
    readonly addChallenge: (challenge: Challenge) => StoreEffect<void>
    /** Returns the challenge to one of several concurrent calls, and none to the others; none if it has expired. */
    readonly takeChallenge: (challenge: string, now: Timestamp) => StoreEffect<Option.Option<Challenge>>
    /**
     * Fails with Conflict `too_many_passkeys` if the account has `limit` of them, with `registered` if the credential is known, and with
     * InvalidApiKey if the calling session has ended.
     */
    readonly add: (passkey: Passkey, by: KeyId, limit: number) => StoreEffect<void, Conflict | InvalidApiKey>
    readonly find: (credentialId: string) => StoreEffect<Option.Option<Passkey>>
    /** Newest first. */
    readonly list: (owner: AccountId, page: PageRequest) => StoreEffect<Page<Passkey>>
    readonly rename: (id: PasskeyId, owner: AccountId, name: string) => StoreEffect<Option.Option<Passkey>>
    /** False if the owner has no such passkey. */
    readonly remove: (id: PasskeyId, owner: AccountId) => StoreEffect<boolean>
    /** Records the use and starts the session; false if the passkey is gone or its counter is not newer. */
    readonly signIn: (use: PasskeyUse, session: Session & { readonly accountId: AccountId }) => StoreEffect<boolean>
    /** Records the use and elevates the session; false if either is gone, they differ in account, or the counter is not newer. */
    readonly stepUp: (use: PasskeyUse, session: SessionId, until: Timestamp) => StoreEffect<boolean>
  }
>()("@agent-marketplace/core/passkeys/PasskeyStore") {}
