import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import { deliveryColumns } from "./deliveryColumns.ts"
import { webhookArgument } from "./webhookArgument.ts"

export const deliveriesCommand = Command.make(
  "deliveries",
  { id: webhookArgument, ...pageFlags },
  ({ id, limit, page }) =>
    Effect.gen(function* () {
      const found = yield* ask((market, options) => market.webhooks.deliveries(id, { page, limit }, options))
      yield* report(found, (paper) =>
        list(paper, { rows: found, columns: deliveryColumns, empty: "Nothing was sent yet." })
      )
    })
).pipe(Command.withDescription("List what was sent to a subscription, and what came back"))
