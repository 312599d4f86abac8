import type { LockEntry } from "../lock/LockEntry.ts"
import { addedTo } from "./capabilitiesOf.ts"
import { isOlder } from "./isOlder.ts"

/** What an update changes (INSTALL-16). Paths and capabilities are sorted. */
export interface Changes {
  readonly files: {
    readonly added: ReadonlyArray<string>
    readonly removed: ReadonlyArray<string>
    readonly changed: ReadonlyArray<string>
  }
  /** `hosts api.example.com`: what is newly asked for, and what is no longer. */
  readonly capabilities: { readonly added: ReadonlyArray<string>; readonly removed: ReadonlyArray<string> }
  /** The levels of both verdicts; null for files that the market has not verified. */
  readonly verdict: { readonly from: string | null; readonly to: string | null }
}

export const changesOf = (before: LockEntry, after: LockEntry): Changes => {
  const [old, now] = [Object.keys(before.files).toSorted(), Object.keys(after.files).toSorted()]
  const isComparable = before.release !== null && after.release !== null
  const none = { added: [], removed: [] }
  return {
    files: {
      added: now.filter((path) => !Object.hasOwn(before.files, path)),
      removed: old.filter((path) => !Object.hasOwn(after.files, path)),
      changed: now.filter((path) => Object.hasOwn(before.files, path) && before.files[path] !== after.files[path])
    },
    capabilities: isComparable
      ? {
          added: addedTo(before.release.capabilities, after.release.capabilities),
          removed: addedTo(after.release.capabilities, before.release.capabilities)
        }
      : none,
    verdict: { from: before.release?.level ?? null, to: after.release?.level ?? null }
  }
}

/** Why `after` may replace `before` only if the owner accepts it (INSTALL-14, INSTALL-16); undefined if it may. */
export const reasonToAsk = (before: LockEntry, after: LockEntry, wasRequested: boolean): string | undefined => {
  if (before.release !== null && after.release === null)
    return "it was a verified release, and is now installed from an address that the market has not verified"
  if (before.release !== null && after.release !== null) {
    const { added } = changesOf(before, after).capabilities
    if (added.length > 0) return `${after.version} asks for more than ${before.version}: ${added.join(", ")}`
    return !wasRequested && isOlder(after.version, before.version)
      ? `${after.version} is older than the installed ${before.version}`
      : undefined
  }
  const isDrift = after.release === null && after.source.type !== "soul" && before.sha256 !== after.sha256
  return isDrift
    ? "its files changed at their source since they were installed, and the market has not verified them"
    : undefined
}
