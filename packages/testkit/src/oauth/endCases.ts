import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Option, Stream } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { callerWith, grantWithTokens, now, oauthClient } from "./oauthFixtures.ts"

const firstPage = { page: 1, limit: 10 }

const actionOn = (subject: string) =>
  Effect.map(now, (at) => ({
    id: freshId("act"),
    at,
    actor: "grace",
    action: "test.act",
    subject,
    reason: "a test",
    requestId: "request-1"
  }))

export const endCases = (it: StoreIt): void => {
  it.effect("the end of a grant retires its agent and is announced before it returns; only its owner can end it", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const identity = yield* IdentityStore
      const { access, account, draft } = yield* grantWithTokens()
      const stranger = yield* grantWithTokens()
      const { agentId, id } = draft.grant
      const announced = yield* Effect.forkChild(
        Stream.runHead(Stream.filter(identity.changes, (each) => each === agentId || each === "*")),
        { startImmediately: true }
      )
      const at = yield* now
      assert.isTrue(Option.isNone(yield* store.endGrant(id, stranger.account.id, at)))
      assert.deepStrictEqual(Option.getOrUndefined(yield* store.endGrant(id, account.id, at)), draft.grant)
      assert.isTrue(Option.isNone(yield* store.endGrant(id, account.id, at)))
      assert.isTrue(Option.isSome(yield* Fiber.join(announced)))
      assert.isUndefined(yield* callerWith(access))
      assert.isDefined(yield* callerWith(stranger.access))
      assert.strictEqual(Option.getOrThrow(yield* identity.findAgent(agentId)).retiredAt, at)
      assert.strictEqual((yield* store.listGrants(account.id, firstPage)).total, 0)
    })
  )

  it.effect("retiring the agent ends the grant; freezing it shows in the caller", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const identity = yield* IdentityStore
      const { access, account, draft } = yield* grantWithTokens()
      const at = yield* now
      yield* identity.setFrozen(draft.agent.id, { since: at, reason: "a test" })
      assert.deepStrictEqual((yield* callerWith(access))?.agentFrozen, { since: at, reason: "a test" })
      yield* identity.retireAgent(draft.agent.id, account.id, at)
      assert.isUndefined(yield* callerWith(access))
      assert.strictEqual((yield* store.listGrants(account.id, firstPage)).total, 0)
    })
  )

  it.effect("the recovery and the erasure of an account end its grants and delete its clients", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const identity = yield* IdentityStore
      const recovered = yield* grantWithTokens()
      const erased = yield* grantWithTokens()
      const clients = yield* Effect.forEach([recovered, erased], ({ account }) =>
        Effect.tap(
          oauthClient({ ownerId: account.id, authMethod: "client_secret_basic", secretHash: freshText() }),
          (client) => store.createClient(client, null, 10)
        )
      )
      const { id } = recovered.account
      const key = { ...(yield* apiKey({ accountId: id })), accountId: id }
      assert.isTrue(yield* identity.recover(key, yield* actionOn(id)))
      assert.isTrue(yield* identity.eraseAccount(erased.account.id, yield* now, null))
      for (const { access, account } of [recovered, erased]) {
        assert.isUndefined(yield* callerWith(access))
        assert.strictEqual((yield* store.listGrants(account.id, firstPage)).total, 0)
      }
      for (const client of clients) assert.isTrue(Option.isNone(yield* store.findClient(client.id)))
    })
  )

  it.effect("a grant's key counts against no quota of keys", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      const { account } = yield* grantWithTokens()
      yield* identity.updateAccount(account.id, { quotas: { keys: 2 } })
      yield* identity.createKey(yield* apiKey({ accountId: account.id }), null)
      const refused = yield* Effect.flip(identity.createKey(yield* apiKey({ accountId: account.id }), null))
      assert.strictEqual(refused._tag, "QuotaExceeded")
    })
  )
}
