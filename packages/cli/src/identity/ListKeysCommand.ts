import type { Key } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"
import { ask } from "./session.ts"

const columns: ReadonlyArray<Column<Key>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "SCOPE", value: ({ scope }) => scope },
  { title: "BEGINS", value: ({ prefix }) => prefix },
  { title: "STATUS", value: ({ status }) => status },
  { title: "AGENT", value: ({ agentId }) => agentId ?? "" },
  { title: "LAST USED", value: ({ lastUsedAt }) => when(lastUsedAt) },
  { title: "EXPIRES", value: ({ expiresAt }) => when(expiresAt) }
]

export const listKeysCommand = Command.make("list", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.keys.list({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "There is no key." }))
  })
).pipe(Command.withDescription("List the account's keys, without their secrets"))
