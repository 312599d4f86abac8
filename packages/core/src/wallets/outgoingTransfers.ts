import { Effect, Option } from "effect"
import type { Transfer } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** Those of the transfers that the hot wallet sent: the one of this process, or the one that the database knows. */
const outgoingOf = Effect.map(Effect.all([Chain, TreasuryStore]), ([chain, store]) => {
  let stored: string | null = null
  return Effect.fnUntraced(function* (
    transfers: ReadonlyArray<Transfer>
  ): Effect.fn.Return<ReadonlyArray<Transfer>, StoreUnavailable> {
    if (transfers.length === 0) return []
    stored ??= (yield* store.treasury).hot
    return transfers.filter(({ from }) => from === chain.hotWallet || from === stored)
  })
})

/**
 * `record` stores final transfers from the hot wallet that the books do not know (TREASURY-3). Called before the scan position moves past them.
 * `of` finds those of the transfers that the hot wallet sent.
 */
export const outgoingRecorder = Effect.gen(function* () {
  const outgoing = yield* outgoingOf
  const store = yield* TreasuryStore
  const record = Effect.fnUntraced(function* (network: string, transfers: ReadonlyArray<Transfer>) {
    const sent = yield* outgoing(transfers)
    if (sent.length > 0) yield* store.recordOutgoing(network, sent)
  })
  return { of: outgoing, record }
})

/**
 * Whether this process may start payouts. A restored database is older than the chain: what it says is unpaid may have been paid. So before its
 * first payout a process waits until every block that was final when it started is compared with the books, and until no transfer in later
 * blocks is unknown (TREASURY-3). A market that never scanned a block has paid nothing.
 */
export const payoutGate = Effect.gen(function* () {
  const chain = yield* Chain
  const wallets = yield* WalletStore
  const store = yield* TreasuryStore
  const outgoing = yield* outgoingOf
  let isOpen = false
  let start: number | undefined

  return Effect.fnUntraced(function* (network: string) {
    if (isOpen) return true
    const position = yield* wallets.scanPosition(network)
    if (Option.isNone(position)) return true
    start ??= (yield* chain.finalHead).block
    // One source alone might leave a transfer out.
    const { agreed } = position.value
    if (start - agreed > chain.span) return false
    // The scan is close: the rest is read at once.
    if (start > agreed) {
      const sent = yield* outgoing(yield* chain.transfers(agreed + 1, start))
      if (sent.length > 0) yield* store.recordOutgoing(network, sent)
    }
    const above = Math.max(start, agreed)
    const pending = yield* outgoing(yield* chain.pendingTransfers(above))
    const known = yield* store.knownTransactions(
      network,
      pending.map(({ txid }) => txid)
    )
    isOpen = pending.every(({ txid }) => known.has(txid)) && (yield* store.unknownTransfers).length === 0
    return isOpen
  })
})
