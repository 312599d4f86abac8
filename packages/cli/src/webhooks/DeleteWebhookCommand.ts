import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { webhookArgument } from "./webhookArgument.ts"

export const deleteWebhookCommand = Command.make("delete", { id: webhookArgument }, ({ id }) =>
  Effect.gen(function* () {
    const deleted = yield* ask((market, options) => market.webhooks.delete(id, options))
    yield* report(deleted, () => `${deleted.id} is deleted.`)
  })
).pipe(Command.withDescription("Send no more events to a subscription"))
