import type { SavedAddress } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { fields } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"

const columns: ReadonlyArray<Column<SavedAddress>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ADDRESS", value: ({ address }) => address, yields: true },
  { title: "LABEL", value: ({ label }) => label ?? "", yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const add = Command.make(
  "add",
  {
    address: Argument.String("address").pipe(Argument.withDescription("A TRON address")),
    label: optionalText("label", "A name for it")
  },
  ({ address, label }) =>
    Effect.gen(function* () {
      const draft = { address, ...(Option.isNone(label) ? {} : { label: label.value }) }
      const saved = yield* callMarket((market, options) => market.wallet.addresses.save(draft, options))
      yield* report(saved, (page) =>
        fields(page, [
          ["id", saved.id],
          ["address", saved.address],
          ["label", saved.label],
          ["since", when(saved.createdAt)]
        ])
      )
    })
).pipe(Command.withDescription("Save an address. Needs an owner's FULL key"))

const remove = Command.make(
  "remove",
  { id: Argument.String("id").pipe(Argument.withDescription("An entry's id, adr_…")) },
  ({ id }) =>
    callAndReport(
      (market, options) => market.wallet.addresses.remove(id, options),
      (_, removed) => `${removed.id} is removed.`
    )
).pipe(Command.withDescription("Remove an address; saved again later, it counts as new"))

export const addressesCommand = Command.make("addresses", pageFlags, (page) =>
  callAndReport(
    (market, options) => market.wallet.addresses.list(page, options),
    listOf(columns, "No addresses saved.")
  )
).pipe(Command.withDescription("The address book for withdrawals"), Command.withSubcommands([add, remove]))
