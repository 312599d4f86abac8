import type { Effect, Option, Stream } from "effect"
import { Context } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict, InvalidApiKey, QuotaExceeded } from "../errors/MarketError.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Account } from "./Account.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import type { Freeze } from "./Freeze.ts"
import type { QuotaPatch } from "./Quotas.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/**
 * Accounts, agents and keys.
 *
 * Contract: each method is one transaction. Every change that can alter what a key may do (deactivation, rotation, claim, recovery,
 * a change of the account or agent) is announced on `changes` of every process before the method returns on this one.
 *
 * `by` is the calling key: if it was ended meanwhile, by a recovery for example, the method fails with `InvalidApiKey` and changes
 * nothing. So nothing that a stolen key creates survives the recovery of its account.
 *
 * A record that is created for an account counts against its quotas in the same transaction (QUOTA-1), and is refused while the account is
 * frozen. Concurrent creations cannot exceed a quota.
 */
export class IdentityStore extends Context.Service<
  IdentityStore,
  {
    /** Also creates the account's empty wallet. */
    readonly createAccount: (account: Account, key: ApiKey) => StoreEffect<void>
    /** Creates the account unless a key with this hash exists; then returns false and creates nothing. Safe under concurrency. */
    readonly createAccountOnce: (account: Account, key: ApiKey) => StoreEffect<boolean>
    readonly findAccount: (id: AccountId) => StoreEffect<Option.Option<Account>>
    /**
     * A new name is also copied to the author and creator names of the account's souls and listings. With a draft, the change is the
     * operator's, and the fields that differ are recorded in the log of actions.
     */
    readonly updateAccount: (
      id: AccountId,
      patch: Partial<Pick<Account, "name" | "email" | "seller" | "tier" | "hourlyLimit" | "operator">> & {
        readonly quotas?: QuotaPatch
      },
      action?: ActionDraft
    ) => StoreEffect<Option.Option<Account>>
    /**
     * Appends the event `agent.registered` (feed: FEED-10). `claimCodeHash` is null for an agent that is created by its owner; `key` is
     * null if no key is created with it.
     */
    readonly createAgent: (
      agent: Agent,
      key: ApiKey | null,
      claimCodeHash: string | null
    ) => StoreEffect<void, AccountFrozen | QuotaExceeded>
    /**
     * A code works once: of two concurrent claims one gets none. In the same transaction the agent's keys become the owner's, and the policy
     * becomes the agent's.
     */
    readonly claimAgent: (
      claimCodeHash: string,
      owner: AccountId,
      policy: SpendingPolicy,
      by: KeyId | null
    ) => StoreEffect<Option.Option<Agent>, AccountFrozen | InvalidApiKey | QuotaExceeded>
    readonly findAgent: (id: AgentId) => StoreEffect<Option.Option<Agent>>
    /**
     * Freezes an account or an agent; null ends the freeze. False if it does not exist. Every settlement that starts after this returns sees the
     * freeze; `Settlement.stop` waits for those that started before. A second freeze changes only the reason. Freezing an agent appends
     * `agent.frozen`. Freezing an account withholds its items from sale, ending the freeze restores them, and the draft is recorded in the
     * log of actions.
     */
    readonly setFrozen: (
      id: AccountId | AgentId,
      frozen: Freeze | null,
      by?: { readonly action: ActionDraft }
    ) => StoreEffect<boolean>
    /** Newest first. */
    readonly listAgents: (owner: AccountId, page: PageRequest) => StoreEffect<Page<Agent>>
    /** None if the owner has no such agent. */
    readonly renameAgent: (id: AgentId, owner: AccountId, name: string) => StoreEffect<Option.Option<Agent>>
    /** Also ends the agent's keys. None if the owner has no such agent; repeating it changes nothing. */
    readonly retireAgent: (id: AgentId, owner: AccountId, at: Timestamp) => StoreEffect<Option.Option<Agent>>
    /** Fails with Conflict `retired` if the key is for a retired agent. */
    readonly createKey: (
      key: ApiKey,
      by: KeyId | null
    ) => StoreEffect<void, AccountFrozen | Conflict | InvalidApiKey | QuotaExceeded>
    /** Newest first, including deactivated ones. */
    readonly listKeys: (owner: AccountId, page: PageRequest) => StoreEffect<Page<ApiKey>>
    readonly findKey: (id: KeyId) => StoreEffect<Option.Option<ApiKey>>
    /**
     * The caller with an active key of this hash, even if the key has expired; none if the key is unknown or deactivated. A `tokenDigest`
     * finds the caller with that access token, whose key is that of its grant.
     */
    readonly findCaller: (hash: string) => StoreEffect<Option.Option<Caller>>
    /** False if the owner has no such active key. */
    readonly deactivateKey: (id: KeyId, owner: AccountId) => StoreEffect<boolean>
    /** Ends every key that descends from the same first key; false if none of them is active. */
    readonly deactivateFamily: (id: KeyId, owner: AccountId) => StoreEffect<boolean>
    /** For the operator, with any account's key: none if the key does not exist, false if it is not active. */
    readonly endKey: (id: KeyId, action: ActionDraft) => StoreEffect<Option.Option<boolean>>
    /** Adds `next` and ends the old key at `graceEnds` (or at its own earlier expiry); false if the old one is not active. */
    readonly rotateKey: (
      id: KeyId,
      next: ApiKey,
      graceEnds: Timestamp,
      by: KeyId | null
    ) => StoreEffect<boolean, InvalidApiKey>
    /**
     * Ends every key of the account and of its agents, its sessions and its sign-in links, and adds `key`. Keys and sessions that are
     * created or rotated concurrently end too. Keys of a host's sessions remain. False if the account does not exist.
     */
    readonly recover: (key: ApiKey & { readonly accountId: AccountId }, action: ActionDraft) => StoreEffect<boolean>
    /**
     * Ends the account (ACCOUNT-7 to ACCOUNT-10): its name and e-mail address leave every record, rendered text and event; its keys, agents
     * and webhooks end, its items are deleted, and it is frozen for good. Its ledger, licenses and reviews stay. Fails with Conflict while
     * money is left, and with AccountFrozen while it is frozen; of an erasure and a deposit or sale at the same moment one comes first. False
     * where there is no such account; erasing an erased account changes nothing.
     */
    readonly eraseAccount: (
      id: AccountId,
      at: Timestamp,
      by: KeyId | null
    ) => StoreEffect<boolean, AccountFrozen | Conflict | InvalidApiKey>
    /**
     * Examines each active key that was created up to `madeBefore` once, at most `limit` of them, and appends `key.rotation_due` unless the
     * key has a successor or has expired. Returns the number examined.
     */
    readonly announceRotations: (madeBefore: Timestamp, now: Timestamp, limit: number) => StoreEffect<number>
    /** Records when keys were last used. A use within a minute of the recorded one is ignored, and a time never decreases. */
    readonly touchKeys: (uses: ReadonlyArray<readonly [KeyId, Timestamp]>) => StoreEffect<void>
    /**
     * Ids (key, agent or account) whose callers must be evicted from caches. "*" means all of them, and is sent whenever announcements may have
     * been missed. While the store cannot announce changes, `live` is false and nothing may be cached.
     */
    readonly changes: Stream.Stream<string>
    readonly live: Effect.Effect<boolean>
  }
>()("@agent-marketplace/core/identity/IdentityStore") {}
