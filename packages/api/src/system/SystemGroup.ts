import { moneyWarnings } from "@agent-marketplace/core/wallets/MoneyWatch"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
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
      Schema.Array(Schema.Literals(moneyWarnings)),
      "Problems that an operator should examine; absent if there are none.",
      ["hot_wallet_low"]
    )
  )
}).annotate({ identifier: "Ready", description: "The process can serve requests." })

const NotReady = Schema.Struct({
  status: ResponseField.choice(["unavailable"], "Always `unavailable`.", "unavailable")
}).annotate({ identifier: "NotReady", description: "The store cannot be reached, or the process is stopping." })

const open = (summary: string, description: string) =>
  operation({ summary, description, access: access.public, unmetered: true })

/** Routes of the service itself, without a key (SYSTEM-1, SYSTEM-2, SYSTEM-3, SYSTEM-4). */
export const SystemGroup = HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/healthz", { success: Health }).annotateMerge(
      open("Check whether the process is running", "Does not check the store.")
    ),
    HttpApiEndpoint.get("ready", "/readyz", {
      success: [Ready, NotReady.pipe(HttpApiSchema.status(503))]
    }).annotateMerge(
      open(
        "Check whether the process can serve requests",
        "503 while the store is unavailable. `degraded` is 200 as well: `conditions` name what does not work, and since when. " +
          "Warnings name further problems that an operator should examine."
      )
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: field(Schema.String, "Prometheus text.", "# TYPE http_requests counter\n").pipe(HttpApiSchema.asText()),
      error: failures.unmetered("INVALID_API_KEY")
    }).annotateMerge(open("Metrics", "Prometheus text. If the operator set a token, it must be sent as Bearer.")),
    HttpApiEndpoint.get("openapi", "/openapi.json", {
      success: field(Schema.Record(Schema.String, Schema.Json), "An OpenAPI 3.1 document.", { openapi: "3.1.0" })
    }).annotateMerge(open("This document", "OpenAPI 3.1."))
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Health, metrics and this document." }))
