import type { SoulId } from "@agent-marketplace/core/ids/Ids"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import type { SoulRelease } from "@agent-marketplace/core/souls/SoulRelease"
import type { SoulVersion } from "@agent-marketplace/core/souls/SoulStore"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import { soulFacets } from "../catalogue/Facets.ts"
import { Index } from "../Index.ts"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { MarketTables, StoredSoul } from "../MarketTables.ts"
import { putRelease } from "../releases/releaseTables.ts"

/** Stores the text of a version, unless it is stored already. */
const storeVersion = (tables: MarketTables, soul: SoulId, version: SoulVersion): void => {
  const versions = tables.soulVersions.get(soul) ?? []
  if (versions.some((known) => known.version === version.version)) return
  tables.soulVersions.set(soul, [...versions, version])
}

/** Stores the release of a new version of a soul, and the version's text. */
export const storeSoulRelease = (tables: MarketTables, soul: SoulId, release: SoulRelease | undefined): void => {
  if (release === undefined) return
  const { content, head, statement, version } = release
  storeVersion(tables, soul, { version, content, createdAt: head.createdAt })
  putRelease(tables, { ...head, statement })
}

/** A soul with what is derived from it: the JSON that readers get, and the words of its search. */
export const renderSoul = (soul: Soul, namedAt: Timestamp): StoredSoul => ({
  soul,
  itemHead: SoulJson.itemHead(soul),
  detailHead: SoulJson.detailHead(soul),
  skillHead: SoulJson.skillHead(soul),
  facets: soulFacets(soul),
  nameKeys: nameKeys(soul.name, soul.slug).keys,
  namedAt
})

/** Stores a soul, the JSON that readers get, and its text if the version is new. */
export const storeSoul = (tables: MarketTables, soul: Soul): void => {
  const before = tables.souls.get(soul.id)
  const namedAt =
    before === undefined ? soul.createdAt : before.soul.name === soul.name ? before.namedAt : soul.updatedAt
  tables.souls.set(soul.id, renderSoul(soul, namedAt))
  tables.soulsBySlug.set(soul.slug, soul.id)
  Index.add(tables.soulsOf, soul.authorId, soul.id)
  storeVersion(tables, soul.id, { version: soul.version, content: soul.content, createdAt: soul.updatedAt })
}
