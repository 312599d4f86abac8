import { Effect, Layer } from "effect"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { TreasuryStore } from "./TreasuryStore.ts"

/**
 * The token belongs to the database, as the network does: the first start stores it, and a process with another token does not start, because it
 * would credit that token as the one that the books count (CHAIN-22).
 */
export const ownToken: Layer.Layer<never, StoreUnavailable, Chain | TreasuryStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { token } = yield* Chain
    const store = yield* TreasuryStore
    const known = (yield* store.treasury).token ?? (yield* store.claim({ token })).token
    if (known === token) return
    const reason = `the books of this market count the token ${known}, but TRON_USDT_CONTRACT is ${token}`
    return yield* Effect.die(new Error(`${reason}: set it back, or use another database`))
  })
)
