import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AgentNotClaimed } from "../errors/MarketError.ts"
import { Forbidden, InvalidApiKey, NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { Identity } from "../identity/Identity.ts"
import { makeRevocableCache } from "../identity/RevocableCache.ts"
import { makeUses } from "../identity/Uses.ts"
import type { AccountId, KeyId, SessionId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Session, SessionMethod } from "./Session.ts"
import { endOf, linkLifetime, longestSession } from "./Session.ts"
import { LinkSecret, SessionSecret } from "./SessionSecret.ts"
import type { SignedIn, SignInAttempts } from "./SessionStore.ts"
import { SessionStore } from "./SessionStore.ts"

/** A new session with its secret, which only the cookie contains. */
export interface StartedSession {
  readonly signedIn: SignedIn
  readonly secret: string
}

/** The maximum number of failed attempts to sign in from one client address in a minute (SESSION-18). */
export const signInLimit = 10
const signInWindow = Time.minute

const invalid = new InvalidApiKey({ reason: "invalid" })

const noSession = new NotFound({ resource: "SESSION" })

/** Fails unless the key may start a session: only an owner's FULL key may (SESSION-1). */
const mayStart = (caller: Caller): Effect.Effect<AccountId, AgentNotClaimed | Forbidden> => {
  if (caller.agentId !== null) return Effect.fail(new Forbidden({ required: ["owner"] }))
  return caller.scope === "FULL" ? ownerOf(caller) : Effect.fail(new Forbidden({ required: ["FULL"] }))
}

/** The caller that a session is, as the account's FULL key (SESSION-3, SESSION-20); null for the session of the operator's token. */
export const callerOf = ({ account, hasPasskey, session }: SignedIn): Caller | null =>
  account === null
    ? null
    : {
        keyId: session.id as string as KeyId,
        scope: "FULL",
        agentId: null,
        accountId: account.id,
        accountName: account.name,
        seller: account.seller,
        tier: account.tier,
        hourlyLimit: account.hourlyLimit,
        expiresAt: session.expiresAt,
        frozen: account.frozen,
        agentFrozen: null,
        session: { id: session.id, elevatedUntil: session.elevatedUntil, hasPasskey }
      }

/** Whether the session may do what the operator's token does (SESSION-15, SESSION-16). A frozen account may not. */
export const actsAsOperator = ({ account }: SignedIn): boolean =>
  account === null || (account.operator && account.frozen === null)

/** The sessions of people in a browser, and links that start them (SESSION-1, SESSION-6, SESSION-9, SESSION-10). */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** The session with this secret. Fails if the secret is malformed or unknown, or the session has ended. */
    readonly authenticate: (secret: string) => StoreEffect<SignedIn, InvalidApiKey>
    readonly startWithKey: (
      apiKey: string,
      userAgent: string | null
    ) => StoreEffect<StartedSession, AgentNotClaimed | Forbidden | InvalidApiKey>
    /** `secret` is the one in the link's fragment. */
    readonly startWithLink: (secret: string, userAgent: string | null) => StoreEffect<StartedSession, InvalidApiKey>
    /** `create` stores the session if a passkey allows it, in one transaction with the use of the passkey. */
    readonly startWithPasskey: <E>(
      userAgent: string | null,
      create: (session: Omit<Session, "accountId" | "keyId">) => StoreEffect<void, E>
    ) => StoreEffect<StartedSession, E | InvalidApiKey>
    /** The caller has proved to have the operator's token; `tokenHash` identifies that token. */
    readonly startAsOperator: (
      tokenHash: string,
      userAgent: string | null
    ) => StoreEffect<StartedSession, InvalidApiKey>
    /** A link that starts one session of the caller's account within two minutes. */
    readonly makeLink: (
      caller: Caller
    ) => StoreEffect<{ readonly secret: string; readonly expiresAt: Timestamp }, AgentNotClaimed | InvalidApiKey>
    /** The active sessions of the account, or of the operator's token (null), newest first. */
    readonly list: (owner: AccountId | null, page: PageRequest) => StoreEffect<Page<Session>>
    /** Takes effect immediately on every process. */
    readonly end: (owner: AccountId | null, id: SessionId) => StoreEffect<void, NotFound>
    /** Counts an attempt to sign in from a client address before it is made. `settled` removes a successful one from the count. */
    readonly countAttempt: (address: string) => StoreEffect<SignInAttempts & { readonly settled: StoreEffect<void> }>
  }
