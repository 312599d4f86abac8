import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import { deliveryColumns } from "./deliveryColumns.ts"
import { webhookArgument } from "./webhookArgument.ts"

const afterFlag = Flag.String("after").pipe(
  Flag.withDescription("The id of the last delivery that was listed; the list goes on after it"),
  Flag.optional
)

export const deliveriesCommand = Command.make(
  "deliveries",
  { id: webhookArgument, limit: pageFlags.limit, after: afterFlag },
  ({ after, id, limit }) =>
    Effect.gen(function* () {
      const found = yield* ask((market, options) =>
        market.webhooks.deliveries(id, { limit, cursor: Option.getOrUndefined(after) }, options)
      )
      yield* report(found, (paper) =>
        list(paper, { rows: found, columns: deliveryColumns, empty: "Nothing was sent yet." })
      )
    })
).pipe(Command.withDescription("List what was sent to a subscription, and what came back"))
