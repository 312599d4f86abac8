/** How serious a finding is, from harmless to quarantined. */
export type Level = "clean" | "notice" | "warn" | "block"

/** The families of rules (SCAN-4). */
export type Family =
  | "hidden"
  | "injection"
  | "persistence"
  | "execution"
  | "theft"
  | "secrets"
  | "dependencies"
  | "copies"
  | "souls"
  | "files"
  | "capabilities"

/** One thing that a rule found, with what a person needs to judge it. */
export interface Finding {
  /** The rule's id, for example `SKILL-EXEC-001`. */
  readonly rule: string
  readonly level: Level
  readonly family: Family
  /** The path inside the release. */
  readonly file: string
  /** Counted from 1; 0 if the finding concerns the whole file. */
  readonly line: number
  /** The text that matched: at most 200 characters, secrets masked. */
  readonly evidence: string
  /** What is wrong and what to change. */
  readonly message: string
  /** The entry of the OWASP Agentic Skills Top 10, `AST01` to `AST10`. */
  readonly owasp: string
}

/** The result of a scan. Its level is that of its worst finding (SCAN-3). */
export interface Verdict {
  readonly level: Level
  /** The version of the rules that gave this verdict. */
  readonly ruleset: string
  /** At most 100, the most severe first. */
  readonly findings: ReadonlyArray<Finding>
}

export const levels: ReadonlyArray<Level> = ["clean", "notice", "warn", "block"]

/** Negative if `a` is less severe than `b`. */
export const compareLevels = (a: Level, b: Level): number => levels.indexOf(a) - levels.indexOf(b)

/** The level one step below, at least `notice`. */
export const lowered = (level: Level): Level => (level === "block" ? "warn" : "notice")
