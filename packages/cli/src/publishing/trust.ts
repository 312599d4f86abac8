/** The checks of releases, loaded only when a release is published: the scanner's rules take time to load. */
export { ArchiveRefused } from "@agent-marketplace/trust/archive/ArchiveRefused"
export { packArchive } from "@agent-marketplace/trust/archive/packArchive"
export { readSkill } from "@agent-marketplace/trust/archive/readSkill"
export { unpackArchive } from "@agent-marketplace/trust/archive/unpackArchive"
export { scan } from "@agent-marketplace/trust/scan"
