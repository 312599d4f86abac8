import { ArchiveRefused } from "@agent-marketplace/trust/archive/ArchiveRefused"
import { unpackArchive } from "@agent-marketplace/trust/archive/unpackArchive"
import { capabilities } from "@agent-marketplace/trust/capabilities"

/** A file of an archive, in memory. */
interface UnpackedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Entries of each kind, sorted. */
interface CapabilityLists {
  readonly tools: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  readonly environment: ReadonlyArray<string>
}

/** What files declare and use (INSTALL-16). */
export interface FileCapabilities {
  readonly declared: CapabilityLists
  readonly used: CapabilityLists
}

export const capabilitiesIn = (files: ReadonlyArray<UnpackedFile>): FileCapabilities => capabilities(files)

/**
 * The files of a release's archive, by the same strict reader as the market's (INSTALL-10), and what they declare and use. A text is the
 * reason of a refusal. This module is published as a bundle, so it imports nothing of the client.
 */
export const releaseFiles = (
  archive: Uint8Array
):
  | string
  | {
      readonly files: ReadonlyArray<UnpackedFile>
      readonly capabilities: FileCapabilities
    } => {
  const unpacked = unpackArchive(archive)
  if (unpacked instanceof ArchiveRefused) return unpacked.message
  return { files: unpacked.files, capabilities: capabilitiesIn(unpacked.files) }
}
