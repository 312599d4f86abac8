/** The levels of findings and verdicts, from harmless to harmful (RELEASE-8). */
export const levels = ["clean", "notice", "warn", "block"] as const

export type Level = (typeof levels)[number]

export const isWorse = (level: Level, than: Level): boolean => levels.indexOf(level) > levels.indexOf(than)

/** The worst of the level and those of the findings. */
export const worstLevel = (level: Level, findings: ReadonlyArray<Finding>): Level =>
  findings.reduce((worst, finding) => (isWorse(finding.level, worst) ? finding.level : worst), level)

/** A verdict has at most this many findings. */
const mostFindings = 100

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

/** A verdict with more findings: its level is that of the worst one, and it has at most 100, the worst first. */
export const withFindings = (verdict: Verdict, added: ReadonlyArray<Finding>): Verdict => {
  if (added.length === 0) return verdict
  const findings = [...added, ...verdict.findings]
    .toSorted((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level))
    .slice(0, mostFindings)
  return { ...verdict, level: worstLevel(verdict.level, added), findings }
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

/** What of a release's main text is stored, to find other texts that nearly equal it (SCAN-18). */
export interface Sketch {
  /** Unsigned 32-bit hashes of its shingles, sorted. */
  readonly shingles: ReadonlyArray<number>
  /** Signed 32-bit integers. Texts that are nearly equal have some of them in common. */
  readonly keys: ReadonlyArray<number>
}

const nothing: CapabilitySet = { tools: [], hosts: [], commands: [], paths: [], environment: [] }

export const noCapabilities: Capabilities = { declared: nothing, used: nothing }

/** The verdict on a release's bytes, which is stored. */
export interface Scan {
  readonly verdict: Verdict
  readonly capabilities: Capabilities
}

/** The text with U+FFFD in place of NUL and of lone surrogates, which not every store accepts. */
export const storableText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, "\uFFFD")

export const storableFinding = (finding: Finding): Finding => ({
  ...finding,
  file: storableText(finding.file),
  evidence: storableText(finding.evidence),
  message: storableText(finding.message)
})

const storableSet = ({ commands, environment, hosts, paths, tools }: CapabilitySet): CapabilitySet => ({
  tools: tools.map(storableText),
  hosts: hosts.map(storableText),
  commands: commands.map(storableText),
  paths: paths.map(storableText),
  environment: environment.map(storableText)
})

/** The scan with texts that every store accepts, whichever scanner or engine wrote them (RELEASE-9). */
export const storableScan = ({ capabilities, verdict }: Scan): Scan => ({
  verdict: { ...verdict, findings: verdict.findings.map(storableFinding) },
  capabilities: { declared: storableSet(capabilities.declared), used: storableSet(capabilities.used) }
})
