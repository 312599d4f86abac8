import type { Effect, Option, Stream } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { InvalidApiKey } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Account } from "../identity/Account.ts"
import type { AccountId, SessionId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Session, SignInLink } from "./Session.ts"

/** A session with the facts that decide its permissions. */
export interface SignedIn {
  readonly session: Session
  readonly account: Account | null
  /** Whether the account has a passkey, so that some operations need a confirmation. */
  readonly hasPasskey: boolean
}

/** The attempts of one client address to sign in, counted in a window that opens with the first. */
export interface SignInAttempts {
  readonly admitted: boolean
  /** When the window ends. */
  readonly resetAt: Timestamp
}

/**
 * Sessions, links that start them, and failed attempts.
 *
 * Contract: each method is one transaction. A session ends with the key that started it, with the recovery and with the erasure of its
 * account: it is not found any more, and a concurrent change that it requests is not stored afterwards. Its end is announced on `changes`
 * of every process before the method that ends it returns (SESSION-11, SESSION-13).
 */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Fails if the key that starts the session has ended meanwhile. */
    readonly create: (session: Session) => StoreEffect<void, InvalidApiKey>
    /** Fails if the key or session that creates the link was ended meanwhile. */
    readonly createLink: (link: SignInLink) => StoreEffect<void, InvalidApiKey>
    /**
     * Starts the session of the link with this hash, for the owner of the link. None if the link is unknown, expired at the session's
     * start or used, or its creator has ended. If two calls are concurrent, one gets none (SESSION-7).
     */
    readonly spendLink: (
      hash: string,
      session: Omit<Session, "accountId" | "keyId">
    ) => StoreEffect<Option.Option<Session>>
    /** The session with this hash, even if it has expired. */
    readonly find: (hash: string) => StoreEffect<Option.Option<SignedIn>>
    /** The sessions of the account, or of the operator's token, that have not expired; newest first. */
    readonly list: (owner: AccountId | null, now: Timestamp, page: PageRequest) => StoreEffect<Page<Session>>
    /** False if the owner has no such session. */
    readonly end: (id: SessionId, owner: AccountId | null) => StoreEffect<boolean>
    /** Records when sessions were last used; never moves a time back. */
    readonly touch: (uses: ReadonlyArray<readonly [SessionId, Timestamp]>) => StoreEffect<void>
    /** Counts one attempt, unless `limit` attempts count already. `address` is a digest. */
    readonly countAttempt: (
      address: string,
      now: Timestamp,
      limit: number,
      window: number
    ) => StoreEffect<SignInAttempts>
    /** Removes a successful attempt from the count of the window that ends at that time. */
    readonly forgetAttempt: (address: string, resetAt: Timestamp) => StoreEffect<void>
    /** Ids of sessions, keys and accounts whose sessions must be evicted from caches, as in `IdentityStore`. */
    readonly changes: Stream.Stream<string>
    readonly live: Effect.Effect<boolean>
  }
>()("@agent-marketplace/core/sessions/SessionStore") {}
