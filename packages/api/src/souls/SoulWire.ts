import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { OwnSoul, SoulCreated, SoulDownloaded } from "./SoulSchemas.ts"

/** Specification 2.3, create response. */
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

/** Specification 2.2 with version and visibility: what the author gets back after a change. */
export const toOwnSoul = (soul: Soul): typeof OwnSoul.Type => ({
  ...toSoulCreated(soul),
  downloads: soul.downloads,
  updatedAt: Timestamp.toIso(soul.updatedAt),
  content: soul.content,
  version: soul.version,
  visibility: soul.visibility
})

/** Contract 3, download. */
export const toSoulDownloaded = ({ content, slug, version }: Soul): typeof SoulDownloaded.Type => ({
  slug,
  content,
  version
})
