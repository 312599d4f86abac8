import { Effect, Option } from "effect"
import type { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Issue } from "../errors/MarketError.ts"
import { InvalidApiKey, ValidationFailed } from "../errors/MarketError.ts"
import type { AgentId, IdGenerator, KeyId } from "../ids/Ids.ts"
import { Text } from "../text/Text.ts"
import { VisibleLine } from "../text/VisibleLine.ts"
import type { Account } from "./Account.ts"
import type { ApiKey, Scope } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import { EmailAddress } from "./Account.ts"
import type { HostUser } from "./HostUsers.ts"
import type { IdentityStore } from "./IdentityStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The hash of a token never has this prefix: it consists of 64 hexadecimal digits. */
const hashPrefix = "host:"

const scopes: ReadonlyArray<Scope> = ["READ", "BUYER", "SELLER", "FULL"]

/** Whether a key represents the sessions of a host's user. It has no token, and only the host can end it. */
export const isHostKey = ({ hash }: ApiKey): boolean => hash.startsWith(hashPrefix)

const isText = (value: unknown, max: number): boolean =>
  typeof value === "string" && value.trim() !== "" && Text.codePoints(value) <= max && Text.isClean(value)

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const nameIssues = (name: string): ReadonlyArray<Issue> => {
  const message = isText(name, 100) ? VisibleLine.violation(name.trim()) : "must be a text of 1 to 100 characters"
  return message === undefined ? [] : [{ path: "user.name", message }]
}

/** Adapters may be plain JavaScript, so every value is checked: a missing id must not become one that all users share. */
const issuesOf = ({ agentId, email, id, name, scope, seller }: HostUser): ReadonlyArray<Issue> => [
  ...(isText(id, 255) ? [] : [{ path: "user.id", message: "must be a text of 1 to 255 characters" }]),
  ...nameIssues(name),
  ...(isAbsent(email) || (isText(email, EmailAddress.maxLength) && EmailAddress.is(email.trim()))
    ? []
    : [{ path: "user.email", message: EmailAddress.rule }]),
  ...(isAbsent(seller) || typeof seller === "boolean"
    ? []
    : [{ path: "user.seller", message: "must be true or false" }]),
  ...(isAbsent(agentId) || typeof agentId === "string"
    ? []
    : [{ path: "user.agentId", message: "must be the id of one of the user's agents" }]),
  ...(scope === undefined || scopes.includes(scope)
    ? []
    : [{ path: "user.scope", message: `must be one of ${scopes.join(", ")}` }])
]

interface Parts {
  readonly store: IdentityStore["Service"]
  readonly clock: MarketClock["Service"]
  readonly ids: IdGenerator
  readonly hash: (secret: string) => Effect.Effect<string>
  readonly callers: (hash: string) => StoreEffect<Option.Option<Caller>>
  readonly used: (key: KeyId, at: Timestamp) => void
}

const invalid = new InvalidApiKey({ reason: "invalid" })

/**
 * Maps the host's users to callers (EMBED-6). Each user has one account, found by a key without a token whose hash is derived from the user's
 * id. Rate limits, statistics and caches therefore treat these callers like any other, and two processes that see a user for the first time
 * create one account.
 */
export const makeRecognise = ({ callers, clock, hash, ids, store, used }: Parts) => {
  const open = Effect.fnUntraced(function* (user: HostUser, keyHash: string) {
    const createdAt = yield* clock.now
    const account: Account = {
      id: yield* ids.make("account"),
      name: user.name.trim(),
      email: user.email?.trim() ?? null,
      seller: user.seller === true,
      tier: "free",
      hourlyLimit: null,
      quotas: {},
      operator: false,
      createdAt,
      frozen: null
    }
    const keyId = yield* ids.make("key")
    const key: ApiKey = {
      id: keyId,
      accountId: account.id,
      agentId: null,
      name: "Sessions with the host",
      scope: "FULL",
      prefix: "host",
      hash: keyHash,
      status: "active",
      expiresAt: null,
      rotatedFrom: null,
      familyId: keyId,
      familyEndsAt: null,
      lastUsedAt: null,
      createdAt
    }
    yield* store.createAccountOnce(account, key)
    return yield* callers(keyHash)
  })

  return Effect.fn("Identity.recognise")(function* (user: HostUser) {
    const issues = issuesOf(user)
    if (issues.length > 0) return yield* new ValidationFailed({ issues })
    const keyHash = hashPrefix + (yield* hash(user.id))
    const known = yield* callers(keyHash)
    const found = Option.isSome(known) ? known : yield* open(user, keyHash)
    if (Option.isNone(found)) return yield* invalid
    const caller = found.value
    used(caller.keyId, yield* clock.now)
    const { scope = "FULL" } = user
    const agentId = (user.agentId ?? null) as AgentId | null
    if (agentId === null) return { ...caller, scope, isHostUser: true as const }
    const agent = yield* store.findAgent(agentId)
    if (Option.isNone(agent) || agent.value.ownerId !== caller.accountId || agent.value.retiredAt !== null) {
      return yield* invalid
    }
    return { ...caller, agentId, agentFrozen: agent.value.frozen, scope }
  })
}
