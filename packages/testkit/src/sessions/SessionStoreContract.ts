import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Session } from "@agent-marketplace/core/sessions/Session"
import { idleTime, linkLifetime, longestSession } from "@agent-marketplace/core/sessions/Session"
import { SessionStore } from "@agent-marketplace/core/sessions/SessionStore"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Stream } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { apiKey } from "../fixtures/apiKey.ts"
import { eventually } from "../fixtures/eventually.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const page = { page: 1, limit: 10 }

const draft = Effect.fnUntraced(function* () {
  const { now } = yield* MarketClock
  const at = yield* now
  return {
    id: freshId("ses"),
    hash: `${freshText()}${freshText()}`,
    method: "key",
    tokenHash: null,
    userAgent: "A browser",
    elevatedUntil: null,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: at + longestSession
  } as const satisfies Omit<Session, "accountId" | "keyId">
})

/** An account, an active key of it, and a session that the key started. */
const signedIn = Effect.gen(function* () {
  const account = yield* openAccount()
  const key = yield* apiKey({ accountId: account.id })
  yield* (yield* IdentityStore).createKey(key, null)
  const session: Session = { ...(yield* draft()), accountId: account.id, keyId: key.id }
  yield* (yield* SessionStore).create(session)
  return { account, key, session }
})

const linkBy = Effect.fnUntraced(function* (madeBy: KeyId, accountId: AccountId) {
  const { now } = yield* MarketClock
  const link = {
    hash: `${freshText()}${freshText()}`,
    accountId,
    madeBy,
    expiresAt: (yield* now) + linkLifetime
  }
  yield* (yield* SessionStore).createLink(link)
  return link
})

const isGone = ({ hash }: Session) =>
  Effect.map(
    Effect.flatMap(SessionStore, ({ find }) => find(hash)),
    Option.isNone
  )

const ofSession = ({ id }: Session): KeyId => id as string as KeyId

