import type { Effect, Option, Stream } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Account } from "./Account.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import type { Freeze } from "./Freeze.ts"

/**
 * Accounts, agents and keys.
 *
 * Contract: each method is one transaction. Every change that can alter what a key may do (deactivation, rotation, claim,
 * a change of the account) is announced on `changes` of every process before the method returns on this one.
 */
export class IdentityStore extends Context.Service<
  IdentityStore,
  {
    /** Also makes the account's empty wallet. */
    readonly createAccount: (account: Account, key: ApiKey) => Effect.Effect<void, StoreUnavailable>
    /** The same where no key has this hash yet; false where one has, and nothing is made. Of two at the same moment one makes it. */
    readonly createAccountOnce: (account: Account, key: ApiKey) => Effect.Effect<boolean, StoreUnavailable>
    readonly findAccount: (id: AccountId) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /** A new name also becomes the author and creator name that the account's souls and listings show. */
    readonly updateAccount: (
      id: AccountId,
      patch: Partial<Pick<Account, "name" | "email" | "seller" | "tier" | "hourlyLimit">>
    ) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
    /**
     * Appends the event `agent.registered` (feed: FEED-10). `claimCodeHash` is null for an agent that is claimed from birth; `key` is
     * null where none is made with it.
     */
    readonly createAgent: (
      agent: Agent,
      key: ApiKey | null,
      claimCodeHash: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Works once per code: of two at the same moment one gets none. The agent's keys become the owner's. */
    readonly claimAgent: (
      claimCodeHash: string,
      owner: AccountId
    ) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    readonly findAgent: (id: AgentId) => Effect.Effect<Option.Option<Agent>, StoreUnavailable>
    /**
     * Freezes an account or an agent, or ends its freeze with null. False where there is no such account or agent. Every settlement that
     * starts after it returns sees the freeze; `Settlement.stop` ends those that started before.
     */
    readonly setFrozen: (id: AccountId | AgentId, frozen: Freeze | null) => Effect.Effect<boolean, StoreUnavailable>
    /** Newest first. */
    readonly listAgents: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<Agent>, StoreUnavailable>
    readonly createKey: (key: ApiKey) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, the deactivated ones too. */
    readonly listKeys: (owner: AccountId, page: PageRequest) => Effect.Effect<Page<ApiKey>, StoreUnavailable>
    readonly findKey: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable>
    /** The caller behind an active key's hash, whatever its expiry; none where unknown or deactivated. */
    readonly findCaller: (hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>
    /** False where the owner has no such active key. */
    readonly deactivateKey: (id: KeyId, owner: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** Adds `next` and ends the old key at `graceEnds` (or its own earlier expiry); false where the old one is not active. */
    readonly rotateKey: (id: KeyId, next: ApiKey, graceEnds: Timestamp) => Effect.Effect<boolean, StoreUnavailable>
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
