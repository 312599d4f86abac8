import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { approvedRequest, grantDraft, hour, now, oauthToken, storedRequest } from "./oauthFixtures.ts"

const decisionCases = (it: StoreIt): void => {
  it.effect("finds a request by its id, the code of a person and the code of a device", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const request = yield* storedRequest({ userCodeHash: freshText(), codeHash: freshText(), redirectUri: null })
      assert.deepStrictEqual(Option.getOrUndefined(yield* store.findRequest(request.id)), request)
      const byUser = yield* store.findRequestByUserCode(request.userCodeHash ?? "")
      const byDevice = yield* store.findRequestByCode(request.codeHash ?? "")
      assert.deepStrictEqual([Option.getOrUndefined(byUser), Option.getOrUndefined(byDevice)], [request, request])
    })
  )

  it.effect("an approval stores the agent, its policy, its key and the code together", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const identity = yield* IdentityStore
      const approvals = yield* ApprovalStore
      const { account, code, done, draft, request } = yield* approvedRequest()
      assert.isTrue(done)
      const found = Option.getOrThrow(yield* store.findRequestByCode(code.hash))
      assert.deepStrictEqual(
        [found.id, found.decision, found.grantId, found.codeExpiresAt, found.scopes],
        [request.id, "approved", draft.grant.id, code.expiresAt, draft.grant.scopes]
      )
      assert.deepStrictEqual(Option.getOrUndefined(yield* identity.findAgent(draft.agent.id)), draft.agent)
      assert.deepStrictEqual(Option.getOrUndefined(yield* identity.findKey(draft.key.id)), draft.key)
      assert.deepStrictEqual(Option.getOrUndefined(yield* approvals.policy(draft.agent.id)), draft.policy)
      const { items } = yield* store.listGrants(account.id, { page: 1, limit: 10 })
      assert.deepStrictEqual(items, [{ ...draft.grant, lastUsedAt: null }])
    })
  )

  it.effect("a request is decided once, also by concurrent decisions, and not after it has expired", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const account = yield* openAccount()
      const request = yield* storedRequest()
      const at = yield* now
      const approve = Effect.gen(function* () {
        const draft = yield* grantDraft(account.id, request.clientId)
        const code = { hash: freshText(), expiresAt: at + hour }
        return yield* store.decide(request.id, { _tag: "Approved", draft, code }, null, at)
      })
      const decided = yield* Effect.all(
        Array.from({ length: 5 }, () => approve),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(decided.filter(Boolean).length, 1)
      assert.strictEqual((yield* store.listGrants(account.id, { page: 1, limit: 10 })).total, 1)
      assert.isFalse(yield* store.decide(request.id, { _tag: "Denied" }, null, at))
      const late = yield* storedRequest()
      assert.isFalse(yield* store.decide(late.id, { _tag: "Denied" }, null, late.expiresAt))
      assert.isTrue(yield* store.decide(late.id, { _tag: "Denied" }, null, at))
      assert.strictEqual(Option.getOrThrow(yield* store.findRequest(late.id)).decision, "denied")
    })
  )
}

const refusalCases = (it: StoreIt): void => {
  it.effect(
    "a key that has ended approves nothing, and neither does a frozen account or one without room for an agent",
    () =>
      Effect.gen(function* () {
        const store = yield* OauthStore
        const identity = yield* IdentityStore
        const at = yield* now
        const account = yield* openAccount()
        yield* identity.updateAccount(account.id, { quotas: { agents: 0 } })
        const key = yield* apiKey({ accountId: account.id })
        yield* identity.createKey(key, null)
        const request = yield* storedRequest()
        const decide = Effect.gen(function* () {
          const draft = yield* grantDraft(account.id, request.clientId)
          const code = { hash: freshText(), expiresAt: at + hour }
          return yield* store.decide(request.id, { _tag: "Approved", draft, code }, key.id, at)
        })
        assert.strictEqual((yield* Effect.flip(decide))._tag, "QuotaExceeded")
        yield* identity.updateAccount(account.id, { quotas: { agents: 1 } })
        yield* identity.setFrozen(account.id, { since: at, reason: null })
        assert.strictEqual((yield* Effect.flip(decide))._tag, "AccountFrozen")
        yield* identity.setFrozen(account.id, null)
        yield* identity.deactivateKey(key.id, account.id)
        assert.strictEqual((yield* Effect.flip(decide))._tag, "InvalidApiKey")
        assert.strictEqual(Option.getOrThrow(yield* store.findRequest(request.id)).decision, "pending")
      })
  )

  it.effect("records when a device last requested its tokens", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const { id } = yield* storedRequest()
      const at = yield* now
      assert.isNull(yield* store.notePoll(id, at))
      assert.strictEqual(yield* store.notePoll(id, at + 1000), at)
      assert.strictEqual(yield* store.notePoll(id, at + 2000), at + 1000)
    })
  )

  it.effect("a code is exchanged once: concurrent exchanges leave one winner, and end the grant", () =>
    Effect.gen(function* () {
      const store = yield* OauthStore
      const { account, draft, request } = yield* approvedRequest()
      const at = yield* now
      const redeem = Effect.flatMap(oauthToken(draft.grant.id, "access"), (token) =>
        Effect.map(store.redeem(request.id, [token], at), ({ _tag }) => _tag)
      )
      const outcomes = yield* Effect.all(
        Array.from({ length: 5 }, () => redeem),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), ["Ended", "Ended", "Ended", "Exchanged", "Repeated"])
      assert.strictEqual((yield* store.listGrants(account.id, { page: 1, limit: 10 })).total, 0)
    })
  )
}

export const requestCases = (it: StoreIt): void => {
  decisionCases(it)
  refusalCases(it)
}
