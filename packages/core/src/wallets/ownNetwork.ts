import { Effect } from "effect"
import { ChainUnavailable } from "../chain/Chain.ts"
import { WalletStore } from "./WalletStore.ts"

/** The network of a chain. Refused if this market's deposits come from another network (CHAIN-15). */
export const ownNetwork = Effect.fnUntraced(function* (connected: Effect.Effect<string, ChainUnavailable>) {
  const network = yield* connected
  const { networks } = yield* (yield* WalletStore).scanned
  const other = networks.find((known) => known !== network)
  if (other === undefined) return network
  return yield* new ChainUnavailable({
    reason: `the deposits of this market come from ${other}, but the chain is ${network}`
  })
})
