import { ConditionStore } from "@agent-marketplace/core/health/ConditionStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"

const at = 1_700_000_000_000

/** The contract of `ConditionStore`. Its cases use different kinds, because kinds are shared by the whole store. */
export const conditionStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ConditionStore`, stores, (it) => {
    it.effect("keeps the first time and the last detail of a condition, until it ends (SYSTEM-9)", () =>
      Effect.gen(function* () {
        const { clear, list, open, raise } = yield* ConditionStore
        const kind = "nodes_disagree"
        const first = { kind, detail: "a: block 7", at } as const
        assert.strictEqual(yield* raise(first), "raised")
        assert.strictEqual(yield* raise({ ...first, at: at + 1 }), "unchanged")
        assert.strictEqual(yield* raise({ ...first, detail: null, at: at + 2 }), "changed")
        const held = { kind, detail: null, since: at, endedAt: null } as const
        assert.deepStrictEqual(yield* open, [held])
        assert.strictEqual(yield* clear(kind, at + 3), true)
        assert.strictEqual(yield* clear(kind, at + 4), false, "it has ended")
        assert.deepStrictEqual(yield* open, [])
        assert.strictEqual(yield* raise({ ...first, at: at + 5 }), "raised")
        const again = { kind, detail: "a: block 7", since: at + 5, endedAt: null } as const
        const ended = { ...held, endedAt: at + 3 }
        const page = { page: 1, limit: 10 }
        assert.deepStrictEqual(yield* list({}, page), { items: [again, ended], total: 2 })
        assert.deepStrictEqual(yield* list({ open: true }, page), { items: [again], total: 1 })
        assert.deepStrictEqual(yield* list({ open: false }, page), { items: [ended], total: 1 })
        assert.deepStrictEqual(yield* list({}, { page: 2, limit: 1 }), { items: [ended], total: 2 })
        yield* clear(kind, at + 6)
      })
    )

    it.effect("appends one event for each start and end, and none for a change of the detail (EVENT-15)", () =>
      Effect.gen(function* () {
        const { clear, raise } = yield* ConditionStore
        const kind = "quorum_missing"
        yield* raise({ kind, detail: "1 of 2 nodes votes", at })
        yield* raise({ kind, detail: "0 of 2 nodes vote", at: at + 1 })
        yield* clear(kind, at + 2)
        yield* clear(kind, at + 3)
        const events = yield* subjectEvents(kind)
        assert.deepStrictEqual(
          events.map(({ accounts, at, data, type }) => ({
            type,
            at,
            accounts,
            detail: data["detail"],
            since: data["since"]
          })),
          [
            {
              type: "market.degraded",
              at,
              accounts: [],
              detail: "1 of 2 nodes votes",
              since: "2023-11-14T22:13:20.000Z"
            },
            {
              type: "market.recovered",
              at: at + 2,
              accounts: [],
              detail: "0 of 2 nodes vote",
              since: "2023-11-14T22:13:20.000Z"
            }
          ]
        )
      })
    )

    it.effect("of 20 concurrent starts and of 20 concurrent ends exactly one takes effect (SYSTEM-9)", () =>
      Effect.gen(function* () {
        const { clear, raise } = yield* ConditionStore
        const kind = "signer_unavailable"
        const all = Array.from({ length: 20 })
        const raised = yield* Effect.forEach(all, () => raise({ kind, detail: null, at }), { concurrency: "unbounded" })
        assert.lengthOf(
          raised.filter((result) => result === "raised"),
          1
        )
        const ended = yield* Effect.forEach(all, () => clear(kind, at + 1), { concurrency: "unbounded" })
        assert.lengthOf(ended.filter(Boolean), 1)
        assert.lengthOf(yield* subjectEvents(kind), 2)
      })
    )
  })
