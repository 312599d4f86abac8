import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { matchesSecret } from "@agent-marketplace/telemetry/SharedSecret"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { handlerGroup } from "../edge/RequestServices.ts"
import { credentialOf } from "../edge/Credential.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { Mount } from "../mount/Mount.ts"
import { describedApi, ServedApi } from "../ServedApi.ts"

const json = (body: unknown, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })

/** The document changes with a release or a mount only, so that clients keep it and ask whether their copy is current (HEADER-3). */
const documentOf = (document: unknown) => {
  const text = JSON.stringify(document)
  const headers = { etag: entityTag(text), "cache-control": "public, max-age=300" }
  return HttpServerResponse.text(text, { contentType: "application/json", headers })
}

const prometheus = "text/plain; version=0.0.4; charset=utf-8"

/** The operations without a key (SYSTEM-1, SYSTEM-4). `/metrics` has a token of its own where one is set. */
export const SystemHandlers = handlerGroup(
  ServedApi,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const metrics = yield* ProcessMetrics
    const readiness = yield* Readiness
    const { metricsToken } = yield* HttpOptions
    const mayScrape = matchesSecret(metricsToken)
    const described = describedApi(yield* Mount)
    const document = yield* Effect.cached(Effect.sync(() => documentOf(OpenApi.fromApi(described))))
    return handlers.handleAll({
      health: () => Effect.succeed({ status: "ok" as const }),
      ready: () => Effect.map(readiness.report, (report) => json(report, report.status === "unavailable" ? 503 : 200)),
      metrics: Effect.fnUntraced(function* ({ request }) {
        const credential = credentialOf(request, false)
        const allowed = metricsToken === null || (credential._tag === "Token" && mayScrape(credential.token))
        if (!allowed) return yield* new InvalidApiKey({ reason: credential._tag === "Missing" ? "missing" : "invalid" })
        return HttpServerResponse.text(yield* metrics.text, { contentType: prometheus })
      }),
      openapi: () => document
    })
  })
)
