import { Effect } from "effect"
import { Chain } from "../chain/Chain.ts"
import { zeroAddress } from "../chain/TronAddress.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The rule that an address breaks as the destination of withdrawals; undefined where it breaks none (WITHDRAWAL-9). */
export type DestinationCheck = (address: string) => Effect.Effect<string | undefined, StoreUnavailable>

export const destinationCheck: Effect.Effect<DestinationCheck, never, Chain | TreasuryStore | WalletStore> = Effect.map(
  Effect.all([Chain, TreasuryStore, WalletStore]),
  ([chain, treasury, store]) =>
    Effect.fnUntraced(function* (address: string) {
      if (!(yield* chain.isAddress(address))) return `must be a valid ${chain.name} address`
      if (address === zeroAddress) return "must not be the zero address"
      const { cold, hot } = yield* treasury.treasury
      if (chain.forbidden.has(address) || address === hot || address === cold)
        return "must not be the token's contract or the service's own wallet"
      const owners = yield* store.ownersOf([address])
      return owners.has(address) ? "must not be one of the service's own deposit addresses" : undefined
    })
)
