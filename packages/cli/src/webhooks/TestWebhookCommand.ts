import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { deliveryColumns } from "./deliveryColumns.ts"
import { webhookArgument } from "./webhookArgument.ts"

export const testWebhookCommand = Command.make("test", { id: webhookArgument }, ({ id }) =>
  Effect.gen(function* () {
    const delivery = yield* ask((market, options) => market.webhooks.test(id, options))
    yield* report(delivery, (page) => list(page, { rows: [delivery], columns: deliveryColumns, empty: "" }))
  })
).pipe(Command.withDescription("Send webhook.test to a subscription now"))
