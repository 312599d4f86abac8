import { incompleteScan, Scanner } from "@agent-marketplace/core/releases/Scanner"
import type { ScannedFile, ScanResult } from "@agent-marketplace/core/releases/Scanner"
import { copyFinding } from "@agent-marketplace/trust/copies"
import { rulesetVersion } from "@agent-marketplace/trust/ruleset"
import { comparedFile } from "@agent-marketplace/trust/sketchOfRelease"
import { Cause, Effect, Layer, Option } from "effect"
import { makeThreads } from "./makeThreads.ts"

/** Shared by all markets of the process. The limits are ten times what the largest releases need. */
const threads = makeThreads({ seconds: 60, heap: 1024 })

/** The bytes of a file in a buffer of their own, which can be transferred. */
const alone = ({ bytes, path }: ScannedFile) => ({ path, bytes: Uint8Array.from(bytes) })

/** Scans by the rules of `@agent-marketplace/trust` in a worker thread (RELEASE-9). */
export const ThreadScanner = {
  layer: Layer.succeed(Scanner, {
    ruleset: rulesetVersion,
    copyFinding: (kind: "skill" | "soul", own: ReadonlyArray<number>, other: Parameters<typeof copyFinding>[2]) =>
      copyFinding(comparedFile[kind], own, other),
    scan: (files: ReadonlyArray<ScannedFile>, kind: "skill" | "soul") =>
      Effect.suspend(() => {
        const own = files.map(alone)
        return threads.run<ScanResult>(
          { _tag: "Scan", kind, files: own },
          own.map(({ bytes }) => bytes.buffer)
        )
      }).pipe(
        Effect.catchCause((cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          const failed = Option.getOrUndefined(Cause.findErrorOption(cause))
          const reason = failed?.reason ?? "the scanner failed"
          return Effect.as(
            Effect.logWarning(`a scan did not end: ${reason}`, cause),
            incompleteScan(rulesetVersion, reason)
          )
        })
      )
  })
}
