import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AgentNotClaimed, Issue, StoreUnavailable } from "../errors/MarketError.ts"
import { Conflict, InvalidApiKey, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { AccountId, AgentId, KeyId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Account, Tier } from "./Account.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey, Scope } from "./ApiKey.ts"
import { ApiKeyToken } from "./ApiKeyToken.ts"
import type { Caller } from "./Caller.ts"
import { makeCallerCache } from "./CallerCache.ts"
import { isHostKey, makeRecognise } from "./HostSessions.ts"
import type { HostUser } from "./HostUsers.ts"
import { IdentityStore } from "./IdentityStore.ts"
import { makeKeyUses } from "./KeyUses.ts"
import { ownerOf } from "./Owner.ts"

/** A new key with its token, which is shown this once. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly token: string
}

export interface KeyRequest {
  readonly name: string
  readonly scope: Scope
  readonly agentId?: AgentId | undefined
  readonly expiresAt?: Timestamp | undefined
}

/** Seconds that a rotated key goes on working where the caller names none; at most {@link maxGrace}. */
export const defaultGrace = 86_400
export const maxGrace = 604_800

const hostsOwn = new Conflict({ state: "active", reason: "sessions of the host's users are ended by the host" })

/** Accounts, agents and API keys: who is calling, and what for (KEY-1, ACCOUNT-1, AGENT-1). */
export class Identity extends Context.Service<
  Identity,
  {
    /** Who holds this token; fails for any that is malformed, unknown, expired or deactivated. */
    readonly authenticate: (token: string) => Effect.Effect<Caller, InvalidApiKey | StoreUnavailable>
    /**
     * The caller that one of the host's users is. Who is seen for the first time gets an account of his own. Fails where the session's
     * agent is not the user's.
     */
    readonly recognise: (user: HostUser) => Effect.Effect<Caller, InvalidApiKey | ValidationFailed | StoreUnavailable>
    readonly signUp: (request: {
      readonly name: string
      readonly email?: string | null | undefined
      readonly seller?: boolean | undefined
    }) => Effect.Effect<{ readonly account: Account; readonly apiKey: IssuedKey }, StoreUnavailable>
    readonly account: (caller: Caller) => Effect.Effect<Account, AgentNotClaimed | NotFound | StoreUnavailable>
    readonly updateAccount: (
      caller: Caller,
      patch: { readonly name?: string; readonly email?: string | null; readonly seller?: boolean }
    ) => Effect.Effect<Account, AgentNotClaimed | NotFound | StoreUnavailable>
    /** By an operator. */
    readonly administerAccount: (
      id: AccountId,
      patch: { readonly tier?: Tier; readonly seller?: boolean; readonly hourlyLimit?: number | null }
    ) => Effect.Effect<Account, NotFound | StoreUnavailable>
    /** An agent without an owner, its first key (FULL), and the code that makes somebody its owner. */
    readonly registerAgent: (
      name: string
    ) => Effect.Effect<
      { readonly agent: Agent; readonly apiKey: IssuedKey; readonly claimCode: string },
      StoreUnavailable
    >
    readonly claimAgent: (
      caller: Caller,
      claimCode: string
    ) => Effect.Effect<Agent, AgentNotClaimed | NotFound | StoreUnavailable>
    readonly createAgent: (caller: Caller, name: string) => Effect.Effect<Agent, AgentNotClaimed | StoreUnavailable>
    readonly listAgents: (
      caller: Caller,
      page: PageRequest
    ) => Effect.Effect<Page<Agent>, AgentNotClaimed | StoreUnavailable>
    /** The agent, where it is the caller's. */
    readonly ownAgent: (
      caller: Caller,
      id: AgentId
    ) => Effect.Effect<Agent, AgentNotClaimed | NotFound | StoreUnavailable>
    /** What speaks against a key, for each field that is given. */
    readonly keyViolations: (request: Pick<KeyRequest, "expiresAt">) => Effect.Effect<ReadonlyArray<Issue>>
    readonly createKey: (
      caller: Caller,
      request: KeyRequest
    ) => Effect.Effect<IssuedKey, AgentNotClaimed | NotFound | ValidationFailed | StoreUnavailable>
    readonly listKeys: (
      caller: Caller,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKey>, AgentNotClaimed | StoreUnavailable>
    /** At once, on every process (KEY-6). */
    readonly deactivateKey: (
      caller: Caller,
      id: KeyId
    ) => Effect.Effect<void, AgentNotClaimed | NotFound | Conflict | StoreUnavailable>
    /** `graceSeconds` 0 to {@link maxGrace}. The new key takes over name, scope, agent and length of life. */
    readonly rotateKey: (
      caller: Caller,
      id: KeyId,
      graceSeconds?: number
    ) => Effect.Effect<IssuedKey, AgentNotClaimed | NotFound | Conflict | StoreUnavailable>
    /** The calling key renews itself. */
    readonly refreshKey: (
      caller: Caller,
      graceSeconds?: number
    ) => Effect.Effect<IssuedKey, NotFound | Conflict | StoreUnavailable>
  }
>()("@agent-marketplace/core/identity/Identity") {
  static readonly layer = Layer.effect(
    Identity,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const callers = yield* makeCallerCache(store)
      const used = yield* makeKeyUses(store)
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))

      const issue = Effect.fnUntraced(function* (
        of: Pick<ApiKey, "accountId" | "agentId" | "name" | "scope" | "expiresAt">
      ) {
        const token = ApiKeyToken.make(yield* ids.bytes(32))
        const createdAt = yield* clock.now
        const key: ApiKey = {
          ...of,
          lifetime: of.expiresAt === null ? null : of.expiresAt - createdAt,
          id: yield* ids.make("key"),
          prefix: ApiKeyToken.prefixOf(token),
          hash: yield* hash(token),
          status: "active",
          lastUsedAt: null,
          createdAt
        }
        return { key, token }
      })

      const authenticate = Effect.fnUntraced(function* (token: string) {
        if (!ApiKeyToken.isWellFormed(token)) return yield* new InvalidApiKey({ reason: "invalid" })
        const found = yield* callers(yield* hash(token))
        const now = yield* clock.now
        if (Option.isNone(found) || (found.value.expiresAt !== null && found.value.expiresAt <= now)) {
          return yield* new InvalidApiKey({ reason: "invalid" })
        }
        used(found.value.keyId, now)
        return found.value
      })

      const accountOrFail = (found: Effect.Effect<Option.Option<Account>, StoreUnavailable>) =>
        Effect.flatMap(
          found,
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "ACCOUNT" })),
            onSome: (account) => Effect.succeed(account)
          })
        )

      const ownAgent = Effect.fn("Identity.ownAgent")(function* (caller: Caller, id: AgentId) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.findAgent(id)
        if (Option.isNone(found) || found.value.ownerId !== owner) return yield* new NotFound({ resource: "AGENT" })
        return found.value
      })

      const keyViolations = ({ expiresAt }: Pick<KeyRequest, "expiresAt">): Effect.Effect<ReadonlyArray<Issue>> =>
        Effect.map(clock.now, (now) =>
          expiresAt !== undefined && expiresAt <= now ? [{ path: "expiresAt", message: "must be in the future" }] : []
        )

      const rotate = Effect.fnUntraced(function* (old: ApiKey, graceSeconds = defaultGrace) {
        const now = yield* clock.now
        const expired = old.expiresAt !== null && old.expiresAt <= now
        if (isHostKey(old)) return yield* hostsOwn
        if (old.status !== "active" || expired) {
          return yield* new Conflict({ state: expired ? "expired" : old.status })
        }
        const { accountId, agentId, lifetime, name, scope } = old
        const expiresAt = lifetime === null ? null : now + lifetime
        const next = yield* issue({ accountId, agentId, name, scope, expiresAt })
        const rotated = yield* store.rotateKey(old.id, next.key, now + graceSeconds * Time.second)
        if (!rotated) return yield* new Conflict({ state: "deactivated" })
        return next
      })

      const ownKey = Effect.fnUntraced(function* (owner: AccountId, id: KeyId) {
        const found = yield* store.findKey(id)
        if (Option.isNone(found) || found.value.accountId !== owner) return yield* new NotFound({ resource: "KEY" })
        return found.value
      })

      return {
        authenticate,
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
        administerAccount: Effect.fn("Identity.administerAccount")((id, patch) =>
          accountOrFail(store.updateAccount(id, patch))
        ),
        registerAgent: Effect.fn("Identity.registerAgent")(function* (name) {
          const agent: Agent = {
            id: yield* ids.make("agent"),
            name,
            ownerId: null,
            createdAt: yield* clock.now,
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
          yield* store.createAgent(agent, apiKey.key, yield* hash(claimCode))
          return { agent, apiKey, claimCode }
        }),
        claimAgent: Effect.fn("Identity.claimAgent")(function* (caller, claimCode) {
          const claimed = yield* store.claimAgent(yield* hash(claimCode), yield* ownerOf(caller))
          if (Option.isNone(claimed)) return yield* new NotFound({ resource: "CLAIM_CODE" })
          return claimed.value
        }),
        createAgent: Effect.fn("Identity.createAgent")(function* (caller, name) {
          const agent: Agent = {
            id: yield* ids.make("agent"),
            name,
            ownerId: yield* ownerOf(caller),
            createdAt: yield* clock.now,
            frozen: null
          }
          yield* store.createAgent(agent, null, null)
          return agent
        }),
        listAgents: Effect.fn("Identity.listAgents")(function* (caller, page) {
          return yield* store.listAgents(yield* ownerOf(caller), page)
        }),
        keyViolations,
        createKey: Effect.fn("Identity.createKey")(function* (caller, request) {
          const accountId = yield* ownerOf(caller)
          if (request.agentId !== undefined) yield* ownAgent(caller, request.agentId)
          const issues = yield* keyViolations(request)
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const { agentId = null, expiresAt = null, name, scope } = request
          const issued = yield* issue({ accountId, agentId, name, scope, expiresAt })
          yield* store.createKey(issued.key)
          return issued
        }),
        listKeys: Effect.fn("Identity.listKeys")(function* (caller, page) {
          return yield* store.listKeys(yield* ownerOf(caller), page)
        }),
        deactivateKey: Effect.fn("Identity.deactivateKey")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          if (isHostKey(yield* ownKey(owner, id))) return yield* hostsOwn
          const active = yield* store.deactivateKey(id, owner)
          if (!active) return yield* new Conflict({ state: "deactivated" })
        }),
        rotateKey: Effect.fn("Identity.rotateKey")(function* (caller, id, graceSeconds) {
          return yield* rotate(yield* ownKey(yield* ownerOf(caller), id), graceSeconds)
        }),
        refreshKey: Effect.fn("Identity.refreshKey")(function* (caller, graceSeconds) {
          const found = yield* store.findKey(caller.keyId)
          if (Option.isNone(found)) return yield* new NotFound({ resource: "KEY" })
          return yield* rotate(found.value, graceSeconds)
        })
      }
    })
  )
}
