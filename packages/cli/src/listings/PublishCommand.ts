import type { SoulCreate } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { callMarket } from "../identity/session.ts"
import { notice, report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { listingOf, skillOf } from "./Manifest.ts"
import type { Publication } from "./readPublication.ts"
import { readPublication } from "./readPublication.ts"
import { findingsText } from "../publishing/findingsText.ts"
import type { LocalFinding } from "../publishing/packRelease.ts"
import { packRelease } from "../publishing/packRelease.ts"
import { uploadRelease } from "../publishing/uploadRelease.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { switchFlag } from "../terminal/switchFlag.ts"
import { findItem } from "./findItem.ts"

type Soul = Publication & { readonly type: "soul" }
type Skill = Publication & { readonly type: "skill" }

/** The market reads price, category and tags from the same front matter. */
const soulOf = ({ content, manifest }: Soul): SoulCreate =>
  ({
    name: manifest["name"],
    description: manifest["description"],
    content,
    ...(manifest["price"] === undefined ? {} : { price: manifest["price"] })
  }) as SoulCreate

/** An update sends the front matter's fields (CLI-7), because the market reads front matter only when a SOUL is created. */
const soulPatchOf = (soul: Soul) => {
  const { category, price, tags } = soul.manifest as Partial<SoulCreate>
  return { ...soulOf(soul), price, category, tags }
}

const requiredOfSoul = [
  ["name", "Name"],
  ["description", "Description"],
  ["price", "Price in USDC"]
] as const

/** The same front matter, with the fields that the market requires. A SOUL without a price is free. */
const completed = (soul: Soul) =>
  Effect.gen(function* () {
    const missing = requiredOfSoul.filter(([field]) => (soul.manifest[field] ?? "") === "")
    const { canPrompt } = yield* CliContext
    if (canPrompt && !(yield* JsonFlag)) {
      const entered: Record<string, string> = {}
      for (const [field, label] of missing)
        entered[field] = yield* Prompt.run(
          Prompt.String({ message: label, ...(field === "price" ? { default: "0" } : {}) })
        )
      return { ...soul, manifest: { ...soul.manifest, ...entered } }
    }
    const required = missing.map(([field]) => field).filter((field) => field !== "price")
    if (required.length === 0) return soul
    return yield* usageFailure(
      `${soul.file} does not state its ${required.join(" and ")}`,
      "Start it with a line `---`, lines such as `name: Calm Negotiator`, and a line `---`, or publish it at a terminal, which prompts for them."
    )
  })

const publishSoul = (read: Soul, update: string | undefined) =>
  Effect.gen(function* () {
    const soul = update === undefined ? yield* completed(read) : read
    const published = yield* update === undefined
      ? callMarket((market, options) => market.souls.create(soulOf(soul), options))
      : callMarket((market, options) => market.souls.update(update, soulPatchOf(soul), options))
    yield* report({ type: "soul", soul: published }, (page) =>
      fields(page, [
        [update === undefined ? "published" : "updated", published.name],
        ["slug", published.slug],
        ["price", `${published.price} USDC`],
        ["category", published.category],
        ["tags", published.tags.join(", ")]
      ])
    )
  })

const halfDone = (id: string, file: string) => (failure: CommandFailure) =>
  new CommandFailure({
    ...failure,
    message: `${id} was submitted, but not every field of ${file}: ${failure.message}`,
    hint: `Correct it, then \`agent-marketplace publish ${file} --update ${id}\`.`
  })

/** A skill has two formats, and each accepts fields that the other does not (SKILL-10). */
const submitted = ({ file, manifest }: Skill, update: string | undefined) =>
  Effect.gen(function* () {
    const skill = skillOf(manifest)
    const { id } = yield* update === undefined
      ? callMarket((market, options) => market.skills.create(skill, options))
      : callMarket((market, options) => market.skills.update(update, skill, options))
    const more = listingOf(manifest)
    if (Object.keys(more).length > 0)
      yield* callMarket((market, options) => market.listings.update(id, more, options)).pipe(
        Effect.mapError(halfDone(id, file))
      )
    return yield* callMarket((market, options) => market.skills.get(id, options))
  })

const publishSkill = (skill: Skill, update: string | undefined) =>
  Effect.gen(function* () {
    const published = yield* submitted(skill, update)
    yield* report({ type: "skill", skill: published }, (page) =>
      fields(page, [
        [update === undefined ? "submitted" : "updated", published.title],
        ["id", published.id],
        ["slug", published.slug],
        ["price", `${published.price} ${published.currency}`],
        ["category", published.category],
        ["status", published.status]
      ])
    )
  })

/** Prints to standard error which files of the folder are not in the release. */
const sayLeftOut = (leftOut: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (leftOut.length === 0 || (yield* JsonFlag)) return
    const shown = leftOut.slice(0, 20).join(", ")
    yield* notice(`left out: ${shown}${leftOut.length > 20 ? ` and ${leftOut.length - 20} more` : ""}`)
  })

