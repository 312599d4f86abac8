/** The levels of findings and verdicts, from harmless to harmful (RELEASE-8). */
export const levels = ["clean", "notice", "warn", "block"] as const

export type Level = (typeof levels)[number]

export const isWorse = (level: Level, than: Level): boolean => levels.indexOf(level) > levels.indexOf(than)

/** What a rule found, with its evidence. */
export interface Finding {
  /** The id of the rule, such as `SKILL-NET-003`. */
  readonly rule: string
  readonly level: Level
  readonly family?: string
  readonly file: string
  /** From 1; 0 if the finding is about the file as a whole. */
  readonly line: number
  /** At most 200 characters, with secrets masked. */
  readonly evidence: string
  /** What is wrong and what to change. */
  readonly message: string
  /** The entry of OWASP's Agentic Skills Top 10. */
  readonly owasp: string | null
}

/** The result of a scan by one version of the rules. It never changes for the same bytes and ruleset (RELEASE-9). */
export interface Verdict {
  /** The level of the worst finding; `clean` if there are none. */
  readonly level: Level
  readonly ruleset: string
  readonly findings: ReadonlyArray<Finding>
}

interface CapabilitySet {
  readonly tools: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  /** Files outside the skill's folder. */
  readonly paths: ReadonlyArray<string>
  /** Names of environment variables. */
  readonly environment: ReadonlyArray<string>
}

/** What a skill says it needs, and what the scan found it uses. */
export interface Capabilities {
  readonly declared: CapabilitySet
  readonly used: CapabilitySet
}

/** Everything that a scan returns. */
export interface Scan {
  readonly verdict: Verdict
  readonly capabilities: Capabilities
}
