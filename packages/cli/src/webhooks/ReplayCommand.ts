import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import { deliveryColumns } from "./deliveryColumns.ts"

export const replayCommand = Command.make(
  "replay",
  { id: Argument.String("delivery").pipe(Argument.withDescription("A delivery's id, dlv_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const delivery = yield* ask((market, options) => market.webhooks.replay(id, options))
      yield* report(delivery, (page) => list(page, { rows: [delivery], columns: deliveryColumns, empty: "" }))
    })
).pipe(Command.withDescription("Send one delivery again"))
