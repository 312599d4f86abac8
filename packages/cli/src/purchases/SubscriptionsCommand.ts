import type { Subscription } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { usdt, when } from "../terminal/format.ts"
import { list, listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const columns: ReadonlyArray<Column<Subscription>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: ({ price }) => `${usdt(price)} every 30 days`, right: true },
  { title: "STATUS", value: ({ cancelAtPeriodEnd, status }) => (cancelAtPeriodEnd ? "ends" : status) },
  { title: "PAID UNTIL", value: ({ currentPeriodEnd }) => when(currentPeriodEnd) }
]

const cancel = Command.make(
  "cancel",
  { id: Argument.String("subscription").pipe(Argument.withDescription("A subscription's id, sub_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const ended = yield* callMarket((market, options) => market.subscriptions.cancel(id, options))
      const until = when(ended.currentPeriodEnd)
      yield* report(ended, () => `${plain.line(ended.skill.name)} is cancelled; it is valid until ${until}.`)
    })
).pipe(Command.withDescription("Cancel a subscription; it stays valid until the end of the period"))

const resume = Command.make(
  "resume",
  { id: Argument.String("subscription").pipe(Argument.withDescription("A subscription's id, sub_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const resumed = yield* callMarket((market, options) => market.subscriptions.resume(id, options))
      const next = when(resumed.currentPeriodEnd)
      yield* report(
        resumed,
        () => `${plain.line(resumed.skill.name)} renews again: ${usdt(resumed.price)} every 30 days, next on ${next}.`
      )
    })
).pipe(Command.withDescription("Undo a cancellation before the period ends"))

const show = Command.make(
  "show",
  { id: Argument.String("subscription").pipe(Argument.withDescription("A subscription's id, sub_…")) },
  ({ id }) =>
    callAndReport(
      (market, options) => market.subscriptions.get(id, options),
      (page, found) => list(page, { rows: [found], columns, empty: "" })
    )
).pipe(Command.withDescription("Show one subscription"))

export const subscriptionsCommand = Command.make("subscriptions", pageFlags, (page) =>
  callAndReport((market, options) => market.subscriptions.list(page, options), listOf(columns, "No subscriptions."))
).pipe(
  Command.withDescription("List subscriptions, which are renewed from the wallet"),
  Command.withSubcommands([show, cancel, resume])
)
