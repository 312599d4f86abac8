import { toControlledItem, toWaitingRelease } from "@agent-marketplace/api/advisories/AdminItemsGroup"
import { toRevocation } from "@agent-marketplace/api/advisories/RevocationSchemas"
import { ItemControl } from "@agent-marketplace/core/advisories/ItemControl"
import { Revocations } from "@agent-marketplace/core/advisories/Revocations"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { Releases } from "@agent-marketplace/core/releases/Releases"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's decisions on items that must not be sold, and their progress (QUARANTINE-1, REVOKE-1, REVOKE-7, PURGE-1). */
export const AdminItemsHandlers = handlerGroup(
  ServedApi,
  "adminItems",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* ItemControl
    const releases = yield* Releases
    const revocations = yield* Revocations
    return handlers.handleAll({
      quarantine: ({ params, payload }) =>
        forOperator.one(toControlledItem, (operator) => control.quarantine(operator, params.id, payload)),
      release: ({ params, payload }) =>
        forOperator.one(toControlledItem, (operator) => control.release(operator, params.id, payload)),
      revoke: ({ params, payload }) =>
        forOperator.one(toControlledItem, (operator) => control.revoke(operator, params.id, payload)),
      purge: ({ params, payload }) =>
        forOperator.one(toControlledItem, (operator) => control.purge(operator, params.id, payload)),
      releases: ({ query: { status, ...query } }) =>
        forOperator.page(query, toWaitingRelease, (_, page) => releases.waiting(status, page)),
      revocations: ({ query: { item, ...query } }) =>
        forOperator.page(query, toRevocation, (_, page) =>
          revocations.list({ itemId: item as ItemId | undefined }, page)
        )
    })
  })
)
