import type { SoulVersion } from "@agent-marketplace/client/wire/Endpoints"
import { Argument, Command } from "effect/cli"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
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
    callAndReport(
      (market, options) => market.souls.version(slug, version, options),
      (_, found) => plain.text(found.content).trimEnd()
    )
).pipe(Command.withDescription("Print the text of one version"))

const listed = Command.make("list", { slug, ...pageFlags }, ({ limit, page, slug }) =>
  callAndReport(
    (market, options) => market.souls.versions(slug, { page, limit }, options),
    listOf(columns, "No versions.")
  )
).pipe(Command.withDescription("List the versions; each change of the text creates one"))

export const versionsCommand = Command.make("versions").pipe(
  Command.withDescription("The versions of a SOUL's text"),
  Command.withSubcommands([listed, show])
)