/** The contract of `SessionStore`. */
export const sessionStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SessionStore`, stores, (it) => {
    it.effect(
      "finds a session with its account, lists the active ones, and ends one for its owner only (SESSION-9, SESSION-10)",
      () =>
        Effect.gen(function* () {
          const store = yield* SessionStore
          const { account, session } = yield* signedIn
          const other = yield* signedIn
          assert.deepStrictEqual(yield* store.find(session.hash), Option.some({ session, account, hasPasskey: false }))
          assert.deepStrictEqual(yield* store.find("unknown"), Option.none())
          const listed = { items: [session], total: 1 }
          assert.deepStrictEqual(yield* store.list(account.id, session.createdAt, page), listed)
          assert.deepStrictEqual(yield* store.list(account.id, session.createdAt + idleTime - 1, page), listed)
          assert.lengthOf((yield* store.list(account.id, session.createdAt + idleTime, page)).items, 0)
          assert.isFalse(yield* store.end(session.id, other.account.id))
          assert.isFalse(yield* store.end(session.id, null))
          assert.isTrue(yield* store.end(session.id, account.id))
          assert.isFalse(yield* store.end(session.id, account.id))
          assert.isTrue(yield* isGone(session))
        })
    )

    it.effect("sessions of the operator's token belong to no account (SESSION-15)", () =>
      Effect.gen(function* () {
        const store = yield* SessionStore
        const session: Session = {
          ...(yield* draft()),
          method: "admin_token",
          tokenHash: "t",
          accountId: null,
          keyId: null
        }
        yield* store.create(session)
        assert.deepStrictEqual(
          yield* store.find(session.hash),
          Option.some({ session, account: null, hasPasskey: false })
        )
        const { items } = yield* store.list(null, session.createdAt, page)
        assert.include(
          items.map(({ id }) => id),
          session.id
        )
        assert.isTrue(yield* store.end(session.id, null))
      })
    )

    it.effect("a session ends with the key that started it, and expires no later (SESSION-12)", () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const store = yield* SessionStore
        const { account, key, session } = yield* signedIn
        const graceEnds = session.createdAt + Timestamp.minute
        const next = yield* apiKey({ accountId: account.id, rotatedFrom: key.id, familyId: key.familyId })
        yield* identity.rotateKey(key.id, next, graceEnds, null)
        const found = yield* store.find(session.hash)
        assert.strictEqual(Option.getOrThrow(found).session.expiresAt, graceEnds)
        assert.lengthOf((yield* store.list(account.id, graceEnds, page)).items, 0)
        yield* identity.deactivateKey(key.id, account.id)
        assert.isTrue(yield* isGone(session))
        assert.lengthOf((yield* store.list(account.id, session.createdAt, page)).items, 0)
        assert.strictEqual(
          (yield* Effect.flip(store.create({ ...session, id: freshId("ses"), hash: freshText() })))._tag,
          "InvalidApiKey"
        )
      })
    )

    it.effect("the requests of a session are refused once it has ended (SESSION-13)", () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const store = yield* SessionStore
        const { account, session } = yield* signedIn
        const by = ofSession(session)
        yield* identity.createKey(yield* apiKey({ accountId: account.id }), by)
        yield* store.end(session.id, account.id)
        const late = identity.createKey(yield* apiKey({ accountId: account.id }), by)
        assert.strictEqual((yield* Effect.flip(late))._tag, "InvalidApiKey")
        assert.strictEqual((yield* Effect.flip(linkBy(by, account.id)))._tag, "InvalidApiKey")
      })
    )

    it.effect("a recovery and an erasure end all sessions and links of the account (SESSION-13)", () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const store = yield* SessionStore
        const { now } = yield* MarketClock
        const other = yield* signedIn
        for (const kind of ["recover", "erase"] as const) {
          const { account, key, session } = yield* signedIn
          const passkey: Session = { ...(yield* draft()), method: "passkey", accountId: account.id, keyId: null }
          yield* store.create(passkey)
          const link = yield* linkBy(ofSession(passkey), account.id)
          if (kind === "erase") yield* identity.eraseAccount(account.id, yield* now, key.id)
          else
            yield* identity.recover(
              { ...(yield* apiKey()), accountId: account.id },
              actionDraft("account.recover", account.id)
            )
          assert.isTrue(yield* isGone(session), kind)
          assert.isTrue(yield* isGone(passkey), kind)
          assert.deepStrictEqual(yield* store.spendLink(link.hash, yield* draft()), Option.none(), kind)
        }
        assert.isFalse(yield* isGone(other.session))
      })
    )

    it.effect("a link starts one session of its account, even if many requests use it concurrently (SESSION-7)", () =>
      Effect.gen(function* () {
        const store = yield* SessionStore
        const { account, key } = yield* signedIn
        const link = yield* linkBy(key.id, account.id)
        const spent = yield* Effect.all(
          yield* Effect.forEach(Array.from({ length: 8 }), () =>
            Effect.map(draft(), (each) => store.spendLink(link.hash, each))
          ),
          { concurrency: "unbounded" }
        )
        const started = spent.filter(Option.isSome).map(({ value }) => value)
        assert.lengthOf(started, 1)
        for (const session of started) {
          assert.deepInclude(session, { accountId: account.id, keyId: key.id })
          assert.isFalse(yield* isGone(session))
        }
      })
    )

    it.effect("a link works for two minutes, and not after its creator has ended (SESSION-6, SESSION-12)", () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const store = yield* SessionStore
        const { account, key, session } = yield* signedIn
        const late = yield* linkBy(key.id, account.id)
        const then = { ...(yield* draft()), createdAt: late.expiresAt }
        assert.deepStrictEqual(yield* store.spendLink(late.hash, then), Option.none())
        assert.deepStrictEqual(yield* store.spendLink(late.hash, yield* draft()), Option.none(), "it is spent")
        const bySession = yield* linkBy(ofSession(session), account.id)
        const started = Option.getOrThrow(yield* store.spendLink(bySession.hash, yield* draft()))
        assert.strictEqual(started.keyId, key.id, "it ends with the key of the session that created the link")
        const orphan = yield* linkBy(key.id, account.id)
        yield* identity.deactivateKey(key.id, account.id)
        assert.deepStrictEqual(yield* store.spendLink(orphan.hash, yield* draft()), Option.none())
        assert.isTrue(yield* isGone(started))
      })
    )

    it.effect("remembers the latest use, never an earlier one (SESSION-8)", () =>
      Effect.gen(function* () {
        const store = yield* SessionStore
        const { session } = yield* signedIn
        const later = session.lastUsedAt + 5000
        yield* store.touch([])
        yield* store.touch([
          [session.id, later],
          [freshId("ses"), later]
        ])
        yield* store.touch([[session.id, later - 1000]])
        assert.strictEqual(Option.getOrThrow(yield* store.find(session.hash)).session.lastUsedAt, later)
      })
    )

    it.effect("counts attempts exactly, also concurrent ones, and takes back those that succeed (SESSION-18)", () =>
      Effect.gen(function* () {
        const { countAttempt, forgetAttempt } = yield* SessionStore
        const now = yield* (yield* MarketClock).now
        const [address, other] = [freshText(), freshText()]
        const attempt = countAttempt(address, now, 10, Timestamp.minute)
        const made = yield* Effect.all(
          Array.from({ length: 25 }, () => attempt),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          made.filter(({ admitted }) => admitted),
          10
        )
        for (const { resetAt } of made) assert.strictEqual(resetAt, now + Timestamp.minute)
        assert.isTrue((yield* countAttempt(other, now, 10, Timestamp.minute)).admitted)
        yield* forgetAttempt(address, now)
        assert.isFalse((yield* attempt).admitted, "it belongs to another window")
        yield* forgetAttempt(address, now + Timestamp.minute)
        assert.isTrue((yield* attempt).admitted)
        assert.isFalse((yield* attempt).admitted)
        const next = yield* countAttempt(address, now + Timestamp.minute, 10, Timestamp.minute)
        assert.deepStrictEqual(next, { admitted: true, resetAt: now + 2 * Timestamp.minute })
      })
    )

    it.effect("announces the end of sessions before the call returns (SESSION-11)", () =>
      Effect.gen(function* () {
        const store = yield* SessionStore
        const announced: Array<string> = []
        yield* Effect.forkScoped(
          Stream.runForEach(store.changes, (id) => Effect.sync(() => void announced.push(id))),
          { startImmediately: true }
        )
        const { account, session } = yield* signedIn
        yield* store.end(session.id, account.id)
        yield* eventually(
          "the end is announced",
          Effect.sync(() => announced.includes(session.id))
        )
      }).pipe(Effect.scoped)
    )
  })
