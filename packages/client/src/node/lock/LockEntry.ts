import type { Envelope } from "../../signing/verifyEnvelope.ts"
import type { NeededCapabilities } from "../releases/capabilitiesOf.ts"
import { isNeededCapabilities } from "../releases/capabilitiesOf.ts"
import type { Source } from "../sources/Source.ts"
import { faultOfPath } from "../tree/faultOfPath.ts"
import type { PinnedKey } from "./PinnedKey.ts"

/** The signed facts of an installed release. */
export interface LockedRelease {
  /** The SHA-256 of the archive, in hex. */
  readonly archive: string
  /** The key that signed the statement. */
  readonly keyId: string
  /** The verdict's level, as the statement says it. */
  readonly level: string
  /** The version of the rules that gave the verdict. */
  readonly ruleset: string
  readonly capabilities: NeededCapabilities
  /** The market's signed statement about the archive and the files. */
  readonly statement: Envelope
}

/** One installed item (INSTALL-6). */
export interface LockEntry {
  /** The skill's or SOUL's id. */
  readonly id: string
  /** The license; null if a free item was installed without a purchase. The license key is not recorded. */
  readonly purchaseId: string | null
  readonly source: Source
  /** The version of a release or a SOUL, the commit of a repository, or `sha256:<hex>` of another archive or file as it was sent. */
  readonly version: string
  /** The SHA-256 of the whole, which `treeHash` computes from `files`. */
  readonly sha256: string
  /** The SHA-256 of each file, in lower-case hex, by its path. */
  readonly files: Readonly<Record<string, string>>
  /** Null if the market has not verified the files: they come from the address of a `link` item. */
  readonly release: LockedRelease | null
  /** ISO 8601, UTC. */
  readonly installedAt: string
}

/** The installed items of a folder, by the name of their subfolder. */
export type LockEntries = ReadonlyMap<string, LockEntry>

/** The content of a lock file. */
export interface Lock {
  readonly keys: ReadonlyArray<PinnedKey>
  readonly entries: LockEntries
}

/** In the folder of installs. */
export const lockFileName = "agent-marketplace.lock.json"

/** The name of an item's folder: its slug, if every file system can store it. */
export const faultOfInstalledName = (name: string): string | undefined =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? faultOfPath(name) : "is no slug"

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const areTexts = (...values: ReadonlyArray<unknown>): boolean => values.every((value) => typeof value === "string")

const isLockedRelease = (value: unknown): value is LockedRelease =>
  isRecord(value) &&
  areTexts(value["archive"], value["keyId"], value["level"], value["ruleset"]) &&
  isNeededCapabilities(value["capabilities"]) &&
  isRecord(value["statement"])

export const isLockEntry = (value: unknown): value is LockEntry =>
  isRecord(value) &&
  areTexts(value["id"], value["version"], value["sha256"], value["installedAt"]) &&
  (value["purchaseId"] === null || typeof value["purchaseId"] === "string") &&
  isRecord(value["source"]) &&
  isRecord(value["files"]) &&
  (value["release"] === null || isLockedRelease(value["release"])) &&
  Object.entries(value["files"]).every(([path, hash]) => typeof hash === "string" && faultOfPath(path) === undefined)
