import type { Transaction } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { when } from "../terminal/when.ts"

const columns: ReadonlyArray<Column<Transaction>> = [
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) },
  { title: "TYPE", value: ({ type }) => type },
  { title: "AMOUNT", value: ({ amount }) => amount, right: true },
  { title: "BALANCE", value: ({ balanceAfter }) => balanceAfter, right: true },
  { title: "REFERENCE", value: ({ reference }) => reference, yields: true }
]

export const transactionsCommand = Command.make("transactions", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.wallet.transactions({ page, limit }, options))
    yield* report(found, (paper) => list(paper, { rows: found, columns, empty: "Nothing has moved yet." }))
  })
).pipe(Command.withDescription("List the wallet's ledger lines, newest first"))
