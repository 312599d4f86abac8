import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { list } from "../terminal/list.ts"
import { moreFooter } from "../terminal/moreFooter.ts"
import { pageFlags } from "../terminal/pageFlags.ts"
import { report } from "../terminal/report.ts"
import { withdrawalColumns } from "./withdrawalColumns.ts"

export const withdrawalsCommand = Command.make("withdrawals", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* ask((market, options) => market.wallet.withdrawals({ page, limit }, options))
    const footer = moreFooter(page, found.withdrawals.length, found.pagination.total, limit)
    yield* report(found, (paper) =>
      list(paper, { rows: found.withdrawals, columns: withdrawalColumns, empty: "Nothing withdrawn yet.", footer })
    )
  })
).pipe(Command.withDescription("List withdrawals, newest first"))
