import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { ForeignAssetId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { ForeignAsset, ForeignAssetState, ReceivedAsset } from "./ForeignAsset.ts"

/** How many transfers that the scan found are recorded; anybody can send worthless tokens (CHAIN-30). */
export const foreignAssetLimits = {
  /** For each deposit address, until the operator has decided on them. */
  perAddress: 20,
  /** For all addresses together, on each UTC day of the database's clock. */
  perDay: 1000
} as const

/** The records of a list; an absent field selects all. */
export interface ForeignAssetFilter {
  readonly state?: ForeignAssetState | undefined
  readonly txid?: string | undefined
}

/** The result of a request to return an asset. `changed` is false if exactly that was requested before. */
export type ReturnRequest =
  | { readonly _tag: "Requested"; readonly asset: ForeignAsset; readonly changed: boolean }
  /** The asset was returned, or a transaction that returns it to another destination may still be included. */
  | { readonly _tag: "Sent"; readonly asset: ForeignAsset }

/**
 * Money that reached deposit addresses as another asset than the market's token. `SweepStore` stores the transactions that return it: its `start` and
 * `end` change the state of an asset in the same transaction.
 */
export class ForeignAssetStore extends Context.Service<
  ForeignAssetStore,
  {
    /**
     * Records transfers, each once by transaction and log index. Transactions that the market itself sent (sweeps and their funding) are ignored. Without an
     * action, transfers beyond `foreignAssetLimits` are only counted. With an action there is no limit, and the action is logged if any transfer was new.
     */
    readonly record: (
      network: string,
      received: ReadonlyArray<ReceivedAsset>,
      action: ActionDraft | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Newest first. */
    readonly list: (
      filter: ForeignAssetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<ForeignAsset>, StoreUnavailable>
    readonly find: (id: ForeignAssetId) => Effect.Effect<Option.Option<ForeignAsset>, StoreUnavailable>
    /** The number of transfers that were counted instead of recorded. A transfer that was scanned twice may count twice. */
    readonly leftOut: Effect.Effect<number, StoreUnavailable>
    /** Keeps the token's name for all records of the asset on the network. */
    readonly setSymbol: (
      asset: Pick<ForeignAsset, "network" | "kind" | "asset">,
      symbol: string
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Makes an asset `returning`, to this destination, and logs the action. Another destination replaces it while no transaction is open. None if there is no
     * such asset.
     */
    readonly requestReturn: (
      id: ForeignAssetId,
      destination: string,
      action: ActionDraft
    ) => Effect.Effect<Option.Option<ReturnRequest>, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/ForeignAssetStore") {}
