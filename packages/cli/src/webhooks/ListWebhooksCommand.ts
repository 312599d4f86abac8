import type { Webhook } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"

const columns: ReadonlyArray<Column<Webhook>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "URL", value: ({ url }) => url, yields: true },
  { title: "EVENTS", value: ({ events }) => events.join(", "), yields: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

export const listWebhooksCommand = Command.make("list", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.webhooks.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "There is no subscription." }))
  })
).pipe(Command.withDescription("List the subscriptions"))
