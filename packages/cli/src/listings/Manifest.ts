import type { ListingPatch, SkillCreate } from "@agent-marketplace/client/wire/Endpoints"
import { DecimalLiteral } from "@agent-marketplace/core/money/DecimalLiteral"
import { Result } from "effect"
import { Yaml } from "effect/encoding"

const block = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/

const isMapping = (value: unknown): value is Manifest =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The manifest with a price that parsing would round, as it is written, so that the market refuses it (MONEY-5). */
export const withExactPrice = (text: string, manifest: Manifest): Manifest =>
  "price" in manifest ? { ...manifest, price: DecimalLiteral.exactField(text, "price", manifest["price"]) } : manifest

/** The YAML front matter of a Markdown text and the text below it; undefined if there is no valid front matter. */
export const frontMatter = (text: string): { readonly manifest: Manifest; readonly body: string } | undefined => {
  const found = block.exec(text)
  if (found === null) return undefined
  const parsed = Result.try({ try: () => Yaml.parse(found[1] ?? ""), catch: () => "format" as const })
  return Result.isSuccess(parsed) && isMapping(parsed.success)
    ? { manifest: withExactPrice(found[1] ?? "", parsed.success), body: text.slice(found[0].length).trim() }
    : undefined
}

/** The fields of a skill.json or of front matter, named as in the API. Unchecked: the market validates them. */
export type Manifest = Readonly<Record<string, unknown>>

const skillFields = [
  "name",
  "description",
  "price",
  "category",
  "shortDesc",
  "thumbnailUrl",
  "currency",
  "pricingModel"
]

const listingFields = ["longDescription", "tags", "installUrl", "documentationUrl", "screenshots", "videoUrl"]

const only = (manifest: Manifest, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.flatMap((name) => (manifest[name] === undefined ? [] : [[name, manifest[name]]])))

/** The fields of the skill format. */
export const skillOf = (manifest: Manifest): SkillCreate => only(manifest, skillFields) as unknown as SkillCreate

/** The fields that only the listing format accepts (SKILL-10). */
export const listingOf = (manifest: Manifest): ListingPatch => only(manifest, listingFields) as ListingPatch
