import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { withdrawalFields } from "./withdrawalFields.ts"

export const cancelWithdrawalCommand = Command.make(
  "cancel",
  { id: Argument.String("withdrawal").pipe(Argument.withDescription("A withdrawal's id, wdr_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const cancelled = yield* ask((market, options) => market.wallet.cancelWithdrawal(id, options))
      yield* report(cancelled, (page) => withdrawalFields(page, cancelled))
    })
).pipe(Command.withDescription("Cancel a withdrawal that was not broadcast yet"))
