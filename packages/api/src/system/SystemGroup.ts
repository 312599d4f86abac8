import { reviewWarnings } from "@agent-marketplace/core/listings/ReviewWatch"
import { moneyWarnings } from "@agent-marketplace/core/wallets/MoneyWatch"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { LoadPriority } from "../access/LoadPriority.ts"
import { conditionFields } from "../health/ConditionsGroup.ts"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const Health = Schema.Struct({ status: ResponseField.choice(["ok"], "Always `ok`.", "ok") }).annotate({
  identifier: "Health",
  description: "The process is running."
})

const Ready = Schema.Struct({
  status: ResponseField.choice(
    ["ready", "degraded"],
    "`degraded` if some of the work cannot be done; requests are served in both cases.",
    "ready"
  ),
  conditions: Schema.optionalKey(
    Schema.Array(
      Schema.Struct(conditionFields).annotate({
        identifier: "OpenCondition",
        description: "A condition that degrades the service."
      })
    ).annotate({ description: "What degrades the service, and since when; absent if the status is `ready`." })
  ),
  warnings: Schema.optionalKey(
    field(
      Schema.Array(Schema.Literals([...moneyWarnings, ...reviewWarnings])),
      "Problems that an operator should examine; absent if there are none.",
      ["hot_wallet_low"]
    )
  )
}).annotate({ identifier: "Ready", description: "The process can serve requests." })

const NotReady = Schema.Struct({
  status: ResponseField.choice(["unavailable"], "Always `unavailable`.", "unavailable")
}).annotate({ identifier: "NotReady", description: "The store cannot be reached, or the process is stopping." })

const open = { access: access.public, unmetered: true } as const

/** Routes of the service itself, without a key (SYSTEM-1, SYSTEM-2, SYSTEM-3, SYSTEM-4). */
export const SystemGroup = HttpApiGroup.make("system")
  .add(
    endpoint.get("health", "/healthz", {
      summary: "Check whether the process is running",
      description: "Does not check the store.",
      ...open,
      success: Health,
      failures: []
    }),
    endpoint.get("ready", "/readyz", {
      summary: "Check whether the process can serve requests",
      description:
        "503 while the store is unavailable. `degraded` is 200 as well: `conditions` name what does not work, and since when. " +
        "Warnings name further problems that an operator should examine.",
      ...open,
      success: [Ready, NotReady.pipe(HttpApiSchema.status(503))],
      failures: []
    }),
    endpoint.get("metrics", "/metrics", {
      summary: "Metrics",
      description: "Prometheus text. If the operator set a token, it must be sent as Bearer.",
      ...open,
      success: field(Schema.String, "Prometheus text.", "# TYPE http_requests counter\n").pipe(HttpApiSchema.asText()),
      errors: ["INVALID_API_KEY"]
    }),
    endpoint.get("openapi", "/openapi.json", {
      summary: "This document",
      description: "OpenAPI 3.1.",
      ...open,
      success: field(Schema.Record(Schema.String, Schema.Json), "An OpenAPI 3.1 document.", { openapi: "3.1.0" }),
      failures: []
    })
  )
  .annotate(LoadPriority, "exempt")
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Health, metrics and this document." }))
