import { Context, Effect, Layer, Option } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import type { ChainUnavailable } from "../chain/Chain.ts"
import { Chain } from "../chain/Chain.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { ForeignAssetId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { destinationCheck } from "./destinationCheck.ts"
import type { ForeignAsset } from "./ForeignAsset.ts"
import type { ForeignAssetFilter } from "./ForeignAssetStore.ts"
import { ForeignAssetStore } from "./ForeignAssetStore.ts"
import { foreignRecorder } from "./foreignRecorder.ts"
import { ownNetwork } from "./ownNetwork.ts"
import { TreasuryStore } from "./TreasuryStore.ts"
import { WalletStore } from "./WalletStore.ts"

/** The most transfers of one transaction that a recheck returns. */
const mostOfTransaction = 100

/** The maximum number of these transfers whose tokens' names are read. */
const mostNamed = 10

/** The operator's view of money that reached deposit addresses as another asset, and the decision to return it (CHAIN-29, CHAIN-31, CHAIN-32). */
export class ForeignAssets extends Context.Service<
  ForeignAssets,
  {
    readonly list: (
      filter: ForeignAssetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ForeignAsset>, StoreUnavailable>
    /** How many transfers the limits left out. */
    readonly leftOut: Effect.Effect<number, StoreUnavailable>
    /** Records the transfers of one final transaction, whatever the limits. Returns what is recorded of it. */
    readonly recheck: (
      operator: Operator,
      txid: string
    ) => Effect.Effect<ReadonlyArray<ForeignAsset>, ChainUnavailable | StoreUnavailable>
    /**
     * Decides that an asset is returned, by default to its sender. The same request again changes nothing. The transaction is signed by the operator's command, where the keys of
     * the deposit addresses are.
     */
    readonly requestReturn: (
      operator: Operator,
      id: ForeignAssetId,
      destination: string | undefined
    ) => Effect.Effect<ForeignAsset, Conflict | NotFound | StoreUnavailable | ValidationFailed>
  }
>()("@agent-marketplace/core/wallets/ForeignAssets") {
  static readonly layer = Layer.effect(
    ForeignAssets,
    Effect.gen(function* () {
      const administration = yield* Administration
      const chain = yield* Chain
      const store = yield* ForeignAssetStore
      const treasury = yield* TreasuryStore
      const wallets = yield* WalletStore
      const recorder = yield* foreignRecorder
      const checkDestination = yield* destinationCheck

      const broken = Effect.fnUntraced(function* (to: string, { asset, sender }: ForeignAsset) {
        const { cold, hot } = yield* treasury.treasury
        const message =
          to === hot || to === cold
            ? "must not be a wallet of the market"
            : to === asset
              ? "must not be the token's contract"
              : yield* checkDestination(to)
        return message === undefined || to !== sender ? message : `${message}: the sender is not a possible destination`
      })

      /** Reading the name of a token costs one request, so it is read only for the transfers that an operator requests. It is optional. */
      const nameToken = Effect.fnUntraced(function* (found: ForeignAsset) {
        if (found.unverifiedSymbol !== null || chain.foreign === undefined) return found
        const unverifiedSymbol = yield* chain.foreign.symbol(found)
        if (unverifiedSymbol === null) return found
        yield* store.setSymbol(found, unverifiedSymbol)
        return { ...found, unverifiedSymbol }
      })

      return {
        list: store.list,
        leftOut: store.leftOut,
        recheck: Effect.fn("ForeignAssets.recheck")(function* (operator, txid) {
          const network = yield* Effect.provideService(ownNetwork(chain.network), WalletStore, wallets)
          const action = yield* administration.draft(operator, "foreign_asset.recheck", txid)
          if (chain.foreign !== undefined)
            yield* recorder.all(network, yield* chain.foreign.inTransaction(txid), action)
          const { items } = yield* store.list({ txid }, { page: 1, limit: mostOfTransaction })
          const named = yield* Effect.forEach(items.slice(0, mostNamed), nameToken)
          return [...named, ...items.slice(mostNamed)]
        }),
        requestReturn: Effect.fn("ForeignAssets.requestReturn")(function* (operator, id, given) {
          const found = yield* store.find(id)
          if (Option.isNone(found)) return yield* new NotFound({ resource: "FOREIGN_ASSET" })
          const destination = given ?? found.value.sender
          const message = yield* broken(destination, found.value)
          if (message !== undefined) return yield* new ValidationFailed({ issues: [{ path: "destination", message }] })
          const action = yield* administration.draft(operator, "foreign_asset.return", id)
          const result = yield* store.requestReturn(id, destination, action)
          if (Option.isNone(result)) return yield* new NotFound({ resource: "FOREIGN_ASSET" })
          if (result.value._tag === "Requested") return yield* nameToken(result.value.asset)
          const { asset } = result.value
          const to = asset.destination ?? "another address"
          return yield* asset.state === "returned"
            ? new Conflict({ state: "returned", reason: `it was returned to ${to}` })
            : new Conflict({ state: "returning", reason: `a transaction that returns it to ${to} was started` })
        })
      }
    })
  )
}
