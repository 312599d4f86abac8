import type { Stream } from "effect"
import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import { defaultPolicy } from "../approvals/SpendingPolicy.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type {
  AccountFrozen,
  AgentNotClaimed,
  Conflict,
  Issue,
  QuotaExceeded,
  ValidationFailed
} from "../errors/MarketError.ts"
import { InvalidApiKey, NotFound } from "../errors/MarketError.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Account } from "./Account.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey } from "./ApiKey.ts"
import { rotationPeriod } from "./ApiKey.ts"
import { ApiKeyToken } from "./ApiKeyToken.ts"
import type { Caller } from "./Caller.ts"
import { AccessToken, tokenDigest } from "../oauth/OauthSecret.ts"
import { makeCallerCache } from "./CallerCache.ts"
import { makeRecognise } from "./HostSessions.ts"
import type { HostUser } from "./HostUsers.ts"
import { IdentityStore } from "./IdentityStore.ts"
import { makeUses } from "./Uses.ts"
import { makeKeys } from "./makeKeys.ts"
import type { IssuedKey, KeyRequest } from "./makeKeys.ts"
import { ownerOf } from "./Caller.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The maximum number of keys that one run of `announceRotations` examines. */
export const rotationBatch = 100

/** Why an account may not create one more record. */
type Unadmitted = AccountFrozen | QuotaExceeded

/** The policy of an agent that was claimed without one (AGENT-3). */
const everyPurchaseWaits: SpendingPolicy = { ...defaultPolicy, autoApprove: false }

/** In place of an agent's id: the agent whose key is used. */
const callingAgent = "me"

