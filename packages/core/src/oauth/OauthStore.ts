import type { Option } from "effect"
import { Context } from "effect"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict, InvalidApiKey, QuotaExceeded } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Agent } from "../identity/Agent.ts"
import type { ApiKey } from "../identity/ApiKey.ts"
import type { AccountId, GrantId, KeyId, OauthRequestId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import type { OauthClient } from "./OauthClient.ts"
import type { LiveGrant, OauthGrant } from "./OauthGrant.ts"
import type { OauthToken } from "./OauthToken.ts"

/** A grant with the records that it consists of. */
export interface GrantDraft {
  readonly grant: OauthGrant
  readonly agent: Agent & { readonly ownerId: AccountId }
  readonly key: ApiKey
  readonly policy: SpendingPolicy
}

/** The decision of a person about a request. */
export type Decision =
  | { readonly _tag: "Denied" }
  | {
      readonly _tag: "Approved"
      readonly draft: GrantDraft
      /** The authorization code; null for a device, which has its code already. */
      readonly code: { readonly hash: string; readonly expiresAt: Timestamp } | null
    }

/** A stored token with its grant. */
export interface FoundToken {
  readonly token: OauthToken
  readonly grant: OauthGrant
  /** Whether the grant has not ended. */
  readonly live: boolean
}

/**
 * The outcome of exchanging a code or a refresh token. `Repeated`: it was exchanged before, so it may be stolen; the grant has ended with
 * this call. `Ended`: the grant had ended before.
 */
export type Exchange =
  | { readonly _tag: "Exchanged" }
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Repeated"; readonly grant: OauthGrant }

/**
 * Clients, requests for access, grants and tokens of OAuth.
 *
 * Contract: each method is one transaction. The end of a grant, here or through its agent, key or account, is announced to the caches of every
 * process before the method returns, as `IdentityStore` does; afterwards no process accepts its tokens. Codes and refresh tokens are
 * exchanged once, also by concurrent calls and on several processes. The recovery and the erasure of an account also delete the clients that
 * it registered.
 */
export class OauthStore extends Context.Service<
  OauthStore,
  {
    /** Fails with Conflict `clients_used` where the owner has `limit` clients already; `by` as in `IdentityStore`. */
    readonly createClient: (
      client: OauthClient,
      by: KeyId | null,
      limit: number
    ) => StoreEffect<void, AccountFrozen | Conflict | InvalidApiKey>
    readonly findClient: (id: string) => StoreEffect<Option.Option<OauthClient>>
    /** Newest first. */
    readonly listClients: (owner: AccountId, page: PageRequest) => StoreEffect<Page<OauthClient>>
    /** Also ends every grant of the client; returns those. None if the owner has no such client. */
    readonly deleteClient: (
      id: string,
      owner: AccountId,
      at: Timestamp
    ) => StoreEffect<Option.Option<ReadonlyArray<OauthGrant>>>
    /** Also deletes some requests that expired long ago. */
    readonly createRequest: (request: AuthorizationRequest) => StoreEffect<void>
    readonly findRequest: (id: OauthRequestId) => StoreEffect<Option.Option<AuthorizationRequest>>
    readonly findRequestByUserCode: (hash: string) => StoreEffect<Option.Option<AuthorizationRequest>>
    readonly findRequestByCode: (hash: string) => StoreEffect<Option.Option<AuthorizationRequest>>
    /**
     * False if the request was decided already or has expired; then nothing changes. An approval stores the grant, its agent, key and policy,
     * as creating an agent would.
     */
    readonly decide: (
      id: OauthRequestId,
      decision: Decision,
      by: KeyId | null,
      at: Timestamp
    ) => StoreEffect<boolean, AccountFrozen | InvalidApiKey | QuotaExceeded>
    /** Records that the device requested its tokens, and returns the time of its previous request. */
    readonly notePoll: (id: OauthRequestId, at: Timestamp) => StoreEffect<Timestamp | null>
    /** Exchanges the code of an approved request for the tokens. */
    readonly redeem: (id: OauthRequestId, tokens: ReadonlyArray<OauthToken>, at: Timestamp) => StoreEffect<Exchange>
    /** Exchanges a refresh token for the next tokens; earlier access tokens remain until they expire. */
    readonly refresh: (hash: string, tokens: ReadonlyArray<OauthToken>, at: Timestamp) => StoreEffect<Exchange>
    /**
     * The grant of a client that acts for itself; the draft is stored if there is none. `tokenOf` makes the access token. None if the
     * grant has ended, because a client gets no second one.
     */
    readonly issueToClient: (
      draft: GrantDraft,
      tokenOf: (grant: OauthGrant) => OauthToken
    ) => StoreEffect<Option.Option<OauthGrant>, AccountFrozen | QuotaExceeded>
    readonly findToken: (hash: string) => StoreEffect<Option.Option<FoundToken>>
    /** Ends one access token. */
    readonly endToken: (hash: string) => StoreEffect<void>
    /** The grants of the account that have not ended, newest first. */
    readonly listGrants: (owner: AccountId, page: PageRequest) => StoreEffect<Page<LiveGrant>>
    /** Retires the agent and ends the key and every token; none if the owner has no such grant, or it has ended. */
    readonly endGrant: (id: GrantId, owner: AccountId, at: Timestamp) => StoreEffect<Option.Option<OauthGrant>>
  }
>()("@agent-marketplace/core/oauth/OauthStore") {}
