import type { Release } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { callMarket } from "../identity/session.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { findItem } from "./findItem.ts"
import { findingColumns, releaseText } from "./releaseText.ts"

const columns: ReadonlyArray<Column<Release>> = [
  { title: "VERSION", value: ({ version }) => version },
  { title: "STATUS", value: ({ status }) => status },
  { title: "VERDICT", value: ({ verdict }) => verdict?.level ?? "" },
  { title: "SIZE", value: ({ size }) => String(size) },
  { title: "UPLOADED", value: ({ createdAt }) => when(createdAt) },
  { title: "SHA-256", value: ({ sha256 }) => sha256, yields: true }
]

const skill = Argument.String("skill").pipe(Argument.withDescription("A skill's id or slug"))
const version = Argument.String("version").pipe(Argument.withDescription("A version, such as 1.0.0"))
const file = Argument.String("file").pipe(Argument.withDescription("A tar.gz or a zip"))

const show = (release: Release) => report(release, (page) => releaseText(page, release))

const upload = Command.make(
  "upload",
  { skill, file, version: optionalText("release-version", "The version; by default that of SKILL.md") },
  ({ file: path, skill: name, version: wanted }) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const archive = yield* Effect.mapError(files.readFile(path), () => usageFailure(`${path} cannot be read`))
      const { id } = yield* findItem(name, "skill")
      const release = yield* callMarket((market, options) =>
        market.releases.upload(id, archive, Option.getOrUndefined(wanted), options)
      )
      yield* show(release)
    })
).pipe(Command.withDescription("Upload a release of your skill"))

const listReleases = Command.make("list", { skill, ...pageFlags }, ({ skill: name, ...page }) =>
  Effect.gen(function* () {
    const { id } = yield* findItem(name, "skill")
    const found = yield* callMarket((market, options) => market.releases.list(id, page, options))
    yield* report(found, (terminal) => list(terminal, { rows: found.releases, columns, empty: "No release." }))
  })
).pipe(Command.withDescription("List the releases of a skill"))

const showRelease = Command.make("show", { skill, version }, ({ skill: name, version: wanted }) =>
  Effect.gen(function* () {
    const { id } = yield* findItem(name, "skill")
    yield* show(yield* callMarket((market, options) => market.releases.get(id, wanted, options)))
  })
).pipe(Command.withDescription("Show a release with its verdict"))

const download = Command.make(
  "download",
  {
    skill,
    version,
    path: optionalText("path", "One file of the release, such as SKILL.md; by default the archive"),
    output: Flag.String("output").pipe(Flag.withDescription("The file to write; it must not exist"))
  },
  ({ output, path, skill: name, version: wanted }) =>
    Effect.gen(function* () {
      const { id } = yield* findItem(name, "skill")
      const archive = yield* callMarket((market, options) =>
        market.releases.download(id, wanted, { ...options, ...(Option.isSome(path) ? { path: path.value } : {}) })
      )
      const files = yield* FileSystem.FileSystem
      yield* Effect.mapError(files.writeFile(output, archive, { flag: "wx" }), () =>
        usageFailure(`${output} cannot be written: it exists, or its folder is missing`)
      )
      yield* report({ file: output, size: archive.length }, () => `${output}: ${archive.length} bytes`)
    })
).pipe(Command.withDescription("Download the archive of a release, or one file of it"))

const yank = Command.make(
  "yank",
  {
    skill,
    version,
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for those who installed it")),
    yes: yesFlag
  },
  ({ reason, skill: name, version: wanted, yes }) =>
    Effect.gen(function* () {
      const { id } = yield* findItem(name, "skill")
      yield* confirm(`Take ${wanted} of ${name} off sale for good?`, yes)
      yield* show(yield* callMarket((market, options) => market.releases.yank(id, wanted, { reason }, options)))
    })
).pipe(Command.withDescription("Take a release off sale for good"))

const rescan = Command.make("rescan", { skill, version }, ({ skill: name, version: wanted }) =>
  Effect.gen(function* () {
    const { id } = yield* findItem(name, "skill")
    yield* show(yield* callMarket((market, options) => market.releases.rescan(id, wanted, options)))
  })
).pipe(Command.withDescription("Scan a release of your skill again, at most once an hour"))

export const releasesCommand = Command.make("releases").pipe(
  Command.withDescription("Releases of skills: what is installed, scanned and signed"),
  Command.withSubcommands([upload, listReleases, showRelease, download, yank, rescan])
)

const item = Argument.String("item").pipe(Argument.withDescription("The id of a skill or of a SOUL"))

export const trustCommand = Command.make("trust", { item }, ({ item: id }) =>
  Effect.gen(function* () {
    const trust = yield* callMarket((market, options) => market.releases.trust(id, options))
    const level = trust.level ?? "no verdict"
    const empty = `${level}: no findings${trust.ruleset === null ? "" : ` by ruleset ${trust.ruleset}`}.`
    yield* report(trust, (page) => list(page, { rows: trust.findings, columns: findingColumns, empty }))
  })
).pipe(Command.withDescription("Show the verdict on an item, with its findings"))