/** Accounts, agents and API keys, and the authentication of callers (KEY-1, ACCOUNT-1, AGENT-1). */
export class Identity extends Context.Service<
  Identity,
  {
    /** The caller with this key or access token. Fails if it is malformed, unknown, expired or deactivated. */
    readonly authenticate: (token: string) => StoreEffect<Caller, InvalidApiKey>
    /**
     * The caller for one of the host's users. A new user gets an account. Fails if the session's agent does not belong to the user.
     */
    readonly recognise: (user: HostUser) => StoreEffect<Caller, InvalidApiKey | ValidationFailed>
    /**
     * Ids (key, agent or account) whose callers may have changed, as soon as this process no longer has them cached; "*" means all. While
     * `live` is false, changes may be missed.
     */
    readonly changes: Stream.Stream<string>
    readonly live: Effect.Effect<boolean>
    readonly signUp: (request: {
      readonly name: string
      readonly email?: string | null | undefined
      readonly seller?: boolean | undefined
    }) => StoreEffect<{ readonly account: Account; readonly apiKey: IssuedKey }>
    readonly account: (caller: Caller) => StoreEffect<Account, AgentNotClaimed | NotFound>
    readonly updateAccount: (
      caller: Caller,
      patch: { readonly name?: string; readonly email?: string | null; readonly seller?: boolean }
    ) => StoreEffect<Account, AgentNotClaimed | NotFound>
    /** Erases the account permanently: its name is removed from every record, and its keys end (ACCOUNT-7 to ACCOUNT-10). */
    readonly eraseAccount: (
      caller: Caller
    ) => StoreEffect<AccountId, AccountFrozen | AgentNotClaimed | Conflict | InvalidApiKey | NotFound>
    /** Creates an agent without an owner, its first key (FULL), and the code with which an account claims it. */
    readonly registerAgent: (
      name: string
    ) => StoreEffect<{ readonly agent: Agent; readonly apiKey: IssuedKey; readonly claimCode: string }>
    /**
     * From then on the agent's keys act for the caller's account. The party that registered the agent holds its key, so every paid purchase
     * waits for the owner unless the policy sets `autoApprove` (AGENT-3).
     */
    readonly claimAgent: (
      caller: Caller,
      claimCode: string,
      policy?: Partial<SpendingPolicy>
    ) => StoreEffect<Agent, AgentNotClaimed | InvalidApiKey | NotFound | Unadmitted>
    readonly createAgent: (caller: Caller, name: string) => StoreEffect<Agent, AgentNotClaimed | Unadmitted>
    readonly listAgents: (caller: Caller, page: PageRequest) => StoreEffect<Page<Agent>, AgentNotClaimed>
    /** The agent, if it belongs to the caller. */
    /** The id `me` finds the agent whose key is used. */
    readonly ownAgent: (caller: Caller, id: AgentId) => StoreEffect<Agent, AgentNotClaimed | NotFound>
    readonly renameAgent: (caller: Caller, id: AgentId, name: string) => StoreEffect<Agent, AgentNotClaimed | NotFound>
    /** The broken rules of a key request, for the given fields. */
    readonly keyViolations: (request: Pick<KeyRequest, "expiresAt">) => StoreEffect<ReadonlyArray<Issue>>
    readonly createKey: (
      caller: Caller,
      request: KeyRequest
    ) => StoreEffect<IssuedKey, AgentNotClaimed | Conflict | InvalidApiKey | NotFound | Unadmitted | ValidationFailed>
    /** Examines each key whose rotation is due once and notifies its owner (KEY-11). Returns the number examined, at most one batch. */
    readonly announceRotations: StoreEffect<number>
    /** Creates a key for the account without a permission check and without storing it. */
    readonly issueKey: (accountId: AccountId, name: string) => StoreEffect<IssuedKey>
    readonly key: (caller: Caller, id: KeyId) => StoreEffect<ApiKey, AgentNotClaimed | NotFound>
    readonly listKeys: (caller: Caller, page: PageRequest) => StoreEffect<Page<ApiKey>, AgentNotClaimed>
    /** Takes effect immediately on every process. With `family`, ends every key that descends from the same first key (KEY-10). */
    readonly deactivateKey: (
      caller: Caller,
      id: KeyId,
      family?: boolean
    ) => StoreEffect<void, AgentNotClaimed | NotFound | Conflict>
    /**
     * `graceSeconds` is 0 to `maxGrace`. The new key keeps the name, scope and agent, and its family's end of life.
     */
    readonly rotateKey: (
      caller: Caller,
      id: KeyId,
      graceSeconds?: number
    ) => StoreEffect<IssuedKey, AgentNotClaimed | InvalidApiKey | NotFound | Conflict>
    /** The calling key renews itself. */
    readonly refreshKey: (
      caller: Caller,
      graceSeconds?: number
    ) => StoreEffect<IssuedKey, InvalidApiKey | NotFound | Conflict>
  }
