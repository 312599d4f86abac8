import type { Appeal } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { findItem, itemArguments } from "../listings/findItem.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const text = Flag.String("text").pipe(Flag.withDescription("Why the decision is wrong; 1 to 2,000 characters"))

export const appealCommand = Command.make(
  "appeal",
  { ...itemArguments, text, version: optionalText("release", "The version of a quarantined release") },
  ({ item, text, type, version }) =>
    Effect.gen(function* () {
      const { id } = yield* findItem(item, Option.getOrUndefined(type))
      const draft = { text, ...(Option.isSome(version) ? { version: version.value } : {}) }
      const made = yield* callMarket((market, options) => market.items.appeal(id, draft, options))
      yield* report(made, () => `The ${made.subject} of ${made.itemId} is appealed (${made.id}).`)
    })
).pipe(Command.withDescription("Appeal a rejection, suspension or quarantine of your own item"))

const columns: ReadonlyArray<Column<Appeal>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "DECISION", value: ({ subject, version }) => (version === null ? subject : `${subject} of ${version}`) },
  { title: "STATUS", value: ({ status }) => status },
  { title: "ANSWER", value: ({ answer }) => plain.line(answer ?? ""), yields: true },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

export const appealsCommand = Command.make(
  "appeals",
  { ...itemArguments, ...pageFlags },
  ({ item, limit, page, type }) =>
    Effect.gen(function* () {
      const { id } = yield* findItem(item, Option.getOrUndefined(type))
      const found = yield* callMarket((market, options) => market.items.appeals(id, { page, limit }, options))
      yield* report(found, (shown) => list(shown, { rows: found, columns, empty: "No appeals." }))
    })
).pipe(Command.withDescription("List the appeals about your own item, newest first"))
