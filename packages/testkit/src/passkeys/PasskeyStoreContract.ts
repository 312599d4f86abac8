import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Passkey } from "@agent-marketplace/core/passkeys/Passkey"
import { PasskeyStore } from "@agent-marketplace/core/passkeys/PasskeyStore"
import { longestSession } from "@agent-marketplace/core/sessions/Session"
import { SessionStore } from "@agent-marketplace/core/sessions/SessionStore"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { apiKey } from "../fixtures/apiKey.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const page = { page: 1, limit: 100 }

const times = <A>(n: number, make: () => A): ReadonlyArray<A> => Array.from({ length: n }, make)

const sessionFor = Effect.fnUntraced(function* (accountId: AccountId) {
  const at = yield* (yield* MarketClock).now
  return {
    id: freshId("ses"),
    hash: `${freshText()}${freshText()}`,
    accountId,
    keyId: null,
    method: "passkey",
    tokenHash: null,
    userAgent: null,
    elevatedUntil: null,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: at + longestSession
  } as const
})

const passkeyFor = (accountId: AccountId, createdAt: Timestamp): Passkey => ({
  id: freshId("psk"),
  accountId,
  name: "My laptop",
  credentialId: freshText(),
  publicKey: "a-key",
  counter: 3,
  transports: ["internal", "hybrid"],
  backedUp: false,
  createdAt,
  lastUsedAt: null
})

/** An account with a session and a passkey. */
const holder = Effect.gen(function* () {
  const account = yield* openAccount()
  const session = yield* sessionFor(account.id)
  yield* (yield* SessionStore).create(session)
  const by = session.id as string as KeyId
  const passkey = passkeyFor(account.id, session.createdAt)
  yield* (yield* PasskeyStore).add(passkey, by, 20)
  const use = { credentialId: passkey.credentialId, backedUp: true, at: session.createdAt + 1000 }
  return { account, session, by, passkey, use }
})

