import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { callerWith, grantWithTokens, now, oauthToken } from "./oauthFixtures.ts"

export const tokenCases = (it: StoreIt): void => {
  it.effect("an access token acts as the agent of its grant, with its own scopes, resource and end", () =>
    Effect.gen(function* () {
      const { access, account, draft, refresh } = yield* grantWithTokens()
      const caller = yield* callerWith(access)
      assert.deepInclude(caller, {
        keyId: draft.key.id,
        agentId: draft.agent.id,
        accountId: account.id,
        accountName: account.name,
        scope: "READ",
        expiresAt: access.expiresAt,
        token: { scopes: access.scopes, resource: access.resource }
      })
      assert.isUndefined(yield* callerWith(refresh))
    })
  )

  it.effect("a refresh token is exchanged once: a repetition ends the grant with every token", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const { access, account, draft, refresh } = yield* grantWithTokens()
      const next = yield* oauthToken(draft.grant.id, "refresh")
      const at = yield* now
      assert.strictEqual((yield* store.refresh(refresh.hash, [next], at))._tag, "Exchanged")
      assert.isDefined(yield* callerWith(access))
      assert.strictEqual(Option.getOrThrow(yield* store.findToken(refresh.hash)).token.usedAt, at)
      const repeated = yield* store.refresh(refresh.hash, [], at)
      assert.deepStrictEqual(repeated, { _tag: "Repeated", grant: draft.grant })
      assert.isUndefined(yield* callerWith(access))
      assert.strictEqual((yield* store.refresh(next.hash, [], at))._tag, "Ended")
      assert.isFalse(Option.getOrThrow(yield* store.findToken(next.hash)).live)
      assert.strictEqual((yield* store.listGrants(account.id, { page: 1, limit: 10 })).total, 0)
    })
  )

  it.effect("one of several concurrent exchanges of a refresh token succeeds, and the grant ends", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const { draft, refresh } = yield* grantWithTokens()
      const at = yield* now
      const exchange = Effect.flatMap(oauthToken(draft.grant.id, "refresh"), (next) =>
        Effect.map(store.refresh(refresh.hash, [next], at), ({ _tag }) => _tag)
      )
      const outcomes = yield* Effect.all(
        Array.from({ length: 4 }, () => exchange),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), ["Ended", "Ended", "Exchanged", "Repeated"])
    })
  )

  it.effect("the end of an access token leaves the other tokens of the grant", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const { access, draft, refresh } = yield* grantWithTokens()
      const other = yield* oauthToken(draft.grant.id, "access")
      yield* store.refresh(refresh.hash, [other], yield* now)
      yield* store.endToken(access.hash)
      yield* store.endToken(access.hash)
      assert.isUndefined(yield* callerWith(access))
      assert.isDefined(yield* callerWith(other))
      assert.isTrue(Option.isNone(yield* store.findToken(access.hash)))
    })
  )
}
