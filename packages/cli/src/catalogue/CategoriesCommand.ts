import type { Category } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<Category>> = [
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "NAME", value: ({ icon, name }) => `${icon} ${name}`, yields: true },
  { title: "PART OF", value: ({ parent }) => parent ?? "" },
  { title: "FOR", value: ({ appliesTo }) => appliesTo.join(", ") },
  { title: "ITEMS", value: ({ count }) => String(count), right: true }
]

export const categoriesCommand = Command.make("categories", pageFlags, ({ limit, page }) =>
  Effect.gen(function* () {
    const found = yield* callMarket((market, options) => market.categories.list({ page, limit }, options))
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No categories." }))
  })
).pipe(Command.withDescription("List the categories of skills and SOULs"))

export const creatorCommand = Command.make(
  "creator",
  { id: Argument.String("account").pipe(Argument.withDescription("A creator's account id, usr_…")) },
  ({ id }) =>
    Effect.gen(function* () {
      const creator = yield* callMarket((market, options) => market.creators.get(id, options))
      yield* report(creator, (page) =>
        fields(page, [
          ["creator", creator.id],
          ["name", creator.name],
          ["verified", creator.verified ? "yes" : "no"],
          ["SOULs", creator.souls],
          ["skills", creator.listings],
          ["sold", creator.sales],
          ["rating", creator.rating === 0 ? "none yet" : `${creator.rating.toFixed(1)} of 5`],
          ["since", when(creator.joinedAt)]
        ])
      )
    })
).pipe(Command.withDescription("Show the public counts of a creator"))
