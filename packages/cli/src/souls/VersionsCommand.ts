import type { SoulVersion } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const columns: ReadonlyArray<Column<SoulVersion>> = [
  { title: "VERSION", value: ({ version }) => String(version), right: true },
  { title: "CURRENT", value: ({ current }) => (current ? "yes" : "") },
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) }
]

const slug = Argument.String("soul").pipe(Argument.withDescription("A SOUL's slug"))

const show = Command.make(
  "show",
  { slug, version: Argument.Int("version").pipe(Argument.withDescription("A version's number")) },
  ({ slug, version }) =>
    Effect.gen(function* () {
      const found = yield* callMarket((market, options) => market.souls.version(slug, version, options))
      yield* report(found, () => plain.text(found.content).trimEnd())
    })
).pipe(Command.withDescription("Print the text of one version"))

const listed = Command.make("list", { slug, ...pageFlags }, ({ limit, page, slug }) =>
  Effect.gen(function* () {
    const found = yield* callMarket((market, options) => market.souls.versions(slug, { page, limit }, options))
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No versions." }))
  })
).pipe(Command.withDescription("List the versions; each change of the text creates one"))

export const versionsCommand = Command.make("versions").pipe(
  Command.withDescription("The versions of a SOUL's text"),
  Command.withSubcommands([listed, show])
)
