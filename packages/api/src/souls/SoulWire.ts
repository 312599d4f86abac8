import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { OwnSoul, SoulCreated, SoulDownloaded } from "./SoulSchemas.ts"

/** The response body of SOUL-30. */
export const toSoulCreated = (soul: Soul): typeof SoulCreated.Type => ({
  id: soul.id,
  slug: soul.slug,
  name: soul.name,
  description: soul.description,
  price: Usdt.format(soul.price),
  category: soul.category,
  tags: soul.tags,
  author: soul.author,
  createdAt: Timestamp.toIso(soul.createdAt)
})

/** A soul as its author gets it after a change: SOUL-2 with version and visibility (SOUL-33). */
export const toOwnSoul = (soul: Soul): typeof OwnSoul.Type => ({
  ...toSoulCreated(soul),
  downloads: soul.downloads,
  updatedAt: Timestamp.toIso(soul.updatedAt),
  content: soul.content,
  version: soul.version,
  visibility: soul.visibility
})

/** The response body of a download (SOUL-36). */
export const toSoulDownloaded = ({ content, slug, version }: Soul): typeof SoulDownloaded.Type => ({
  slug,
  content,
  version
})
