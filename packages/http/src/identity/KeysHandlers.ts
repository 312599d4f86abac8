import { toIssuedKey, toKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** API keys over HTTP. A secret is in the response that makes the key, and in no other (KEY-4). */
export const KeysHandlers = handlerGroup(
  ServedApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const identity = yield* Identity
    return handlers.handleAll({
      create: ({ payload }) => forCaller.one(toIssuedKey, (caller) => identity.createKey(caller, payload)),
      list: ({ query }) => forCaller.page(query, toKey, (caller, page) => identity.listKeys(caller, page)),
      get: ({ params }) => forCaller.one(toKey, (caller) => identity.key(caller, params.id)),
      deactivate: Effect.fnUntraced(function* ({ params, query }) {
        yield* identity.deactivateKey(yield* currentCaller, params.id, query.family === true)
        return toEnvelope({ id: params.id, status: "deactivated" as const })
      }),
      rotate: ({ params, payload }) =>
        forCaller.one(toIssuedKey, (caller) => identity.rotateKey(caller, params.id, payload?.graceSeconds)),
      refresh: ({ payload }) =>
        forCaller.one(toIssuedKey, (caller) => identity.refreshKey(caller, payload?.graceSeconds))
    })
  })
)
