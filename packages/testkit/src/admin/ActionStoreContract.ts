import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { freshId, freshWord } from "../fixtures/freshId.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const action = (fields: Partial<OperatorAction>): OperatorAction => ({
  id: freshId("act"),
  at: 1_700_000_000_000,
  actor: "grace",
  action: "account.freeze",
  subject: freshId("usr"),
  before: { frozenAt: null },
  after: { frozenAt: "2025-01-15T12:00:00.000Z", nested: { souls: 5, keys: null } },
  reason: "stolen 🔑",
  requestId: "request-1",
  ...fields
})

/** The contract of `ActionStore`. */
export const actionStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ActionStore`, stores, (it) => {
    it.effect("stores complete actions and lists them newest first by actor and subject (OPERATOR-15)", () =>
      Effect.gen(function* () {
        const store = yield* ActionStore
        const [actor, subject] = [freshWord(), freshId("usr")]
        const first = action({ actor, subject })
        const second = action({ actor, before: null, after: null, reason: null })
        const third = action({ subject })
        for (const each of [first, second, third]) yield* store.append(each)
        const page = { page: 1, limit: 10 }
        assert.deepStrictEqual(yield* store.list({ actor }, page), { items: [second, first], total: 2 })
        assert.deepStrictEqual(yield* store.list({ subject }, page), { items: [third, first], total: 2 })
        assert.deepStrictEqual(yield* store.list({ actor, subject }, page), { items: [first], total: 1 })
        assert.deepStrictEqual(yield* store.list({ actor }, { page: 2, limit: 1 }), { items: [first], total: 2 })
        assert.deepStrictEqual((yield* store.list({}, { page: 1, limit: 1 })).items, [third])
      })
    )
  })
