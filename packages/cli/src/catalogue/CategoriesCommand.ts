import type { Category } from "@agent-marketplace/client/wire/Endpoints"
import { Argument, Command } from "effect/cli"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"

const columns: ReadonlyArray<Column<Category>> = [
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "NAME", value: ({ icon, name }) => `${icon} ${name}`, yields: true },
  { title: "PART OF", value: ({ parent }) => parent ?? "" },
  { title: "FOR", value: ({ appliesTo }) => appliesTo.join(", ") },
  { title: "ITEMS", value: ({ count }) => String(count), right: true }
]

export const categoriesCommand = Command.make("categories", pageFlags, (page) =>
  callAndReport((market, options) => market.categories.list(page, options), listOf(columns, "No categories."))
).pipe(Command.withDescription("List the categories of skills and SOULs"))

export const creatorCommand = Command.make(
  "creator",
  { id: Argument.String("account").pipe(Argument.withDescription("A creator's account id, usr_…")) },
  ({ id }) =>
    callAndReport(
      (market, options) => market.creators.get(id, options),
      (page, creator) =>
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
).pipe(Command.withDescription("Show the public counts of a creator"))
