import { ArchiveRefused } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"

export const unpackedTooLarge = ({ unpacked }: ArchiveLimits): ArchiveRefused =>
  new ArchiveRefused("unpacked_too_large", `the archive unpacks to more than ${unpacked} bytes`)

export const ratioExceeded = ({ ratio }: ArchiveLimits): ArchiveRefused =>
  new ArchiveRefused("ratio", `the archive unpacks to more than ${ratio} times its size`)
