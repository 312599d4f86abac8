import { Effect, Option } from "effect"
import type { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Issue } from "../errors/MarketError.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, AgentId, IdGenerator, KeyId } from "../ids/Ids.ts"
import type { PageRequest } from "../paging/Page.ts"
import type { ApiKey, Scope } from "./ApiKey.ts"
import { ApiKeyToken } from "./ApiKeyToken.ts"
import type { Caller } from "./Caller.ts"
import { isHostKey } from "./HostSessions.ts"
import { isGrantKey } from "../oauth/OauthGrant.ts"
import type { IdentityStore } from "./IdentityStore.ts"
import { ownerOf } from "./Caller.ts"

/** A new key with its token, which is returned only once. */
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

/** The default grace period in seconds during which a rotated key still works; at most {@link maxGrace} (KEY-7). */
const defaultGrace = 86_400
export const maxGrace = 604_800

const hostsOwn = new Conflict({
  state: "active",
  reason: "this key represents a host user's sessions: end them in the host application"
})

const grants = new Conflict({
  state: "active",
  reason: "this key represents a grant to an application: end the grant instead"
})

interface Parts {
  readonly store: IdentityStore["Service"]
  readonly clock: MarketClock["Service"]
  readonly ids: IdGenerator
  readonly hash: (secret: string) => Effect.Effect<string>
}

/** The fields of a key that its creator decides. */
type KeyDraft = Pick<ApiKey, "accountId" | "agentId" | "name" | "scope" | "expiresAt">

/** Creates, lists, rotates and ends API keys (KEY-3 to KEY-11). */
export const makeKeys = ({ clock, hash, ids, store }: Parts) => {
  /** Creates a key with a family of its own or, with `old`, the next key of that family. */
  const issue = Effect.fnUntraced(function* (draft: KeyDraft, old?: ApiKey) {
    const token = ApiKeyToken.make(yield* ids.bytes(32))
    const id = yield* ids.make("key")
    const key: ApiKey = {
      ...draft,
      id,
      prefix: ApiKeyToken.prefixOf(token),
      hash: yield* hash(token),
      status: "active",
      rotatedFrom: old?.id ?? null,
      familyId: old?.familyId ?? id,
      familyEndsAt: old === undefined ? draft.expiresAt : old.familyEndsAt,
      lastUsedAt: null,
      createdAt: yield* clock.now
    }
    return { key, token }
  })

  const keyViolations = ({ expiresAt }: Pick<KeyRequest, "expiresAt">): StoreEffect<ReadonlyArray<Issue>> =>
    Effect.map(clock.now, (now) =>
      expiresAt !== undefined && expiresAt <= now ? [{ path: "expiresAt", message: "must be in the future" }] : []
    )

  const rotate = Effect.fnUntraced(function* (caller: Caller, old: ApiKey, graceSeconds = defaultGrace) {
    const now = yield* clock.now
    const expired = old.expiresAt !== null && old.expiresAt <= now
    if (isHostKey(old)) return yield* hostsOwn
    if (isGrantKey(old)) return yield* grants
    if (old.status !== "active" || expired) return yield* new Conflict({ state: expired ? "expired" : old.status })
    const { accountId, agentId, familyEndsAt, name, scope } = old
    const next = yield* issue({ accountId, agentId, name, scope, expiresAt: familyEndsAt }, old)
    const rotated = yield* store.rotateKey(old.id, next.key, now + graceSeconds * Time.second, caller.keyId)
    if (!rotated) return yield* new Conflict({ state: "deactivated" })
    return next
  })

  const ownKey = Effect.fn("Identity.key")(function* (caller: Caller, id: KeyId) {
    const owner: AccountId = yield* ownerOf(caller)
    const found = yield* store.findKey(id)
    if (Option.isNone(found) || found.value.accountId !== owner) return yield* new NotFound({ resource: "KEY" })
    return found.value
  })

  return {
    issue,
    keyViolations,
    key: ownKey,
    createKey: Effect.fn("Identity.createKey")(function* (caller: Caller, request: KeyRequest) {
      const accountId = yield* ownerOf(caller)
      if (request.agentId !== undefined) {
        const agent = yield* store.findAgent(request.agentId)
        if (Option.isNone(agent) || agent.value.ownerId !== accountId) return yield* new NotFound({ resource: "AGENT" })
      }
      const issues = yield* keyViolations(request)
      if (issues.length > 0) return yield* new ValidationFailed({ issues })
      const { agentId = null, expiresAt = null, name, scope } = request
      const issued = yield* issue({ accountId, agentId, name, scope, expiresAt })
      yield* store.createKey(issued.key, caller.keyId)
      return issued
    }),
    listKeys: Effect.fn("Identity.listKeys")(function* (caller: Caller, page: PageRequest) {
      return yield* store.listKeys(yield* ownerOf(caller), page)
    }),
    deactivateKey: Effect.fn("Identity.deactivateKey")(function* (caller: Caller, id: KeyId, family = false) {
      const key = yield* ownKey(caller, id)
      const owner = yield* ownerOf(caller)
      if (isHostKey(key)) return yield* hostsOwn
      if (isGrantKey(key)) return yield* grants
      const active = yield* family ? store.deactivateFamily(id, owner) : store.deactivateKey(id, owner)
      if (!active) return yield* new Conflict({ state: "deactivated" })
    }),
    rotateKey: Effect.fn("Identity.rotateKey")(function* (caller: Caller, id: KeyId, graceSeconds?: number) {
      return yield* rotate(caller, yield* ownKey(caller, id), graceSeconds)
    }),
    refreshKey: Effect.fn("Identity.refreshKey")(function* (caller: Caller, graceSeconds?: number) {
      const found = yield* store.findKey(caller.keyId)
      if (Option.isNone(found)) return yield* new NotFound({ resource: "KEY" })
      return yield* rotate(caller, found.value, graceSeconds)
    })
  }
}
