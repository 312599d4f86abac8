import type { Effect } from "effect"
import { Context } from "effect"
import { noCapabilities, storableText } from "./Verdict.ts"
import type { Finding, Scan, Sketch } from "./Verdict.ts"

/** A file of a skill, or the text of a soul. */
export interface ScannedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The ruleset of the verdict of an incomplete scan: one that failed, or exceeded its limit of time or memory (RELEASE-9). */
const incomplete = (ruleset: string): string => `${ruleset}+incomplete`

/** Everything that a scan returns. */
export interface ScanResult extends Scan {
  /** Null if the main text is too short to be compared with others, or the scan did not end. */
  readonly sketch: Sketch | null
}

/** The result of a scan that did not end. */
export const incompleteScan = (ruleset: string, reason: string): ScanResult => ({
  sketch: null,
  verdict: {
    level: "warn",
    ruleset: incomplete(ruleset),
    findings: [
      {
        rule: "SCAN-INCOMPLETE",
        level: "warn",
        file: "",
        line: 0,
        evidence: storableText(reason.slice(0, 200)),
        message: "The scan did not end. Request another scan, or upload fewer or smaller files.",
        owasp: null
      }
    ]
  },
  capabilities: noCapabilities
})

/**
 * Scans files for harmful content.
 *
 * Contract: a scan does not block other work of the process, and its limits of time and memory depend on the size of its input. A scan that
 * exceeds them returns a verdict of level `warn`, that of {@link incompleteScan}.
 */
export class Scanner extends Context.Service<
  Scanner,
  {
    /** The version of the rules, such as `2026.11.1`. */
    readonly ruleset: string
    readonly scan: (files: ReadonlyArray<ScannedFile>, kind: "skill" | "soul") => Effect.Effect<ScanResult>
    /**
     * The finding about a main text that nearly equals that of another item; undefined if it does not (RELEASE-30). `name` is how the
     * evidence names the other item. Takes less than a millisecond.
     */
    readonly copyFinding: (
      kind: "skill" | "soul",
      own: ReadonlyArray<number>,
      other: { readonly name: string; readonly shingles: ReadonlyArray<number> }
    ) => Finding | undefined
  }
>()("@agent-marketplace/core/releases/Scanner") {}
