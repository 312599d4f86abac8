import { toAdminSoul } from "@agent-marketplace/api/souls/SoulWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentOperator } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** The operator's routes for souls (OPERATOR-12, OPERATOR-14). */
export const AdminSoulsHandlers = HttpApiBuilder.group(
  ServedApi,
  "adminSouls",
  Effect.fnUntraced(function* (handlers) {
    const souls = yield* Souls
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const suspended = query.status === undefined ? undefined : query.status === "suspended"
        const { items, total } = yield* souls.queue(suspended, page)
        return toPage(items.map(toAdminSoul), page, total)
      }),
      suspend: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toAdminSoul(yield* souls.suspend(params.slug, payload.reason, yield* currentOperator)))
      }),
      restore: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAdminSoul(yield* souls.restore(params.slug, yield* currentOperator)))
      })
    })
  })
)
