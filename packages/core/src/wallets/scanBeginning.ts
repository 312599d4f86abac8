import { Effect, Option } from "effect"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { WalletStore } from "./WalletStore.ts"

/** Waits at most this long for the chain before issuing an address. */
const patience = "2 seconds"

/**
 * Run before an address is given out: the first one fixes where the scan begins, for what is sent to it can only stand in later blocks,
 * however late a worker comes. The chain is asked before it is looked whether there are addresses, so that none is older than its answer. A
 * chain that is away fixes nothing.
 */
export const scanBeginning = Effect.gen(function* () {
  const chain = yield* Chain
  const store = yield* WalletStore
  const settlement = yield* Settlement
  let known = chain.start !== null

  const isOpen = Effect.map(store.scanned, ({ addresses, networks }) => {
    known = addresses || networks.length > 0
    return !known
  })

  const begin: Effect.Effect<void, StoreUnavailable> = Effect.gen(function* () {
    if (known || !(yield* isOpen)) return
    const place = yield* Effect.option(Effect.timeout(Effect.all([chain.network, chain.finalHead]), patience))
    if (Option.isNone(place) || !(yield* isOpen)) return
    const [network, { block }] = place.value
    yield* settlement.submitAll([{ _tag: "AdvanceCursor", network, block }])
    known = true
  })
  return { begin }
})
