import { toIssuedKey, toKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** API keys over HTTP. A secret is in the response that makes the key, and in no other (KEY-4). */
export const KeysHandlers = HttpApiBuilder.group(
  ServedApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const identity = yield* Identity
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toIssuedKey(yield* identity.createKey(yield* currentCaller, payload)))
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* identity.listKeys(yield* currentCaller, page)
        return toPage(items.map(toKey), page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toKey(yield* identity.key(yield* currentCaller, params.id)))
      }),
      deactivate: Effect.fnUntraced(function* ({ params, query }) {
        yield* identity.deactivateKey(yield* currentCaller, params.id, query.family === true)
        return toEnvelope({ id: params.id, status: "deactivated" as const })
      }),
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(
          toIssuedKey(yield* identity.rotateKey(yield* currentCaller, params.id, payload?.graceSeconds))
        )
      }),
      refresh: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toIssuedKey(yield* identity.refreshKey(yield* currentCaller, payload?.graceSeconds)))
      })
    })
  })
)
