import { toAdminSoul } from "@agent-marketplace/api/souls/SoulWire"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's routes for souls (OPERATOR-12, OPERATOR-14). */
export const AdminSoulsHandlers = handlerGroup(
  ServedApi,
  "adminSouls",
  Effect.fnUntraced(function* (handlers) {
    const souls = yield* Souls
    return handlers.handleAll({
      list: ({ query: { status, ...query } }) =>
        forOperator.page(query, toAdminSoul, (_, page) => souls.queue(status, page)),
      suspend: ({ params, payload }) =>
        forOperator.one(toAdminSoul, (operator) => souls.suspend(params.slug, payload, operator)),
      restore: ({ params }) => forOperator.one(toAdminSoul, (operator) => souls.restore(params.slug, operator))
    })
  })
)
