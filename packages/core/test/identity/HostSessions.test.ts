import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Caller } from "../../src/identity/Caller.ts"
import type { HostUser } from "../../src/identity/HostUsers.ts"
import { Identity } from "../../src/identity/Identity.ts"
import { IdentityStore } from "../../src/identity/IdentityStore.ts"
import { signUp, webhookMarket } from "../webhooks/fixtures/webhookMarket.ts"

const alice: HostUser = { id: "alice", name: "Alice" }

const recognise = (user: HostUser) => Effect.flatMap(Identity, (identity) => identity.recognise(user))

const keysOf = (caller: Caller) =>
  Effect.flatMap(Identity, (identity) => identity.listKeys(caller, { page: 1, limit: 10 }))

describe("users of the host as accounts", () => {
  it.effect("a new user gets an account, and the same one on every later request", () =>
    Effect.gen(function* () {
      const identity = yield* Identity
      const callers = yield* Effect.all([recognise(alice), recognise(alice), recognise({ ...alice, name: "Else" })], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(callers.map(({ accountId }) => accountId)).size, 1)
      const [caller] = callers
      assert.deepInclude(caller, { scope: "FULL", agentId: null, seller: false })
      assert.deepInclude(yield* identity.account(caller), { name: "Alice", email: null, seller: false })
      const bob = yield* recognise({ id: "bob", name: "Alice", email: "bob@example.com", seller: true })
      assert.notStrictEqual(bob.accountId, caller.accountId)
      assert.deepInclude(yield* identity.account(bob), { email: "bob@example.com", seller: true })
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("an id of the host never collides with an account, a key or a hash of the market (EMBED-6)", () =>
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const own = yield* signUp
      const key = Option.getOrThrow(yield* store.findKey(own.keyId))
      for (const id of [own.accountId ?? "", own.keyId, key.hash, `host:${key.hash}`]) {
        assert.notStrictEqual((yield* recognise({ id, name: "Mallory" })).accountId, own.accountId)
      }
      const caller = yield* recognise(alice)
      const [session] = (yield* keysOf(caller)).items
      assert.deepInclude(session, { id: caller.keyId, prefix: "host", scope: "FULL" })
      const identity = yield* Identity
      for (const token of [session?.hash ?? "", "alice", "host:alice"]) {
        assert.strictEqual((yield* Effect.flip(identity.authenticate(token)))._tag, "InvalidApiKey")
      }
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a session has the scope and agent that the host sets, and the agent must belong to the user", () =>
    Effect.gen(function* () {
      const identity = yield* Identity
      const caller = yield* recognise(alice)
      assert.deepInclude(yield* recognise({ ...alice, scope: "READ" }), { scope: "READ", accountId: caller.accountId })
      const agent = yield* identity.createAgent(caller, "Shopper")
      assert.deepInclude(yield* recognise({ ...alice, agentId: agent.id }), { agentId: agent.id, scope: "FULL" })
      const others = yield* identity.createAgent(yield* signUp, "Another's")
      for (const agentId of [others.id, "agt_none"]) {
        assert.strictEqual((yield* Effect.flip(recognise({ ...alice, agentId })))._tag, "InvalidApiKey")
      }
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("users cannot end or renew the host's sessions, and changes of the account take effect immediately", () =>
    Effect.gen(function* () {
      const identity = yield* Identity
      const caller = yield* recognise(alice)
      for (const attempt of [
        identity.deactivateKey(caller, caller.keyId),
        identity.rotateKey(caller, caller.keyId, 0),
        identity.refreshKey(caller)
      ]) {
        assert.strictEqual((yield* Effect.flip(Effect.asVoid(attempt)))._tag, "Conflict")
      }
      yield* identity.updateAccount(caller, { seller: true, name: "Alice & Co" })
      assert.deepInclude(yield* recognise(alice), { seller: true, accountName: "Alice & Co" })
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a user without a distinct id is refused, and every violation is reported", () =>
    Effect.gen(function* () {
      const bad = { id: " ", name: "x".repeat(101), email: "a\0b@x.example", seller: "yes", agentId: 7, scope: "ADMIN" }
      const failure = yield* Effect.flip(recognise(bad as unknown as HostUser))
      assert.strictEqual(failure._tag, "ValidationFailed")
      const paths = failure._tag === "ValidationFailed" ? failure.issues.map(({ path }) => path) : []
      assert.deepStrictEqual(paths, ["user.id", "user.name", "user.email", "user.seller", "user.agentId", "user.scope"])
      for (const id of [undefined, null, 7, {}, "", "x".repeat(256), "\ud800"]) {
        const user = { id, name: "Nobody" } as unknown as HostUser
        assert.strictEqual((yield* Effect.flip(recognise(user)))._tag, "ValidationFailed")
      }
    }).pipe(Effect.provide(webhookMarket))
  )

  it.effect("a user's e-mail address must satisfy the rule of accounts, and null counts as absent", () =>
    Effect.gen(function* () {
      const identity = yield* Identity
      for (const email of ["", "ada", "ada@home", "a da@x.example", `${"x".repeat(250)}@x.example`]) {
        assert.strictEqual((yield* Effect.flip(recognise({ ...alice, email })))._tag, "ValidationFailed")
      }
      const nulls = { seller: null, email: null, agentId: null } as unknown as Partial<HostUser>
      assert.deepInclude(yield* recognise({ ...alice, ...nulls }), { seller: false, agentId: null })
      const bob = yield* recognise({ id: "bob", name: "Bob", email: " bob@x.example " })
      assert.strictEqual((yield* identity.account(bob)).email, "bob@x.example")
    }).pipe(Effect.provide(webhookMarket))
  )
})
