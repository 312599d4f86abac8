import { MarketKeys } from "@agent-marketplace/core/signing/MarketKeys"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { ServedApi } from "../ServedApi.ts"

/** Public and cacheable, because the keys rarely change. */
const readInterval = "1 second"

const documentOf = (keys: object) => {
  const text = JSON.stringify(keys)
  const headers = { etag: entityTag(text), "cache-control": "public, max-age=300" }
  return HttpServerResponse.text(text, { contentType: "application/json", headers })
}

/** The public keys over HTTP (SIGN-4). */
export const SigningHandlers = handlerGroup(
  ServedApi,
  "signing",
  Effect.fnUntraced(function* (handlers) {
    const { jwks } = yield* MarketKeys
    const keys = yield* Effect.cachedWithTTL(Effect.map(jwks, documentOf), readInterval)
    return handlers.handleAll({ keys: () => keys })
  })
)
