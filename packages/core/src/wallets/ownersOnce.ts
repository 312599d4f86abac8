import { Effect } from "effect"
import type { AccountId } from "../ids/Ids.ts"
import type { WalletStore } from "./WalletStore.ts"

/** A store that looks up each address once, because the preview and the reports of all nodes contain the same addresses. */
export const ownersOnce = (store: WalletStore["Service"]): WalletStore["Service"] => {
  const known = new Map<string, AccountId | undefined>()
  return {
    ...store,
    ownersOf: Effect.fnUntraced(function* (addresses) {
      const unknown = addresses.filter((address) => !known.has(address))
      const found = unknown.length === 0 ? undefined : yield* store.ownersOf(unknown)
      for (const address of unknown) known.set(address, found?.get(address))
      const owners = new Map<string, AccountId>()
      for (const address of addresses) {
        const owner = known.get(address)
        if (owner !== undefined) owners.set(address, owner)
      }
      return owners
    })
  }
}
