import { Effect } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { Transfer } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import type { ForeignAssetId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { ForeignTransfer, ReceivedAsset } from "./ForeignAsset.ts"
import { ForeignAssetStore } from "./ForeignAssetStore.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The transfers to deposit addresses that the market did not send itself (CHAIN-29). */
export const receivedAmong = Effect.fnUntraced(function* (
  transfers: ReadonlyArray<ForeignTransfer>,
  forbidden: ReadonlySet<string>,
  nextId: Effect.Effect<ForeignAssetId>
) {
  const wallets = yield* WalletStore
  const owners = yield* wallets.ownersOf([...new Set(transfers.map(({ to }) => to))])
  const reached = transfers.filter(({ amount, to }) => amount > 0n && owners.has(to))
  if (reached.length === 0) return []
  const { cold, hot } = yield* (yield* TreasuryStore).treasury
  const senders = yield* wallets.ownersOf([...new Set(reached.map(({ from }) => from))])
  const isOwn = (from: string) => senders.has(from) || forbidden.has(from) || from === hot || from === cold
  return yield* Effect.forEach(
    reached.filter(({ from }) => !isOwn(from)),
    ({ amount, asset, at, block, from, kind, logIndex, to, txid }): Effect.Effect<ReceivedAsset> =>
      Effect.map(nextId, (id) => ({
        id,
        txid,
        logIndex,
        kind,
        asset,
        amount,
        block,
        at,
        accountId: owners.get(to) as ReceivedAsset["accountId"],
        address: to,
        sender: from
      }))
  )
})

/**
 * Records transfers of other assets to deposit addresses. `scanned` records those in the blocks from which the chain read these transfers, within the limits of
 * the store. `all` records the transfers that an operator names, without limits.
 */
export const foreignRecorder = Effect.gen(function* () {
  const context = yield* Effect.context<Chain | ForeignAssetStore | TreasuryStore | WalletStore>()
  const { forbidden, foreign } = yield* Chain
  const store = yield* ForeignAssetStore
  const ids = yield* idGenerator

  const record = Effect.fnUntraced(function* (
    network: string,
    transfers: ReadonlyArray<ForeignTransfer>,
    action: ActionDraft | null
  ) {
    if (transfers.length === 0) return
    const received = yield* receivedAmong(transfers, forbidden, ids.make("foreignAsset"))
    if (received.length > 0) yield* store.record(network, received, action)
  }, Effect.provideContext(context))

  return {
    scanned: (network: string, transfers: ReadonlyArray<Transfer>) =>
      record(network, foreign?.beside(transfers) ?? [], null),
    all: record
  }
})
