import type { ReleaseHead } from "../releases/Release.ts"
import type { ItemReleases } from "../releases/ItemReleases.ts"
import type { AdvisoryDraft } from "./Advisory.ts"

const draft =
  (fields: Pick<AdvisoryDraft, "action" | "severity">) =>
  (
    { item: { creatorId, id } }: Pick<ItemReleases, "item">,
    releases: ReadonlyArray<Pick<ReleaseHead, "sha256" | "version">>,
    reason: string
  ): AdvisoryDraft => ({
    itemId: id,
    creatorId,
    versions: releases.map(({ version }) => version),
    sha256: [...new Set(releases.map(({ sha256 }) => sha256))],
    reason,
    ...fields
  })

/** The advisory about these releases of an item. Without releases, it is about the item as a whole (ADVISORY-1). */
export const advisoryDrafts = {
  revoked: draft({ severity: "critical", action: "remove" }),
  quarantined: draft({ severity: "high", action: "note" }),
  yanked: draft({ severity: "info", action: "note" }),
  purged: draft({ severity: "high", action: "note" }),
  released: draft({ severity: "info", action: "note" })
} as const