/** The contract of `PasskeyStore`. */
export const passkeyStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: PasskeyStore`, stores, (it) => {
    it.effect("a challenge is taken once, before it expires (PASSKEY-5)", () =>
      Effect.gen(function* () {
        const { addChallenge, takeChallenge } = yield* PasskeyStore
        const now = yield* (yield* MarketClock).now
        const challenge = {
          challenge: freshText(),
          purpose: "step_up",
          sessionId: freshId("ses"),
          expiresAt: now + 1000
        } as const
        yield* addChallenge(challenge)
        const taken = yield* Effect.all(
          times(8, () => takeChallenge(challenge.challenge, now)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          taken.filter(Option.isSome).map(({ value }) => value),
          [challenge]
        )
        const late = { ...challenge, challenge: freshText(), sessionId: null, purpose: "sign_in" } as const
        yield* addChallenge(late)
        assert.deepStrictEqual(yield* takeChallenge(late.challenge, late.expiresAt), Option.none())
        assert.deepStrictEqual(yield* takeChallenge("unknown", now), Option.none())
      })
    )

    it.effect(
      "stores the passkeys of an account, whose sessions then report that it has one (PASSKEY-1, PASSKEY-2)",
      () =>
        Effect.gen(function* () {
          const store = yield* PasskeyStore
          const { find } = yield* SessionStore
          const { account, by, passkey, session } = yield* holder
          const other = yield* openAccount()
          const knows = Effect.map(find(session.hash), (found) => Option.getOrThrow(found).hasPasskey)
          assert.deepStrictEqual(yield* store.find(passkey.credentialId), Option.some(passkey))
          assert.deepStrictEqual(yield* store.list(account.id, page), { items: [passkey], total: 1 })
          assert.isTrue(yield* knows)
          assert.deepStrictEqual(yield* store.rename(passkey.id, other.id, "Mine"), Option.none())
          const renamed = { ...passkey, name: "Old laptop" }
          assert.deepStrictEqual(yield* store.rename(passkey.id, account.id, renamed.name), Option.some(renamed))
          const again = { ...passkeyFor(account.id, session.createdAt), credentialId: passkey.credentialId }
          assert.deepInclude(yield* Effect.flip(store.add(again, by, 20)), { _tag: "Conflict", state: "registered" })
          assert.isFalse(yield* store.remove(passkey.id, other.id))
          assert.isTrue(yield* store.remove(passkey.id, account.id))
          assert.isFalse(yield* store.remove(passkey.id, account.id))
          assert.isFalse(yield* knows)
        })
    )

    it.effect("concurrent registrations never exceed the limit, and an ended session registers none (PASSKEY-2)", () =>
      Effect.gen(function* () {
        const store = yield* PasskeyStore
        const { account, by, session } = yield* holder
        const added = yield* Effect.all(
          times(12, () => Effect.exit(store.add(passkeyFor(account.id, session.createdAt), by, 5))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          added.filter(({ _tag }) => _tag === "Success"),
          4
        )
        const more = store.add(passkeyFor(account.id, session.createdAt), by, 5)
        assert.deepInclude(yield* Effect.flip(more), { _tag: "Conflict", state: "too_many_passkeys", limit: 5 })
        yield* (yield* SessionStore).end(session.id, account.id)
        const late = store.add(passkeyFor(account.id, session.createdAt), by, 20)
        assert.strictEqual((yield* Effect.flip(late))._tag, "InvalidApiKey")
      })
    )

    it.effect(
      "starts a session if the counter is newer; one of several concurrent uses with one counter does (PASSKEY-3, PASSKEY-7)",
      () =>
        Effect.gen(function* () {
          const store = yield* PasskeyStore
          const { account, passkey, use } = yield* holder
          const attempts = yield* Effect.forEach(
            times(6, () => 0),
            () => sessionFor(account.id)
          )
          const started = yield* Effect.forEach(attempts, (session) => store.signIn({ ...use, counter: 4 }, session), {
            concurrency: "unbounded"
          })
          assert.lengthOf(
            started.filter((yes) => yes),
            1
          )
          for (const counter of [4, 3, 0]) {
            assert.isFalse(yield* store.signIn({ ...use, counter }, yield* sessionFor(account.id)))
          }
          const used = { ...passkey, counter: 4, backedUp: true, lastUsedAt: use.at }
          assert.deepStrictEqual(yield* store.find(passkey.credentialId), Option.some(used))
          const other = yield* openAccount()
          assert.isFalse(yield* store.signIn({ ...use, counter: 9 }, yield* sessionFor(other.id)))
          assert.isFalse(
            yield* store.signIn({ ...use, credentialId: "unknown", counter: 9 }, yield* sessionFor(account.id))
          )
          // An authenticator that does not count reports 0 for ever.
          const plain = { ...passkeyFor(account.id, use.at), counter: 0 }
          const { id } = yield* holder.pipe(Effect.map(({ session }) => session))
          yield* store.add(plain, id as string as KeyId, 20)
          for (const _ of times(2, () => 0)) {
            const zero = { ...use, credentialId: plain.credentialId, counter: 0 }
            assert.isTrue(yield* store.signIn(zero, yield* sessionFor(account.id)))
          }
        })
    )

    it.effect("elevates a session of its account, if both are still there (PASSKEY-4)", () =>
      Effect.gen(function* () {
        const store = yield* PasskeyStore
        const sessions = yield* SessionStore
        const { account, session, use } = yield* holder
        const other = yield* holder
        const until = use.at + 5 * Timestamp.minute
        const elevated = Effect.map(
          sessions.find(session.hash),
          (found) => Option.getOrThrow(found).session.elevatedUntil
        )
        assert.isFalse(yield* store.stepUp({ ...other.use, counter: 4 }, session.id, until))
        assert.isFalse(yield* store.stepUp({ ...use, counter: 3 }, session.id, until))
        assert.isNull(yield* elevated)
        assert.isTrue(yield* store.stepUp({ ...use, counter: 4 }, session.id, until))
        assert.strictEqual(yield* elevated, until)
        yield* sessions.end(session.id, account.id)
        assert.isFalse(yield* store.stepUp({ ...use, counter: 5 }, session.id, until))
      })
    )

    it.effect("a recovery and an erasure delete passkeys, which then start nothing (PASSKEY-9)", () =>
      Effect.gen(function* () {
        const store = yield* PasskeyStore
        const identity = yield* IdentityStore
        const { now } = yield* MarketClock
        for (const kind of ["recover", "erase"] as const) {
          const { account, passkey, use } = yield* holder
          if (kind === "erase") yield* identity.eraseAccount(account.id, yield* now, null)
          else {
            const key = { ...(yield* apiKey()), accountId: account.id }
            yield* identity.recover(key, actionDraft("account.recover", account.id))
          }
          assert.deepStrictEqual(yield* store.find(passkey.credentialId), Option.none(), kind)
          assert.isFalse(yield* store.signIn({ ...use, counter: 4 }, yield* sessionFor(account.id)), kind)
        }
      })
    )
  })
