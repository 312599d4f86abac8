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
 * `by` is the calling key: where it was ended meanwhile, by a recovery for example, the method fails with `InvalidApiKey` and changes
 * nothing. So nothing that a stolen key starts outlives the recovery of its account.
 *
 * What is created for an account counts against its quotas in the transaction that creates it (QUOTA-1), and is refused while the account
 * is frozen: of creations at the same moment none passes a quota.
 */
export class IdentityStore extends Context.Service<
  IdentityStore,
  {
    /** Also makes the account's empty wallet. */
    readonly createAccount: (account: Account, key: ApiKey) => Effect.Effect<void, StoreUnavailable>
    /** The same where no key has this hash yet; false where one has, and nothing is made. Of two at the same moment one makes it. */
    readonly createAccountOnce: (account: Account, key: ApiKey) => Effect.Effect<boolean, StoreUnavailable>
    readonly findAccount: (id: AccountId) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /**
     * A new name also becomes the author and creator name that the account's souls and listings show. With a draft the change is the
     * operator's: the fields that differ go to the log of actions.
     */
    readonly updateAccount: (
      id: AccountId,
      patch: Partial<Pick<Account, "name" | "email" | "seller" | "tier" | "hourlyLimit">> & {
        readonly quotas?: QuotaPatch
      },
      action?: ActionDraft
    ) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /**
     * Appends the event `agent.registered` (feed: FEED-10). `claimCodeHash` is null for an agent that is claimed from birth; `key` is
     * null where none is made with it.
     */
    readonly createAgent: (
      agent: Agent,
      key: ApiKey | null,
      claimCodeHash: string | null
    ) => Effect.Effect<void, AccountFrozen | QuotaExceeded | StoreUnavailable>
    /**
     * Works once per code: of two at the same moment one gets none. The agent's keys become the owner's, and the policy becomes the
     * agent's in the same step.
     */
    readonly claimAgent: (
      claimCodeHash: string,
      owner: AccountId,
      policy: SpendingPolicy,
      by: KeyId | null
    ) => Effect.Effect<Option.Option<Agent>, AccountFrozen | InvalidApiKey | QuotaExceeded | StoreUnavailable>
    readonly findAgent: (id: AgentId) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /**
     * Freezes an account or an agent, or ends its freeze with null. False where there is no such account or agent. Every settlement that
     * starts after it returns sees the freeze; `Settlement.stop` ends those that started before. Of what is frozen already the reason alone
     * changes. An agent's freeze appends `agent.frozen`; an account's takes its items out of the shop, its end brings them back, and the
     * draft goes to the log of actions.
     */
    readonly setFrozen: (
      id: AccountId | AgentId,
      frozen: Freeze | null,
      by?: { readonly action: ActionDraft }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Newest first. */
    readonly listAgents: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<Agent>, StoreUnavailable>
    /** None where the owner has no such agent. */
    readonly renameAgent: (
      id: AgentId,
      owner: AccountId,
      name: string
    ) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /** Ends the agent's keys too; none where the owner has no such agent, a second time nothing changes. */
    readonly retireAgent: (
      id: AgentId,
      owner: AccountId,
      at: Timestamp
    ) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /** Fails with Conflict `retired` where the key is for an agent that was retired. */
    readonly createKey: (
      key: ApiKey,
      by: KeyId | null
    ) => Effect.Effect<void, AccountFrozen | Conflict | InvalidApiKey | QuotaExceeded | StoreUnavailable>
    /** Newest first, the deactivated ones too. */
    readonly listKeys: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<ApiKey>, StoreUnavailable>
    readonly findKey: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable>
    /** The caller behind an active key's hash, whatever its expiry; none where unknown or deactivated. */
    readonly findCaller: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** False where the owner has no such active key. */
    readonly deactivateKey: (id: KeyId, owner: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends every key that came from the same first key; false where none of them is active. */
    readonly deactivateFamily: (id: KeyId, owner: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** By the operator, whose key it may be: none where there is no such key, false where it is not active. */
    readonly endKey: (id: KeyId, action: ActionDraft) => Effect.Effect<Option.Option<boolean>, StoreUnavailable>
    /** Adds `next` and ends the old key at `graceEnds` (or its own earlier expiry); false where the old one is not active. */
    readonly rotateKey: (
      id: KeyId,
      next: ApiKey,
      graceEnds: Timestamp,
      by: KeyId | null
    ) => Effect.Effect<boolean, InvalidApiKey | StoreUnavailable>
    /**
     * Ends every key of the account, those of its agents too, and adds `key`. Of a rotation or creation at the same moment none survives.
     * Keys of a host's sessions stay. False where there is no such account.
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
     * Looks once at each active key that was made by `madeBefore`, at most `limit` of them, and appends `key.rotation_due` unless the key
     * has a successor or has expired. Answers how many keys it looked at.
     */
    readonly announceRotations: (
      madeBefore: Timestamp,
      now: Timestamp,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Notes when keys were last used; never moves a time back. */
    readonly touchKeys: (uses: ReadonlyArray<readonly [KeyId, Timestamp]>) => Effect.Effect<void, StoreUnavailable>
    /**
     * Ids (key, agent or account) whose callers must be forgotten; "*" means all of them, and is sent whenever
     * announcements may have been missed. While the store cannot announce, `live` is false and nothing may be cached.
     */
    readonly changes: Stream.Stream<string>
    readonly live: Effect.Effect<boolean>
  }
>()("@agent-marketplace/core/identity/IdentityStore") {}