>()("@agent-marketplace/core/sessions/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* SessionStore
      const identity = yield* Identity
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))
      const uses = yield* makeUses(store.touch)
      const cache = yield* makeRevocableCache<SignedIn>({
        capacity: 25_000,
        find: store.find,
        changes: store.changes,
        live: store.live,
        idsOf: ({ session }) => [session.id, session.accountId, session.keyId]
      })

      /** The parts of a session that do not depend on its owner, and its secret. */
      const draft = Effect.fnUntraced(function* (method: SessionMethod, userAgent: string | null) {
        const secret = SessionSecret.make(yield* ids.bytes(SessionSecret.bytes))
        const now = yield* clock.now
        const session = {
          id: yield* ids.make("session"),
          hash: yield* hash(secret),
          method,
          tokenHash: null,
          userAgent,
          elevatedUntil: null,
          createdAt: now,
          lastUsedAt: now,
          expiresAt: now + longestSession
        }
        return { secret, session }
      })

      /** Reads the new session back, with its account. */
      const started = Effect.fnUntraced(function* (secret: string, sessionHash: string) {
        const found = yield* cache.reload(sessionHash)
        if (Option.isNone(found)) return yield* invalid
        return { secret, signedIn: found.value }
      })

      return {
        authenticate: Effect.fnUntraced(function* (secret) {
          if (!SessionSecret.isWellFormed(secret)) return yield* invalid
          const sessionHash = yield* hash(secret)
          const now = yield* clock.now
          const cached = yield* cache.find(sessionHash)
          // Read before the reload, which finds the uses that are missing here.
          const unstored = Option.match(cached, {
            onNone: () => 0,
            onSome: ({ session }) => uses.unstored(session.id) ?? 0
          })
          const isActive = ({ session }: SignedIn): boolean =>
            endOf({ ...session, lastUsedAt: Math.max(session.lastUsedAt, unstored) }) > now
          // Another process may have stored a later use.
          const found = Option.exists(cached, (each) => !isActive(each)) ? yield* cache.reload(sessionHash) : cached
          if (Option.isNone(found) || !isActive(found.value)) return yield* invalid
          const { session } = found.value
          uses.record(session.id, now)
          return { ...found.value, session: { ...session, lastUsedAt: now } }
        }),
        startWithKey: Effect.fn("Sessions.startWithKey")(function* (apiKey, userAgent) {
          const caller = yield* identity.authenticate(apiKey)
          const accountId = yield* mayStart(caller)
          const { secret, session } = yield* draft("key", userAgent)
          yield* store.create({ ...session, accountId, keyId: caller.keyId })
          return yield* started(secret, session.hash)
        }),
        startWithLink: Effect.fn("Sessions.startWithLink")(function* (linkSecret, userAgent) {
          if (!LinkSecret.isWellFormed(linkSecret)) return yield* invalid
          const { secret, session } = yield* draft("link", userAgent)
          const spent = yield* store.spendLink(yield* hash(linkSecret), session)
          if (Option.isNone(spent)) return yield* invalid
          return yield* started(secret, session.hash)
        }),
        startWithPasskey: Effect.fnUntraced(function* (userAgent, create) {
          const { secret, session } = yield* draft("passkey", userAgent)
          yield* create(session)
          return yield* started(secret, session.hash)
        }),
        startAsOperator: Effect.fn("Sessions.startAsOperator")(function* (tokenHash, userAgent) {
          const { secret, session } = yield* draft("admin_token", userAgent)
          yield* store.create({ ...session, tokenHash, accountId: null, keyId: null })
          return yield* started(secret, session.hash)
        }),
        makeLink: Effect.fn("Sessions.makeLink")(function* (caller) {
          const accountId = yield* ownerOf(caller)
          const secret = LinkSecret.make(yield* ids.bytes(LinkSecret.bytes))
          const expiresAt = (yield* clock.now) + linkLifetime
          yield* store.createLink({ hash: yield* hash(secret), accountId, madeBy: caller.keyId, expiresAt })
          return { secret, expiresAt }
        }),
        list: Effect.fn("Sessions.list")(function* (owner, page) {
          return yield* store.list(owner, yield* clock.now, page)
        }),
        end: Effect.fn("Sessions.end")(function* (owner, id) {
          if (!(yield* store.end(id, owner))) return yield* noSession
        }),
        countAttempt: Effect.fn("Sessions.countAttempt")(function* (address) {
          const subject = yield* hash(`address:${address}`)
          const attempts = yield* store.countAttempt(subject, yield* clock.now, signInLimit, signInWindow)
          return { ...attempts, settled: store.forgetAttempt(subject, attempts.resetAt) }
        })
      }
    })
  )
}
