import type { Subscription } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { plain } from "../terminal/plain.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { usdt } from "../terminal/usdt.ts"
import { when } from "../terminal/when.ts"

const columns: ReadonlyArray<Column<Subscription>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "WHAT", value: ({ skill }) => skill.name, yields: true },
  { title: "PRICE", value: ({ price }) => usdt(price), right: true },
  { title: "STATUS", value: ({ cancelAtPeriodEnd, status }) => (cancelAtPeriodEnd ? "ends" : status) },
  { title: "PAID UNTIL", value: ({ currentPeriodEnd }) => when(currentPeriodEnd) }
]

const cancel = Command.make(
  "cancel",
  { id: Argument.String("subscription").pipe(Argument.withDescription("A subscription's id, sub_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const ended = yield* ask((market, options) => market.subscriptions.cancel(id, options))
      const until = when(ended.currentPeriodEnd)
      yield* report(ended, () => `${plain.line(ended.skill.name)} is not renewed; it is valid until ${until}.`)
    })
).pipe(Command.withDescription("Renew a subscription no more; it stays valid to the period's end"))

export const subscriptionsCommand = Command.make("subscriptions", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.subscriptions.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "There is no subscription." }))
  })
).pipe(Command.withDescription("List what is renewed from the wallet"), Command.withSubcommands([cancel]))
