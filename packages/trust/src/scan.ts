import { capabilitiesIn } from "./capabilities.ts"
import { capabilityChecks } from "./checks/capabilityChecks.ts"
import { decodedText } from "./checks/decodedText.ts"
import type { ScannedFile } from "./checks/fileChecks.ts"
import { readFile } from "./checks/fileChecks.ts"
import { hiddenText } from "./checks/hiddenText.ts"
import type { KnownMalware } from "./checks/packageChecks.ts"
import { packageChecks } from "./checks/packageChecks.ts"
import { maskSecrets } from "./checks/maskSecrets.ts"
import { secretsLeftIn } from "./checks/secretsLeftIn.ts"
import { soulFormat } from "./checks/soulFormat.ts"
import { copyFinding, shingles } from "./copies.ts"
import { addToUnion, applyRules, compileRules } from "./rules/applyRules.ts"
import { rules } from "./rules/rules.ts"
import { weigh } from "./rules/weigh.ts"
import { rulesetVersion } from "./ruleset.ts"
import { has, include, includeAll } from "./signals/conceptMask.ts"
import { conceptIndex, maskWidth } from "./signals/concepts.ts"
import { readSignals, signalsOf } from "./signals/readSignals.ts"
import type { Document } from "./text/readDocument.ts"
import { readDocument } from "./text/readDocument.ts"
import { StatementBuilder } from "./text/StatementBuilder.ts"
import { cutText, wellFormed } from "./text/wellFormed.ts"
import type { Finding, Level, Verdict } from "./Verdict.ts"
import { compareLevels } from "./Verdict.ts"

/** Another item whose text a release may repeat. */
export interface OtherItem {
  /** How the finding names it. */
  readonly name: string
  readonly shingles: ReadonlyArray<number>
}

export interface ScanOptions {
  readonly kind: "skill" | "soul"
  /** Packages with known malware, if the caller has a database. */
  readonly malware?: KnownMalware
  /** Items of other creators, to find copies. */
  readonly others?: ReadonlyArray<OtherItem>
  /** Engines of the caller, such as an antivirus or a language model. Their findings are added; they never remove any (SCAN-14). */
  readonly engines?: ReadonlyArray<Engine>
}

/** An outside engine. It reports findings of its own and cannot clear those of the rules. */
export type Engine = (files: ReadonlyArray<ScannedFile>, kind: "skill" | "soul") => Promise<ReadonlyArray<Finding>>

/** A verdict has at most this many findings. */
const mostFindings = 100
/** Evidence is cut at this many characters. */
const longestEvidence = 200

const indexOf = (kind: "skill" | "soul", whole: boolean) =>
  compileRules(rules.filter((rule) => (rule.kind ?? kind) === kind && (rule.scope === "release") === whole))

const compiled = { skill: indexOf("skill", false), soul: indexOf("soul", false) }
/** Rules about all scripts together: they run after the others, on the scripts that they can concern. */
const compiledWhole = { skill: indexOf("skill", true), soul: indexOf("soul", true) }

