import type { Effect, Option, Stream } from "effect"
import { Context } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict, InvalidApiKey, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Account } from "./Account.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import type { Freeze } from "./Freeze.ts"
import type { QuotaPatch } from "./Quotas.ts"

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
    readonly createAccount: (account: Account, key: ApiKey) => Effect.Effect<void, StoreUnavailable>
    /** Creates the account unless a key with this hash exists; then returns false and creates nothing. Safe under concurrency. */
    readonly createAccountOnce: (account: Account, key: ApiKey) => Effect.Effect<boolean, StoreUnavailable>
    readonly findAccount: (id: AccountId) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /**
     * A new name is also copied to the author and creator names of the account's souls and listings. With a draft, the change is the
     * operator's, and the fields that differ are recorded in the log of actions.
     */
    readonly updateAccount: (
      id: AccountId,
      patch: Partial<Pick<Account, "name" | "email" | "seller" | "tier" | "hourlyLimit">> & {
        readonly quotas?: QuotaPatch
      },
      action?: ActionDraft
    ) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /**
     * Appends the event `agent.registered` (feed: FEED-10). `claimCodeHash` is null for an agent that is created by its owner; `key` is
     * null if no key is created with it.
     */
    readonly createAgent: (
      agent: Agent,
      key: ApiKey | null,
      claimCodeHash: string | null
    ) => Effect.Effect<void, AccountFrozen | QuotaExceeded | StoreUnavailable>
    /**
     * A code works once: of two concurrent claims one gets none. In the same transaction the agent's keys become the owner's, and the policy
     * becomes the agent's.
     */
    readonly claimAgent: (
      claimCodeHash: string,
      owner: AccountId,
      policy: SpendingPolicy,
      by: KeyId | null
    ) => Effect.Effect<Option.Option<Agent>, AccountFrozen | InvalidApiKey | QuotaExceeded | StoreUnavailable>
    readonly findAgent: (id: AgentId) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
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
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Newest first. */
    readonly listAgents: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<Agent>, StoreUnavailable>
    /** None if the owner has no such agent. */
    readonly renameAgent: (
      id: AgentId,
      owner: AccountId,
      name: string
    ) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /** Also ends the agent's keys. None if the owner has no such agent; repeating it changes nothing. */
    readonly retireAgent: (
      id: AgentId,
      owner: AccountId,
      at: Timestamp
    ) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /** Fails with Conflict `retired` if the key is for a retired agent. */
    readonly createKey: (
      key: ApiKey,
      by: KeyId | null
    ) => Effect.Effect<void, AccountFrozen | Conflict | InvalidApiKey | QuotaExceeded | StoreUnavailable>
    /** Newest first, including deactivated ones. */
    readonly listKeys: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<ApiKey>, StoreUnavailable>
    readonly findKey: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable>
    /** The caller with an active key of this hash, even if the key has expired; none if the key is unknown or deactivated. */
    readonly findCaller: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** False if the owner has no such active key. */
    readonly deactivateKey: (id: KeyId, owner: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends every key that descends from the same first key; false if none of them is active. */
    readonly deactivateFamily: (id: KeyId, owner: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** For the operator, with any account's key: none if the key does not exist, false if it is not active. */
    readonly endKey: (id: KeyId, action: ActionDraft) => Effect.Effect<Option.Option<boolean>, StoreUnavailable>
    /** Adds `next` and ends the old key at `graceEnds` (or at its own earlier expiry); false if the old one is not active. */
    readonly rotateKey: (
      id: KeyId,
      next: ApiKey,
      graceEnds: Timestamp,
      by: KeyId | null
    ) => Effect.Effect<boolean, InvalidApiKey | StoreUnavailable>
    /**
     * Ends every key of the account and of its agents, and adds `key`. Keys that are created or rotated concurrently end too. Keys of
     * a host's sessions remain. False if the account does not exist.
     */
    readonly recover: (
      key: ApiKey & { readonly accountId: AccountId },
      action: ActionDraft
    ) => Effect.Effect<boolean, StoreUnavailable>
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
    ) => Effect.Effect<boolean, AccountFrozen | Conflict | InvalidApiKey | StoreUnavailable>
    /**
     * Examines each active key that was created up to `madeBefore` once, at most `limit` of them, and appends `key.rotation_due` unless the
     * key has a successor or has expired. Returns the number examined.
     */
    readonly announceRotations: (
      madeBefore: Timestamp,
      now: Timestamp,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Records when keys were last used; never moves a time back. */
    readonly touchKeys: (uses: ReadonlyArray<readonly [KeyId, Timestamp]>) => Effect.Effect<void, StoreUnavailable>
    /**
     * Ids (key, agent or account) whose callers must be evicted from caches. "*" means all of them, and is sent whenever announcements may have
     * been missed. While the store cannot announce changes, `live` is false and nothing may be cached.
     */
    readonly changes: Stream.Stream<string>
    readonly live: Effect.Effect<boolean>
  }
>()("@agent-marketplace/core/identity/IdentityStore") {}
