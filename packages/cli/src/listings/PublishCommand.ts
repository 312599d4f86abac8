import type { SoulCreate } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { ask } from "../identity/session.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"
import { listingOf, skillOf } from "./Manifest.ts"
import type { Publication } from "./readPublication.ts"
import { readPublication } from "./readPublication.ts"

type Soul = Publication & { readonly type: "soul" }
type Skill = Publication & { readonly type: "skill" }

/** Price, category and tags are read by the market, from the same front matter. */
const soulOf = ({ content, manifest }: Soul): SoulCreate =>
  ({ name: manifest["name"], description: manifest["description"], content }) as SoulCreate

/** An update says what the front matter says (CLI-7): the market reads that of a new SOUL only. */
const soulPatchOf = (soul: Soul) => {
  const { category, price, tags } = soul.manifest as Partial<SoulCreate>
  return { ...soulOf(soul), price, category, tags }
}

const publishSoul = (soul: Soul, update: string | undefined) =>
  Effect.gen(function* () {
    const published = yield* update === undefined
      ? ask((market, options) => market.souls.create(soulOf(soul), options))
      : ask((market, options) => market.souls.update(update, soulPatchOf(soul), options))
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
    message: `${id} was submitted, but not all of ${file}: ${failure.message}`,
    hint: `Correct it, then \`agent-marketplace publish ${file} --update ${id}\`.`
  })

/** A skill has two faces, and each takes what the other does not (SKILL-10). */
const publishSkill = ({ file, manifest }: Skill, update: string | undefined) =>
  Effect.gen(function* () {
    const skill = skillOf(manifest)
    const { id } = yield* update === undefined
      ? ask((market, options) => market.skills.create(skill, options))
      : ask((market, options) => market.skills.update(update, skill, options))
    const more = listingOf(manifest)
    if (Object.keys(more).length > 0)
      yield* ask((market, options) => market.listings.update(id, more, options)).pipe(
        Effect.mapError(halfDone(id, file))
      )
    const published = yield* ask((market, options) => market.skills.get(id, options))
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
    update: Flag.String("update").pipe(
      Flag.withDescription("Change this one, by a SOUL's slug or a skill's id, instead of publishing another"),
      Flag.optional
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
      "Of a SOUL.md's front matter are read: name, description, price, category, tags. " +
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
