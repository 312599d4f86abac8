import { Effect } from "effect"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { readSkillFolder } from "./readSkillFolder.ts"

/** A release that was checked on this machine. */
export interface PackedRelease {
  readonly folder: string
  readonly archive: Uint8Array
  readonly files: number
  readonly version: string
  readonly leftOut: ReadonlyArray<string>
  /** The verdict of the scanner on this machine; null if it was not run. */
  readonly scan: LocalVerdict | null
}

interface LocalVerdict {
  readonly level: string
  readonly ruleset: string
  readonly findings: ReadonlyArray<LocalFinding>
}

/** A finding of this machine's scanner or of the market's. */
export interface LocalFinding {
  readonly rule: string
  readonly level: string
  readonly file: string
  readonly line: number
  readonly message: string
  readonly evidence: string
}

const versionOf = (folder: string, stated: string | undefined, given: string | undefined) => {
  if (stated !== undefined && given !== undefined && stated !== given)
    return Effect.fail(
      usageFailure(`--release-version ${given} differs from the version ${stated} in ${folder}/SKILL.md`)
    )
  const version = given ?? stated
  return version === undefined
    ? Effect.fail(
        usageFailure(
          `${folder}/SKILL.md states no version`,
          "Add a line such as `version: 1.0.0` to its front matter, or give --release-version 1.0.0."
        )
      )
    : Effect.succeed(version)
}

const blocked = ({ level }: LocalVerdict) =>
  new CommandFailure({
    code: "SCAN_BLOCKED",
    message: `nothing was uploaded: the scanner's verdict is ${level}, and the market would quarantine the release`,
    hint: "Change what the findings name. --no-scan uploads without the check on this machine.",
    exitCode: exitCodes.failure
  })

/** Packs a folder, and checks it on this machine as the market will check it (CLI-20). The packing is deterministic. */
export const packRelease = <R>(
  folder: string,
  options: {
    readonly version: string | undefined
    readonly scan: boolean
    /** Shows the findings, also if they end the command. */
    readonly show: (findings: ReadonlyArray<LocalFinding>) => Effect.Effect<void, never, R>
  }
) =>
  Effect.gen(function* () {
    const { files, leftOut } = yield* readSkillFolder(folder)
    const trust = yield* Effect.promise(() => import("./trust.ts"))
    const skill = trust.readSkill(files)
    if (skill instanceof trust.ArchiveRefused) return yield* usageFailure(`${folder}: ${skill.message}`)
    const version = yield* versionOf(folder, skill.version, options.version)
    const archive = trust.packArchive(files)
    const unpacked = trust.unpackArchive(archive)
    if (unpacked instanceof trust.ArchiveRefused)
      return yield* usageFailure(`${folder} cannot be a release: ${unpacked.message}`)
    const scan = options.scan ? yield* Effect.promise(() => trust.scan(files, { kind: "skill" })) : null
    if (scan !== null) yield* options.show(scan.findings)
    if (scan?.level === "block") return yield* blocked(scan)
    return { folder, archive, files: files.length, version, leftOut, scan } satisfies PackedRelease
  })
