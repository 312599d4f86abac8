import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Release as CoreRelease } from "@agent-marketplace/core/releases/Release"
import type { Trust } from "@agent-marketplace/core/releases/ItemTrust"
import type { ItemTrust, Release } from "./ReleaseSchemas.ts"

export const toRelease = (release: CoreRelease): typeof Release.Type => {
  const { capabilities, createdAt, files, frontMatter, id, reason, sha256, size, statement, status, verdict, version } =
    release
  return {
    id,
    version,
    sha256,
    size,
    files,
    frontMatter,
    status,
    verdict,
    capabilities,
    statement,
    reason: reason === null ? null : { code: reason.code, text: reason.text },
    createdAt: Timestamp.toIso(createdAt),
    purgedAt: release.purgedAt === null ? null : Timestamp.toIso(release.purgedAt)
  }
}

export const toItemTrust = ({ domains, nameFindings, releases, reports, verdict }: Trust): typeof ItemTrust.Type => ({
  level: verdict?.level ?? null,
  ruleset: verdict?.ruleset ?? null,
  findings: verdict?.findings ?? nameFindings,
  creator: { verified: domains.length > 0, domains },
  releases,
  reports
})
