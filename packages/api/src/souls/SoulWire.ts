import { outputOf } from "@agent-marketplace/core/fields/Field"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import type { OwnSoul, SoulCreated, SoulDownloaded } from "./SoulSchemas.ts"

const detail = outputOf(soulFields, "soul", "detail", { guarded: true })
const own = outputOf(soulFields, "own", "detail")

/** The response body of SOUL-30. */
export const toSoulCreated = (soul: Soul): typeof SoulCreated.Type => {
  const { author, category, createdAt, description, id, name, price, slug, tags } = detail(soul)
  return { id, slug, name, description, price, category, tags, author, createdAt }
}

/** A soul as its author gets it after a change: SOUL-2 with version and visibility (SOUL-33). */
export const toOwnSoul = (soul: Soul): typeof OwnSoul.Type => ({ ...detail(soul), ...own(soul) })

/** The response body of a download (SOUL-36). */
export const toSoulDownloaded = ({ content, slug, version }: Soul): typeof SoulDownloaded.Type => ({
  slug,
  content,
  version
})
