import type { SoulVersion } from "@agent-marketplace/client/wire/Endpoints"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { releaseText } from "../listings/releaseText.ts"
import type { Page } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { listOf, pageFlags } from "../terminal/list.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const columns: ReadonlyArray<Column<SoulVersion>> = [
  { title: "VERSION", value: ({ version }) => String(version), right: true },
  { title: "CURRENT", value: ({ current }) => (current ? "yes" : "") },
  { title: "STATUS", value: ({ release }) => release?.status ?? "" },
  { title: "VERDICT", value: ({ release }) => release?.verdict?.level ?? "" },
  { title: "WHEN", value: ({ createdAt }) => when(createdAt) }
]

const slug = Argument.String("soul").pipe(Argument.withDescription("A SOUL's slug"))

const version = Argument.Int("version").pipe(Argument.withDescription("A version's number"))

const show = Command.make("show", { slug, version }, ({ slug, version }) =>
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

const released = (page: Page, { release }: Pick<SoulVersion, "release">) =>
  release === null ? "This version was not scanned yet." : releaseText(page, release)

const verdict = Command.make("verdict", { slug, version }, ({ slug, version }) =>
  callAndReport((market, options) => market.souls.version(slug, version, options), released)
).pipe(Command.withDescription("Show the state and the verdict of one version, with the findings"))

const yank = Command.make(
  "yank",
  {
    slug,
    version,
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for those who installed it")),
    yes: yesFlag
  },
  ({ reason, slug, version, yes }) =>
    Effect.andThen(
      confirm(`Take version ${version} of ${slug} off sale for good?`, yes),
      callAndReport((market, options) => market.souls.yankVersion(slug, version, { reason }, options), released)
    )
).pipe(Command.withDescription("Take a version of your SOUL off sale for good"))

const rescan = Command.make("rescan", { slug, version }, ({ slug, version }) =>
  callAndReport((market, options) => market.souls.rescanVersion(slug, version, options), released)
).pipe(Command.withDescription("Scan a version of your SOUL again, at most once an hour"))

export const versionsCommand = Command.make("versions").pipe(
  Command.withDescription("The versions of a SOUL's text"),
  Command.withSubcommands([listed, show, verdict, yank, rescan])
)
