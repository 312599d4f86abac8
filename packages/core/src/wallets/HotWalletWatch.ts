import { Context, Effect, Layer } from "effect"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Conditions } from "../health/Conditions.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Treasury } from "./TreasuryStore.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

const alarm = "operator treasury shows its balance and what the open withdrawals need"

/** The reason to top up the hot wallet; undefined if there is none. It omits the balance, which changes with each payout. */
const lowness = (held: Usdt, { hot, topUpBelow }: Treasury, needed: Usdt): string | undefined => {
  if (topUpBelow !== null && held < topUpBelow)
    return `${hot} holds less than its top-up level of ${Usdt.withCurrency(topUpBelow)}: ${alarm}`
  return held < needed ? `${hot} holds less than the open withdrawals need: ${alarm}` : undefined
}

/** Finds whether the hot wallet has too little or too much, and whether it can pay the fees of a payout (SYSTEM-9, TREASURY-5). */
export class HotWalletWatch extends Context.Service<
  HotWalletWatch,
  { readonly check: Effect.Effect<void, ChainUnavailable | StoreUnavailable> }
>()("@agent-marketplace/core/wallets/HotWalletWatch") {
  static readonly layer = Layer.effect(
    HotWalletWatch,
    Effect.gen(function* () {
      const chain = yield* Chain
      const clock = yield* MarketClock
      const conditions = yield* Conditions
      const treasury = yield* TreasuryStore
      const wallets = yield* WalletStore

      const balance = Effect.fnUntraced(function* (known: Treasury, hot: string) {
        const held = yield* chain.balanceOf(hot)
        const { needed } = yield* wallets.payoutLoad(yield* clock.now)
        const low = held === null ? undefined : lowness(held, known, needed)
        yield* conditions.set("hot_wallet_low", low !== undefined, low)
        const { hotCeiling } = known
        const isFull = held !== null && hotCeiling !== null && held > hotCeiling
        const limit = hotCeiling === null ? "" : Usdt.withCurrency(hotCeiling)
        yield* conditions.set("hot_wallet_full", isFull, `${hot} holds more than its ceiling of ${limit}`)
      })

      const fees = Effect.fnUntraced(function* (hot: string) {
        const { coins, required } = yield* chain.resources(hot)
        const detail = `${hot} has neither the energy nor the coins for the fee of a payout: see operator treasury energy`
        yield* conditions.set("energy_low", coins !== null && coins < required, detail)
      })

      // The two are independent: a node that cannot simulate a payment still knows balances.
      const check = Effect.gen(function* () {
        const known = yield* treasury.treasury
        const hot = known.hot ?? chain.hotWallet
        if (hot === null) return
        yield* Effect.all([balance({ ...known, hot }, hot), fees(hot)], { concurrency: 2, discard: true })
      })
      return { check: Effect.withSpan(check, "HotWalletWatch.check") }
    })
  )
}
