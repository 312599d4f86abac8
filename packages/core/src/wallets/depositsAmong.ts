import { Effect } from "effect"
import type { Transfer } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { ObservedDeposit } from "./Deposit.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The deposits among transfers: to a deposit address, and neither from one of the service's own wallets nor from another deposit address. */
export const depositsAmong = Effect.fnUntraced(function* (network: string, transfers: ReadonlyArray<Transfer>) {
  const chain = yield* Chain
  const store = yield* WalletStore
  if (transfers.length === 0) return []
  const owners = yield* store.ownersOf([...new Set(transfers.map(({ to }) => to))])
  if (owners.size === 0) return []
  const { cold, hot } = yield* (yield* TreasuryStore).treasury
  const reached = transfers
    .filter(({ amount, to }) => amount > 0n && owners.has(to))
    .filter(({ from }) => !chain.forbidden.has(from) && from !== hot && from !== cold)
  if (reached.length === 0) return []
  const senders = yield* store.ownersOf([...new Set(reached.map(({ from }) => from))])
  return reached.flatMap((transfer): ReadonlyArray<ObservedDeposit> => {
    const { amount, at, block, from, logIndex, to: address, txid } = transfer
    const accountId = owners.get(address)
    if (accountId === undefined || senders.has(from)) return []
    return [{ network, txid, logIndex, accountId, address, amount, block, at, sender: from }]
  })
})
