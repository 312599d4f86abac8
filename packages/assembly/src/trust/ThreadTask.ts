import type { ScannedFile } from "@agent-marketplace/core/releases/Scanner"
import type { FrontMatter, ReleaseFile } from "@agent-marketplace/core/releases/Release"

/** An archive at `path`, to be unpacked into an empty folder. */
export interface UnpackTask {
  readonly _tag: "Unpack"
  readonly path: string
  readonly folder: string
  readonly format: "tar" | "zip"
}

export type UnpackReply =
  | {
      readonly _tag: "Unpacked"
      readonly files: ReadonlyArray<Omit<ReleaseFile, "sha256"> & { readonly sha256: string }>
      readonly version: string | null
      readonly frontMatter: FrontMatter
    }
  | { readonly _tag: "Refused"; readonly message: string }

/** Files to be scanned; their bytes are transferred to the thread. */
export interface ScanTask {
  readonly _tag: "Scan"
  readonly kind: "skill" | "soul"
  readonly files: ReadonlyArray<ScannedFile>
}

export type ThreadTask = ScanTask | UnpackTask