>()("@agent-marketplace/core/identity/Identity") {
  static readonly layer = Layer.effect(
    Identity,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const { evicted: changes, find: callers } = yield* makeCallerCache(store)
      const { record: used } = yield* makeUses(store.touchKeys)
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))

      const { issue, ...keys } = makeKeys({ clock, hash, ids, store })

      const authenticate = Effect.fnUntraced(function* (token: string) {
        const isAccess = AccessToken.isWellFormed(token)
        if (!isAccess && !ApiKeyToken.isWellFormed(token)) return yield* new InvalidApiKey({ reason: "invalid" })
        const digestOf = yield* hash(token)
        const found = yield* callers(isAccess ? tokenDigest.of(digestOf) : digestOf)
        const now = yield* clock.now
        if (Option.isNone(found) || (found.value.expiresAt !== null && found.value.expiresAt <= now)) {
          return yield* new InvalidApiKey({ reason: "invalid" })
        }
        used(found.value.keyId, now)
        return found.value
      })

      const accountOrFail = (found: StoreEffect<Option.Option<Account>>) =>
        Effect.flatMap(
          found,
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "ACCOUNT" })),
            onSome: (account) => Effect.succeed(account)
          })
        )

      const ownAgent = Effect.fn("Identity.ownAgent")(function* (caller: Caller, id: AgentId) {
        const owner = yield* ownerOf(caller)
        const wanted = String(id) === callingAgent ? caller.agentId : id
        const found = wanted === null ? Option.none() : yield* store.findAgent(wanted)
        if (Option.isNone(found) || found.value.ownerId !== owner) return yield* new NotFound({ resource: "AGENT" })
        return found.value
      })

      return {
        authenticate,
        changes,
        live: store.live,
        recognise: makeRecognise({ callers, clock, hash, ids, store, used }),
        ownAgent,
        signUp: Effect.fn("Identity.signUp")(function* (request) {
          const account: Account = {
            id: yield* ids.make("account"),
            name: request.name,
            email: request.email ?? null,
            seller: request.seller ?? false,
            tier: "free",
            hourlyLimit: null,
            quotas: {},
            operator: false,
            createdAt: yield* clock.now,
            frozen: null
          }
          const apiKey = yield* issue({
            accountId: account.id,
            agentId: null,
            name: "First key",
            scope: "FULL",
            expiresAt: null
          })
          yield* store.createAccount(account, apiKey.key)
          return { account, apiKey }
        }),
        account: Effect.fn("Identity.account")(function* (caller) {
          return yield* accountOrFail(store.findAccount(yield* ownerOf(caller)))
        }),
        updateAccount: Effect.fn("Identity.updateAccount")(function* (caller, patch) {
          return yield* accountOrFail(store.updateAccount(yield* ownerOf(caller), patch))
        }),
        eraseAccount: Effect.fn("Identity.eraseAccount")(function* (caller) {
          const owner = yield* ownerOf(caller)
          if (!(yield* store.eraseAccount(owner, yield* clock.now, caller.keyId))) {
            return yield* new NotFound({ resource: "ACCOUNT" })
          }
          return owner
        }),
        registerAgent: Effect.fn("Identity.registerAgent")(function* (name) {
          const agent: Agent = {
            id: yield* ids.make("agent"),
            name,
            ownerId: null,
            source: "api",
            createdAt: yield* clock.now,
            retiredAt: null,
            frozen: null
          }
          const apiKey = yield* issue({
            accountId: null,
            agentId: agent.id,
            name: "First key",
            scope: "FULL",
            expiresAt: null
          })
          const claimCode = `claim_${yield* ids.random(26)}`
          // An agent without an owner counts against no quota and is subject to no freeze.
          const stored = store.createAgent(agent, apiKey.key, yield* hash(claimCode))
          yield* Effect.catchTags(stored, { AccountFrozen: Effect.die, QuotaExceeded: Effect.die })
          return { agent, apiKey, claimCode }
        }),
        claimAgent: Effect.fn("Identity.claimAgent")(function* (caller, claimCode, policy) {
          const owner = yield* ownerOf(caller)
          const claimed = yield* store.claimAgent(
            yield* hash(claimCode),
            owner,
            { ...everyPurchaseWaits, ...policy },
            caller.keyId
          )
          if (Option.isNone(claimed)) return yield* new NotFound({ resource: "CLAIM_CODE" })
          return claimed.value
        }),
        createAgent: Effect.fn("Identity.createAgent")(function* (caller, name) {
          const agent: Agent = {
            id: yield* ids.make("agent"),
            name,
            ownerId: yield* ownerOf(caller),
            source: "api",
            createdAt: yield* clock.now,
            retiredAt: null,
            frozen: null
          }
          yield* store.createAgent(agent, null, null)
          return agent
        }),
        listAgents: Effect.fn("Identity.listAgents")(function* (caller, page) {
          return yield* store.listAgents(yield* ownerOf(caller), page)
        }),
        renameAgent: Effect.fn("Identity.renameAgent")(function* (caller, id, name) {
          const renamed = yield* store.renameAgent(id, yield* ownerOf(caller), name)
          if (Option.isNone(renamed)) return yield* new NotFound({ resource: "AGENT" })
          return renamed.value
        }),
        ...keys,
        announceRotations: Effect.flatMap(clock.now, (now) =>
          store.announceRotations(now - rotationPeriod, now, rotationBatch)
        ),
        issueKey: (accountId, name) => issue({ accountId, agentId: null, name, scope: "FULL", expiresAt: null })
      }
    })
  )
}
