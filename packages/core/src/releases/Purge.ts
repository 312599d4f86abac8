import { Conflict } from "../errors/MarketError.ts"
import type { Soul } from "../souls/Soul.ts"
import { releaseVersionOf } from "../souls/SoulRelease.ts"
import type { ReleaseContent, ReleaseHead } from "./Release.ts"
import { noCapabilities } from "./Verdict.ts"
import type { Finding, Scan } from "./Verdict.ts"

/** The bytes of an upload were purged: they cannot be uploaded again, by anyone (PURGE-6). */
export const bytesPurged = new Conflict({
  state: "purged",
  reason: "an operator purged these bytes permanently, and they cannot be published again"
})

/** The content of a purged release: digests and sizes remain, paths and front matter do not (PURGE-4). */
export const purgedContent = ({ files }: Pick<ReleaseContent, "files">): ReleaseContent => ({
  files: files
    .map(({ sha256, size }) => ({ path: sha256, size, sha256 }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  frontMatter: null
})

/** Findings without their place and evidence (PURGE-4). */
export const purgedFindings = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  findings.map((finding) => ({ ...finding, file: "", line: 0, evidence: "" }))

/** The result of a scan of purged bytes: level and rules remain, everything that was found in the bytes does not (PURGE-4). */
export const purgedScan = ({ verdict }: Scan): Scan => ({
  verdict: { ...verdict, findings: purgedFindings(verdict.findings) },
  capabilities: noCapabilities
})

/** The soul without its text if the release of that text is purged (PURGE-7). */
export const withoutPurgedText = (soul: Soul, releases: ReadonlyArray<ReleaseHead>): Soul => {
  const current = releases.find(({ version }) => version === releaseVersionOf(soul.version))
  return current === undefined || current.purgedAt === null ? soul : { ...soul, content: "" }
}
