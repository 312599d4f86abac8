import { Effect } from "effect"
import { ChainUnavailable } from "../chain/Chain.ts"
import { WalletStore } from "./WalletStore.ts"

/** The network of a chain, refused where this market's deposits come from another one (CHAIN-15). */
export const ownNetwork = Effect.fnUntraced(function* (asked: Effect.Effect<string, ChainUnavailable>) {
  const network = yield* asked
  const { networks } = yield* (yield* WalletStore).scanned
  const other = networks.find((known) => known !== network)
  if (other === undefined) return network
  return yield* new ChainUnavailable({
    reason: `the deposits of this market come from ${other}, the chain is ${network}`
  })
})
