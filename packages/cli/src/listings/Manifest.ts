import type { ListingPatch, SkillCreate } from "@agent-marketplace/client/wire/Endpoints"

/** What a file says of what it publishes, by the names of the API, unchecked: the market names what is wrong. */
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

/** What a skill is created with. */
export const skillOf = (manifest: Manifest): SkillCreate => only(manifest, skillFields) as unknown as SkillCreate

/** What only the listing's face of a skill takes (SKILL-10). */
export const listingOf = (manifest: Manifest): ListingPatch => only(manifest, listingFields) as ListingPatch
