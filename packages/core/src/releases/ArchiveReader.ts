import type { Effect, Scope, Stream } from "effect"
import { Context, Data } from "effect"
import type { FrontMatter, ReleaseFile, ReleaseMediaType } from "./Release.ts"

/** The largest archive, in bytes (RELEASE-1). */
export const maxArchiveBytes = 20 * 1_048_576

/** The archive is not safe to unpack, or does not contain a skill (RELEASE-4). `message` states the rule and names the entry. */
export class ArchiveInvalid extends Data.TaggedError("ArchiveInvalid")<{ readonly message: string }> {}

interface UnpackedFile extends ReleaseFile {
  readonly bytes: Stream.Stream<Uint8Array>
}

/** The files of an archive, sorted by the bytes of their paths, and what `SKILL.md` states. */
export interface UnpackedArchive {
  readonly files: ReadonlyArray<UnpackedFile>
  readonly version: string | null
  readonly frontMatter: FrontMatter
}

/**
 * Unpacks archives of at most {@link maxArchiveBytes}.
 *
 * Contract: the process never holds the whole archive or a whole file in memory (RELEASE-5). Unpacking does not delay other work of the
 * process, and has limits of time and memory. The files can be read until the scope closes.
 */
export class ArchiveReader extends Context.Service<
  ArchiveReader,
  {
    readonly unpack: (
      archive: Stream.Stream<Uint8Array>,
      mediaType: ReleaseMediaType
    ) => Effect.Effect<UnpackedArchive, ArchiveInvalid, Scope.Scope>
  }
>()("@agent-marketplace/core/releases/ArchiveReader") {}
