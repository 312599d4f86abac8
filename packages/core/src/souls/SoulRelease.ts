import type { ReleaseContent, ReleaseHead, ReleaseStatus } from "../releases/Release.ts"
import type { DsseEnvelope } from "../signing/DsseEnvelope.ts"

/** The release of a new version, with its text; its verdict is stored already (SOUL-48). */
export interface SoulRelease {
  readonly version: number
  readonly content: string
  readonly head: ReleaseContent & ReleaseHead
  /** Signed over the verdict. */
  readonly statement: DsseEnvelope
}

/** The semantic version of a version's release: `3.0.0` for the third text (SOUL-48). */
export const releaseVersionOf = (version: number): string => `${version}.0.0`

/** The version that the release is of; null if no version of a soul has this semantic version. */
export const soulVersionOf = (releaseVersion: string): number | null => {
  const number = /^([1-9][0-9]{0,9})\.0\.0$/.exec(releaseVersion)?.[1]
  return number === undefined ? null : Number(number)
}

/** The states of versions that a reader may read; the author reads all of them (SOUL-53). */
export const readableStatuses = (licensed: boolean): ReadonlyArray<ReleaseStatus> =>
  licensed ? ["published", "yanked"] : ["published"]
