import { Effect, Option } from "effect"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { WalletStore } from "./WalletStore.ts"

/** Waits at most this long for the chain before issuing an address. */
const timeLimit = "2 seconds"

/**
 * Runs before an address is issued. The first issued address fixes where the scan starts: its deposits can only be in later blocks, however late
 * a worker starts. The chain is read before the store is checked for addresses, so that no address is older than that block. If the chain is
 * unavailable, nothing is fixed.
 */
export const scanStart = Effect.gen(function* () {
  const chain = yield* Chain
  const store = yield* WalletStore
  const settlement = yield* Settlement
  let known = chain.start !== null

  const isOpen = Effect.map(store.scanned, ({ addresses, networks }) => {
    known = addresses || networks.length > 0
    return !known
  })

  const ensureStart: Effect.Effect<void, StoreUnavailable> = Effect.gen(function* () {
    if (known || !(yield* isOpen)) return
    const place = yield* Effect.option(Effect.timeout(Effect.all([chain.network, chain.finalHead]), timeLimit))
    if (Option.isNone(place) || !(yield* isOpen)) return
    const [network, { block, id }] = place.value
    yield* settlement.submitAll([{ _tag: "AdvanceCursor", network, position: { block, id, agreed: block } }])
    known = true
  })
  return { ensureStart }
})
