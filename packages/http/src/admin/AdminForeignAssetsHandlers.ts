import { toForeignAsset } from "@agent-marketplace/api/admin/AdminForeignAssetsGroup"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { ForeignAssets } from "@agent-marketplace/core/wallets/ForeignAssets"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { overTheChain } from "../wallets/overTheChain.ts"

/** The operator's decisions on assets that the ledger does not count (CHAIN-29, CHAIN-31). */
export const AdminForeignAssetsHandlers = handlerGroup(
  ServedApi,
  "adminForeignAssets",
  Effect.fnUntraced(function* (handlers) {
    const assets = yield* ForeignAssets
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { state, ...query } }) {
        const page = yield* forOperator.page(query, toForeignAsset, (_, request) => assets.list({ state }, request))
        return { ...page, meta: { ...page.meta, leftOut: yield* assets.leftOut } }
      }),
      recheck: ({ payload: { txid } }) =>
        overTheChain(
          forOperator.one(
            (found: ReadonlyArray<ForeignAsset>) => found.map(toForeignAsset),
            (operator) => assets.recheck(operator, txid)
          )
        ),
      return: ({ params, payload: { destination } }) =>
        forOperator.one(toForeignAsset, (operator) => assets.requestReturn(operator, params.id, destination))
    })
  })
)
