import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { callerWith, grantDraft, now, oauthClient, oauthToken, storedRequest } from "./oauthFixtures.ts"

export const clientCases = (it: StoreIt): void => {
  it.effect("stores a client as it was registered, and lists those of one owner, newest first", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const owner = yield* openAccount()
      const other = yield* openAccount()
      const first = yield* oauthClient({
        ownerId: owner.id,
        authMethod: "client_secret_basic",
        secretHash: freshText(),
        redirectUris: ["http://127.0.0.1/callback", "com.example.app:/callback"],
        grantTypes: ["client_credentials"],
        scopes: ["read", "buy", "sell"]
      })
      const second = yield* oauthClient({ ownerId: owner.id, createdAt: first.createdAt + 1 })
      yield* store.createClient(first, null, 10)
      yield* store.createClient(second, null, 10)
      yield* store.createClient(yield* oauthClient({ ownerId: other.id }), null, 10)
      assert.deepStrictEqual(Option.getOrUndefined(yield* store.findClient(first.id)), first)
      const { items, total } = yield* store.listClients(owner.id, { page: 1, limit: 1 })
      assert.deepStrictEqual([items, total], [[second], 2])
      assert.isTrue(Option.isNone(yield* store.findClient("unknown")))
    })
  )

  it.effect("an owner has at most so many clients, also if they are registered at the same time", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const owner = yield* openAccount()
      const clients = yield* Effect.all(Array.from({ length: 6 }, () => oauthClient({ ownerId: owner.id })))
      const created = yield* Effect.forEach(clients, (client) => Effect.result(store.createClient(client, null, 3)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(created.filter(({ _tag }) => _tag === "Success").length, 3)
      assert.strictEqual((yield* store.listClients(owner.id, { page: 1, limit: 10 })).total, 3)
    })
  )

  it.effect("the deletion of a client ends its grants, of every account, and nobody else can delete it", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const owner = yield* openAccount()
      const client = yield* oauthClient({ ownerId: owner.id })
      yield* store.createClient(client, null, 10)
      const users = yield* Effect.all([openAccount(), openAccount()])
      const tokens = yield* Effect.forEach(users, (user) =>
        Effect.gen(function* () {
          const request = yield* storedRequest({ clientId: client.id })
          const draft = yield* grantDraft(user.id, client.id)
          const code = { hash: freshText(), expiresAt: request.expiresAt }
          yield* store.decide(request.id, { _tag: "Approved", draft, code }, null, yield* now)
          const token = yield* oauthToken(draft.grant.id, "access")
          yield* store.redeem(request.id, [token], yield* now)
          return token
        })
      )
      for (const token of tokens) assert.isDefined(yield* callerWith(token))
      const [user] = users
      assert.isTrue(Option.isNone(yield* store.deleteClient(client.id, user.id, yield* now)))
      const ended = Option.getOrThrow(yield* store.deleteClient(client.id, owner.id, yield* now))
      assert.strictEqual(ended.length, 2)
      for (const token of tokens) assert.isUndefined(yield* callerWith(token))
      assert.isTrue(Option.isNone(yield* store.findClient(client.id)))
    })
  )

  it.effect(
    "a client that acts for itself gets one grant, also by concurrent calls, and no second one once it has ended",
    () =>
      Effect.gen(function* () {
        const store = yield* OauthStore
        const owner = yield* openAccount()
        const client = yield* oauthClient({
          ownerId: owner.id,
          authMethod: "client_secret_post",
          secretHash: freshText()
        })
        yield* store.createClient(client, null, 10)
        const issue = Effect.gen(function* () {
          const draft = yield* grantDraft(owner.id, client.id, true)
          const token = yield* oauthToken(draft.grant.id, "access")
          const grant = yield* store.issueToClient(draft, ({ id }) => ({ ...token, grantId: id }))
          return { grant: Option.getOrUndefined(grant), token }
        })
        const issued = yield* Effect.all(
          Array.from({ length: 4 }, () => issue),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(issued.map(({ grant }) => grant?.id)).size, 1)
        assert.strictEqual((yield* store.listGrants(owner.id, { page: 1, limit: 10 })).total, 1)
        for (const { token } of issued) assert.strictEqual((yield* callerWith(token))?.accountId, owner.id)
        const grant = issued[0]?.grant
        assert.isDefined(grant)
        yield* store.endGrant(grant.id, owner.id, yield* now)
        assert.isUndefined((yield* issue).grant)
        for (const { token } of issued) assert.isUndefined(yield* callerWith(token))
      })
  )
}