const sayFindings = (findings: ReadonlyArray<LocalFinding>) =>
  Effect.gen(function* () {
    const { page, writeError } = yield* CliContext
    if (findings.length > 0 && !(yield* JsonFlag)) writeError(`${findingsText(page, findings)}\n`)
  })

interface ReleaseOptions {
  readonly listing: string | undefined
  readonly version: string | undefined
  readonly scan: boolean
  readonly wait: boolean
}

const quarantined = (listing: string, version: string) =>
  new CommandFailure({
    code: "RELEASE_QUARANTINED",
    message: `the market quarantined ${version}: nobody can buy or install it`,
    hint: `\`agent-marketplace releases show ${listing} ${version}\` shows every finding. Upload a corrected version.`,
    exitCode: exitCodes.failure
  })

/** Checks a folder on this machine, then creates its listing unless it has one, then uploads the release (CLI-20). */
const publishRelease = (folder: string, skill: Skill | undefined, options: ReleaseOptions) =>
  Effect.gen(function* () {
    const { scan: scans, version } = options
    const packed = yield* packRelease(folder, { version, scan: scans, show: sayFindings })
    yield* sayLeftOut(packed.leftOut)
    const { id, slug } =
      options.listing === undefined && skill !== undefined
        ? yield* submitted(skill, undefined)
        : yield* findItem(options.listing ?? "", "skill")
    const release = yield* uploadRelease(id, packed, options.wait)
    const { leftOut, scan } = packed
    yield* report({ type: "release", listing: { id, slug }, release, scan, leftOut }, (page) =>
      [
        fields(page, [
          ["uploaded", slug],
          ["id", id],
          ["version", release.version],
          ["sha256", release.sha256],
          ["files", String(release.files.length)],
          ["status", release.status],
          ["verdict", release.verdict?.level],
          ["reason", release.reason?.text]
        ]),
        ...(release.verdict === null || release.verdict.findings.length === 0
          ? []
          : [findingsText(page, release.verdict.findings)])
      ].join("\n\n")
    )
    if (release.status === "quarantined") return yield* quarantined(slug, release.version)
    return undefined
  })

/** A folder with a SKILL.md is uploaded as a release, unless its manifest says that it is installed from elsewhere. */
const isReleaseFolder = (path: string, { manifest, type }: Publication): boolean =>
  type === "skill" && manifest["installUrl"] === undefined && existsSync(join(path, "SKILL.md"))

export const publishCommand = Command.make(
  "publish",
  {
    path: Argument.String("path").pipe(Argument.withDescription("A SOUL.md, or a folder with a skill")),
    update: optionalText(
      "update",
      "Update the fields of this item, by a SOUL's slug or a skill's id, instead of publishing a new one"
    ),
    listing: optionalText("listing", "Upload the folder as a release of this skill, by its id or slug"),
    version: optionalText("release-version", "The version of the release; by default that of SKILL.md"),
    scan: Flag.Boolean("scan").pipe(
      Flag.withDescription("Run the scanner on this machine before the upload, and stop if it would block the release"),
      Flag.withDefault(true)
    ),
    wait: switchFlag("wait", "Wait for the market's verdict")
  },
  ({ listing, path, update, ...more }) =>
    Effect.gen(function* () {
      const options = { ...more, listing: Option.getOrUndefined(listing), version: Option.getOrUndefined(more.version) }
      const updated = Option.getOrUndefined(update)
      if (options.listing !== undefined) {
        if (updated !== undefined) return yield* usageFailure("--listing and --update exclude each other")
        return yield* publishRelease(path, undefined, options)
      }
      const publication = yield* readPublication(path)
      if (publication.type === "soul") return yield* publishSoul(publication, updated)
      return updated === undefined && isReleaseFolder(path, publication)
        ? yield* publishRelease(path, publication, options)
        : yield* publishSkill(publication, updated)
    })
).pipe(
  Command.withDescription(
    "Publish a SOUL.md, or submit a skill for review. " +
      "The front matter of a SOUL.md has: name, description, price, category, tags; on a terminal missing ones are prompted for. " +
      "A skill's folder has a skill.json, or a SKILL.md with front matter: name, description, price, category, shortDesc, " +
      "thumbnailUrl, currency, pricingModel, tags, installUrl, documentationUrl, longDescription (of SKILL.md its text), " +
      "screenshots, videoUrl. A folder with a SKILL.md and without installUrl is uploaded as a release, without what .skillignore names."
  ),
  Command.withShortDescription("Publish a SOUL.md, or upload a skill's folder as a release"),
  Command.withExamples([
    { command: "agent-marketplace publish SOUL.md", description: "A new SOUL" },
    { command: "agent-marketplace publish SOUL.md --update calm-negotiator", description: "A new version of it" },
    { command: "agent-marketplace publish ./mail-sorter --wait", description: "A new skill with its first release" },
    { command: "agent-marketplace publish ./mail-sorter --listing mail-sorter", description: "The next release of it" }
  ])
)
