import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert, layer } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { usdt } from "../fixtures/usdt.ts"

/** The contract of a `SimulatedChain` in the market's own storage, beyond that of `Chain`. */
export const simulatedChainContract = <E>(
  name: string,
  stores: Layer.Layer<MarketStores | Chain | SimulatedChain, E>
): void =>
  layer(stores, { excludeTestServices: true, timeout: "5 minutes" })(`${name}: SimulatedChain`, (it) => {
    it.effect("an address that was never paid is not on the chain yet (WITHDRAWAL-12)", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const payout = { to: yield* chain.depositAddress(98), amount: usdt(5) }
        const before = yield* chain.payoutCost(payout)
        yield* (yield* SimulatedChain).deposit(payout.to, usdt(5))
        const after = yield* chain.payoutCost(payout)
        assert.deepStrictEqual([before.activatesAddress, after.activatesAddress], [true, false])
        assert.isTrue(after.coin <= before.coin)
      })
    )

    it.effect("the operator's deposit is logged with it, and a deposit without an action is not (OPERATOR-14)", () =>
      Effect.gen(function* () {
        const hand = yield* SimulatedChain
        const log = yield* ActionStore
        const to = yield* (yield* Chain).depositAddress(31)
        const draft = actionDraft("simulated-chain.deposit", to)
        yield* hand.deposit(to, usdt(1))
        const { txid } = yield* hand.deposit(to, usdt(2.5), draft)
        const { items } = yield* log.list({ subject: to }, { page: 1, limit: 10 })
        assert.deepStrictEqual(items, [{ ...draft, before: null, after: { amount: "2.50", txHash: txid } }])
      })
    )
  })
