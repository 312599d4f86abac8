import { Effect } from "effect"
import { Chain } from "../chain/Chain.ts"
import { zeroAddress } from "../chain/TronAddress.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { WalletStore } from "./WalletStore.ts"

/** The rule that an address breaks as the destination of withdrawals; undefined where it breaks none (WITHDRAWAL-9). */
export type DestinationCheck = (address: string) => Effect.Effect<string | undefined, StoreUnavailable>

export const destinationCheck: Effect.Effect<DestinationCheck, never, Chain | WalletStore> = Effect.map(
  Effect.all([Chain, WalletStore]),
  ([chain, store]) =>
    Effect.fnUntraced(function* (address: string) {
      if (!(yield* chain.isAddress(address))) return `must be a valid ${chain.name} address`
      if (address === zeroAddress) return "must not be the zero address"
      if (chain.forbidden.has(address)) return "must not be the token's contract or the service's own wallet"
      const owners = yield* store.ownersOf([address])
      return owners.has(address) ? "must not be one of the service's own deposit addresses" : undefined
    })
)
