import type { Timestamp } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { ReleaseHead } from "./Release.ts"
import type { ItemReleases } from "./ItemReleases.ts"

/** The event of a release that is on sale, or no longer (RELEASE-20). */
export const releaseEvent = (
  type: "release.published" | "release.quarantined",
  { item }: Pick<ItemReleases, "item">,
  { id, level, reason, sha256, status, version }: ReleaseHead,
  at: Timestamp
): MarketEvent => ({
  type,
  at,
  subject: id,
  accounts: [item.creatorId],
  data: {
    releaseId: id,
    itemId: item.id,
    listingId: item.id,
    slug: item.slug,
    name: item.name,
    version,
    sha256,
    status,
    level,
    ...(reason === null ? {} : { reason: reason.text, code: reason.code })
  }
})
