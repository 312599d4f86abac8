import type { SoulCreate } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Prompt } from "effect/cli"
import { CommandFailure, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { JsonFlag } from "../terminal/JsonFlag.ts"
import { callMarket } from "../identity/session.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"
import { listingOf, skillOf } from "./Manifest.ts"
import type { Publication } from "./readPublication.ts"
import { readPublication } from "./readPublication.ts"
import { optionalText } from "../terminal/optionalText.ts"

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
const publishSkill = ({ file, manifest }: Skill, update: string | undefined) =>
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
    const published = yield* callMarket((market, options) => market.skills.get(id, options))
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

export const publishCommand = Command.make(
  "publish",
  {
    path: Argument.String("path").pipe(Argument.withDescription("A SOUL.md, or a folder with a skill")),
    update: optionalText(
      "update",
      "Update this item, by a SOUL's slug or a skill's id, instead of publishing a new one"
    )
  },
  ({ path, update }) =>
    Effect.flatMap(readPublication(path), (publication) =>
      publication.type === "soul"
        ? publishSoul(publication, Option.getOrUndefined(update))
        : publishSkill(publication, Option.getOrUndefined(update))
    )
).pipe(
  Command.withDescription(
    "Publish a SOUL.md, or submit a skill for review. " +
      "The front matter of a SOUL.md has: name, description, price, category, tags; on a terminal missing ones are prompted for. " +
      "A skill's folder has a skill.json, or a SKILL.md with front matter: name, description, price, category, shortDesc, " +
      "thumbnailUrl, currency, pricingModel, tags, installUrl, documentationUrl, longDescription (of SKILL.md its text), " +
      "screenshots, videoUrl."
  ),
  Command.withShortDescription("Publish a SOUL.md, or submit a skill for review"),
  Command.withExamples([
    { command: "agent-marketplace publish SOUL.md", description: "A new SOUL" },
    { command: "agent-marketplace publish SOUL.md --update calm-negotiator", description: "A new version of it" },
    { command: "agent-marketplace publish ./mail-sorter", description: "The skill in a folder" }
  ])
)
