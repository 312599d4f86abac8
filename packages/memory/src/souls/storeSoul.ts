import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { soulFacets } from "../catalogue/Facets.ts"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** Stores a soul, the JSON that readers get, and its text if the version is new. */
export const storeSoul = (tables: MarketTables, soul: Soul): void => {
  tables.souls.set(soul.id, {
    soul,
    itemHead: SoulJson.itemHead(soul),
    detailHead: SoulJson.detailHead(soul),
    skillHead: SoulJson.skillHead(soul),
    facets: soulFacets(soul)
  })
  tables.soulsBySlug.set(soul.slug, soul.id)
  Index.add(tables.soulsOf, soul.authorId, soul.id)
  const versions = tables.soulVersions.get(soul.id) ?? []
  if (versions.at(-1)?.version === soul.version) return
  tables.soulVersions.set(soul.id, [
    ...versions,
    { version: soul.version, content: soul.content, createdAt: soul.updatedAt }
  ])
}