const byPath = (a: ScannedFile, b: ScannedFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/** A statement that the examples of a release are never run is looked for in so many statements of its main file. */
const mostStatements = 400
const harmless = conceptIndex("harmless")

/** The concepts in the name, the description and the first heading, and whether the text says that its examples are never run. */
export const topicsOf = (documents: ReadonlyArray<Document>): Int32Array => {
  const topics = new Int32Array(maskWidth)
  const main =
    documents.find(({ path }) => path === "SKILL.md" || path === "SOUL.md") ??
    documents.find(({ path }) => path.endsWith("SKILL.md"))
  let headings = 0
  for (const statement of main?.statements ?? []) {
    const heading = statement.context === "heading" && headings++ === 0
    if (!heading && statement.context !== "front") continue
    const { mask } = signalsOf({ ...statement, text: statement.text.replaceAll("-", " ") })
    includeAll(topics, mask)
  }
  const plain = (main?.statements ?? []).slice(0, mostStatements).filter(({ context }) => context === "prose")
  if (plain.some((statement) => has(signalsOf(statement).mask, harmless))) include(topics, harmless)
  return topics
}

/** What is encoded in a document, as a document of its own whose findings stand where it was found. */
const decodedDocument = (document: Document): Document => {
  const builder = new StatementBuilder()
  for (const { text, line } of decodedText(document)) {
    for (const part of text.slice(0, 20_000).split("\n")) builder.add([part], line, { context: "decoded" })
  }
  return { ...document, statements: builder.statements.map((statement) => ({ ...statement, breaks: [] })) }
}

const copyFindings = (documents: ReadonlyArray<Document>, others: ReadonlyArray<OtherItem>): ReadonlyArray<Finding> => {
  const main = documents.find(({ path }) => path === "SKILL.md" || path === "SOUL.md")
  if (main === undefined || others.length === 0) return []
  const own = shingles(main.lines.join("\n"))
  return others.flatMap((other) => copyFinding(main.path, own, other) ?? [])
}

/** The findings as they are stored: every text is well-formed, and the evidence is masked and cut (SCAN-3). */
const stored = async (findings: ReadonlyArray<Finding>): Promise<ReadonlyArray<Finding>> => {
  const masked = await maskSecrets(findings.map(({ evidence }) => evidence))
  return findings.map((finding, index) => ({
    ...finding,
    file: wellFormed(finding.file),
    evidence: cutText(wellFormed(masked[index] ?? ""), longestEvidence),
    message: wellFormed(finding.message)
  }))
}

const order = (a: Finding, b: Finding): number =>
  compareLevels(b.level, a.level) ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
  a.line - b.line ||
  (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)

/** The verdict: the findings by severity, at most one of a rule on a line. */
const verdictOf = async (findings: ReadonlyArray<Finding>): Promise<Verdict> => {
  const sorted = findings.toSorted(order)
  const seen = new Set<string>()
  const distinct = sorted.filter(({ rule, file, line }) => {
    const key = `${rule}\u0000${file}\u0000${line}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const level: Level = distinct[0]?.level ?? "clean"
  return { level, ruleset: rulesetVersion, findings: await stored(distinct.slice(0, mostFindings)) }
}

/**
 * Scans the files of a release (SCAN-1, SCAN-2). It never fails: any bytes give a verdict. The verdict does not depend on the order of the files,
 * and the time grows linearly with their size.
 */
export const scan = async (files: ReadonlyArray<ScannedFile>, options: ScanOptions): Promise<Verdict> => {
  const findings: Array<Finding> = []
  const documents: Array<Document> = []
  for (const file of files.toSorted(byPath)) {
    const { text, findings: found } = readFile(file)
    findings.push(...found)
    if (text !== undefined) documents.push(readDocument(file.path, text))
  }
  const topics = topicsOf(documents)
  const applied = compiled[options.kind]
  const release = new Int32Array(maskWidth)
  const concerned: Array<Document> = []
  for (const document of documents) {
    const signals = readSignals(document)
    if (addToUnion(release, signals, compiledWhole[options.kind])) concerned.push(document)
    findings.push(
      ...applyRules(applied, signals, topics, release),
      ...weigh(signals, topics),
      ...hiddenText(document),
      ...packageChecks(document, options.malware)
    )
    const decoded = decodedDocument(document)
    if (decoded.statements.length > 0) {
      const decodedSignals = readSignals(decoded)
      findings.push(...applyRules(applied, decodedSignals, topics, release), ...weigh(decodedSignals, topics))
    }
    if (options.kind === "soul" && document.path === "SOUL.md") findings.push(...soulFormat(signals.signals))
  }
  for (const document of concerned)
    findings.push(...applyRules(compiledWhole[options.kind], readSignals(document), topics, release))
  const main = options.kind === "soul" ? "SOUL.md" : "SKILL.md"
  findings.push(
    ...capabilityChecks(capabilitiesIn(documents), main),
    ...copyFindings(documents, options.others ?? []),
    ...(await secretsLeftIn(documents))
  )
  for (const engine of options.engines ?? []) findings.push(...(await engine(files, options.kind)))
  return verdictOf(findings)
}

export type { ScannedFile }
