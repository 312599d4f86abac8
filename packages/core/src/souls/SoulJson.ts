import { outputOf } from "../fields/Field.ts"
import type { ListingStats } from "../listings/Listing.ts"
import { Usdt } from "../money/Usdt.ts"
import { Text } from "../text/Text.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { Release } from "../releases/Release.ts"
import type { Soul } from "./Soul.ts"
import { soulFields } from "./SoulFields.ts"
import type { SoulVersion } from "./SoulStore.ts"

const item = outputOf(soulFields, "soul", "item")
const detail = outputOf(soulFields, "soul", "detail")
const own = outputOf(soulFields, "own", "detail")

/** A soul as an item of the skill face (SEARCH-5, SEARCH-7), without `rating`. */
const skillItem = (soul: Soul) => ({
  id: soul.id,
  slug: soul.slug,
  title: soul.name,
  shortDesc: Text.clip(soul.description, 280),
  price: Usdt.format(soul.price),
  currency: "USDC",
  category: soul.category,
  thumbnailUrl: soul.thumbnailUrl,
  pricingModel: soul.price === 0n ? "free" : "one_time",
  featured: false,
  kind: "soul",
  delivery: soul.releaseVersion === null ? "license_only" : "release",
  trust: soul.trust
})

/** The public part of a paid soul's text if the full text requires a license (SOUL-45): 280 characters. */
const preview = (content: string): string => Text.clip(content, 280)

const pendingFields = ({ createdAt, release, version }: SoulVersion & { readonly release: Release }) => ({
  version,
  status: release.status,
  verdict: release.verdict,
  reason: release.reason,
  createdAt: Timestamp.toIso(createdAt)
})

const head = (fields: object): string => JSON.stringify(fields).slice(0, -1)

const stats = ({ rating, reviews, sales }: ListingStats): string =>
  `"stats":{"sales":${sales},"rating":${rating},"reviews":${reviews}}`

/**
 * The JSON of responses, rendered once when a soul is written and stored with it: an object text without its closing brace (`…Head`), to
 * which a store appends frequently changing fields with `close…`.
 */
export const SoulJson = {
  preview,
  /** Every field of SOUL-1 except `downloads`. */
  itemHead: (soul: Soul): string => head(item(soul)),
  /** The fields of the item, the full text, and the fields of SOUL-3. */
  detailHead: (soul: Soul): string => head(detail(soul)),
  /** The detail with only the first 280 characters of the text (SOUL-45). */
  previewHead: (soul: Soul): string => head({ ...detail(soul), content: preview(soul.content), preview: true }),
  /** The fields that only the author sees (SOUL-3, SOUL-9, SOUL-47), to be appended to a head. */
  ownFields: (soul: Soul): string => `,${JSON.stringify(own(soul)).slice(1, -1)}`,
  /** The newest version, if it is not on sale (SOUL-54), to be appended to a head. */
  pendingVersion: (pending: (SoulVersion & { readonly release: Release }) | null): string =>
    `,${JSON.stringify({ pendingVersion: pending === null ? null : pendingFields(pending) }).slice(1, -1)}`,
  skillHead: (soul: Soul): string => head(skillItem(soul)),
  skillDetailHead: (soul: Soul): string =>
    head({
      ...skillItem(soul),
      description: soul.description,
      tags: soul.tags,
      creator: { id: soul.authorId, name: soul.author, verified: soul.creatorVerified },
      maxActivations: null,
      status: soul.suspension === null ? "approved" : "suspended",
      createdAt: Timestamp.toIso(soul.createdAt)
    }),
  close: (itemHead: string, downloads: number): string => `${itemHead},"downloads":${downloads}}`,
  closeDetail: (detailHead: string, downloads: number, counted: ListingStats): string =>
    `${detailHead},"downloads":${downloads},${stats(counted)}}`,
  closeSkill: (skillHead: string, { rating }: ListingStats): string => `${skillHead},"rating":${rating}}`,
  closeSkillDetail: (skillDetailHead: string, counted: ListingStats): string =>
    `${skillDetailHead},"rating":${counted.rating},${stats(counted)}}`
}
