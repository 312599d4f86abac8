import { conceptIndex, maskWidth } from "../signals/concepts.ts"
import type { DocumentSignals, Signals } from "../signals/readSignals.ts"
import { has } from "../signals/has.ts"
import { lineAt } from "../text/Statement.ts"
import type { Finding, Level } from "../Verdict.ts"
import { compareLevels, lowered } from "../Verdict.ts"
import type { Topics } from "./judgeContext.ts"
import { isNegated, judgeContext } from "./judgeContext.ts"
import type { Rule } from "./Rule.ts"

/** A rule whose concepts are resolved to bits. */
interface Compiled {
  readonly rule: Rule
  readonly groups: ReadonlyArray<Int32Array>
  readonly none: Int32Array
  readonly topic: Int32Array
}

const maskOf = (alternatives: string | undefined): Int32Array => {
  const mask = new Int32Array(maskWidth)
  for (const name of alternatives?.split("|") ?? []) {
    const concept = conceptIndex(name.trim())
    mask[concept >> 5]! |= 1 << (concept & 31)
  }
  return mask
}

const meets = (a: Int32Array, b: Int32Array): boolean => {
  for (let i = 0; i < maskWidth; i++) if ((a[i]! & b[i]!) !== 0) return true
  return false
}

/** Compiled rules, and for each concept those whose first group it meets, so that a statement is only tried with rules that can match. */
export interface RuleIndex {
  readonly rules: ReadonlyArray<Compiled>
  readonly byConcept: ReadonlyArray<ReadonlyArray<number>>
}

export const compileRules = (source: ReadonlyArray<Rule>): RuleIndex => {
  const rules = source.map((rule) => ({
    rule,
    groups: rule.all.map(maskOf),
    none: maskOf(rule.none),
    topic: maskOf(rule.topic)
  }))
  const byConcept = Array.from({ length: maskWidth * 32 }, (_, concept) =>
    rules.flatMap(({ groups }, index) => (has(groups[0]!, concept) ? [index] : []))
  )
  return { rules, byConcept }
}

const reads = (rule: Rule, { statement }: Signals): boolean => {
  const { context, language } = statement
  switch (rule.in ?? "any") {
    case "any":
      return true
    case "hidden":
      return context === "comment" || context === "decoded"
    case "script":
      return context === "script" || context === "code" || context === "decoded" || context === "data"
    case "code":
      return context !== "heading" && context !== "remark"
    case "text":
      return context !== "script" && !(context === "code" && language !== "" && !textLanguages.has(language))
  }
}

const textLanguages = new Set([
  "text",
  "txt",
  "markdown",
  "md",
  "prompt",
  "plaintext",
  "xml",
  "html",
  "yaml",
  "json",
  "toml"
])

interface Span {
  readonly start: number
  readonly end: number
}

/** The first place at which one hit of each group lies within `span` characters: one pass over the hits. */
const orderedSpan = ({ hits }: Signals, groups: ReadonlyArray<Int32Array>, span: number): Span | undefined => {
  // For each group, the latest start of a chain of all groups up to it, and where its last word starts.
  const starts = groups.map(() => -1)
  const lasts = groups.map(() => -1)
  for (let i = 0; i < hits.length; i += 3) {
    for (let g = groups.length - 1; g >= 0; g--) {
      if (!has(groups[g]!, hits[i]!)) continue
      const start = g === 0 ? hits[i + 1]! : starts[g - 1]!
      if (start < 0 || (g > 0 && hits[i + 1]! < lasts[g - 1]!) || hits[i + 2]! - start > span) continue
      starts[g] = start
      lasts[g] = hits[i + 1]!
      if (g === groups.length - 1) return { start, end: hits[i + 2]! }
    }
  }
  return undefined
}

const spanOf = ({ hits }: Signals, groups: ReadonlyArray<Int32Array>, span: number): Span | undefined => {
  const starts = groups.map(() => -1)
  const ends = groups.map(() => -1)
  for (let i = 0; i < hits.length; i += 3) {
    let changed = false
    for (let g = 0; g < groups.length; g++) {
      if (!has(groups[g]!, hits[i]!)) continue
      starts[g] = hits[i + 1]!
      ends[g] = hits[i + 2]!
      changed = true
    }
    if (!changed || starts.includes(-1)) continue
    const start = Math.min(...starts)
    const end = Math.max(...ends)
    if (end - start <= span && distinct(starts, ends)) return { start, end }
  }
  return undefined
}

/** Two groups that share a concept need two places, unless the same word stands for both. */
const distinct = (starts: ReadonlyArray<number>, ends: ReadonlyArray<number>): boolean =>
  starts.length < 2 || starts.some((start, i) => i > 0 && (start !== starts[0] || ends[i] !== ends[0]))

const withhold = conceptIndex("withhold")
const negation = conceptIndex("negation")

/** Whether a statement may be read together with its neighbours: not if it is forbidden, described or a quotation. */
const isLive = ({ forbidden, described, statement: { context } }: Signals): boolean =>
  !forbidden && !described && context !== "remark" && context !== "quote" && context !== "table"

/** The concepts of a statement that are not negated. */
const liveMask = (signals: Signals): Int32Array => {
  const { hits, mask, statement } = signals
  if (statement.context === "script" || statement.context === "code" || !has(mask, negation)) return mask
  const live = new Int32Array(maskWidth)
  for (let i = 0; i < hits.length; i += 3)
    if (hits[i] === withhold || !isNegated(signals, hits[i + 1]!, hits[i + 2]!))
      live[hits[i]! >> 5]! |= 1 << (hits[i]! & 31)
  return live
}

const unionOf = (all: ReadonlyArray<Signals>, from: number, to: number): Int32Array => {
  const union = new Int32Array(maskWidth)
  for (let i = Math.max(0, from); i <= to && i < all.length; i++) {
    if (!isLive(all[i]!)) continue
    const mask = liveMask(all[i]!)
    for (let w = 0; w < maskWidth; w++) union[w]! |= mask[w]!
  }
  return union
}

const firstHit = ({ hits }: Signals, group: Int32Array): Span => {
  for (let i = 0; i < hits.length; i += 3) if (has(group, hits[i]!)) return { start: hits[i + 1]!, end: hits[i + 2]! }
  return { start: 0, end: 0 }
}

/** The maximum number of findings of one rule in one file; further findings would not add information. */
const findingsPerRule = 3

/** Applies compiled rules to one document, in time linear in its size. */
class Application {
  readonly findings: Array<Finding> = []
  readonly #counts = new Map<string, number>()
  #near: Int32Array | undefined
  #file: Int32Array | undefined
  readonly #document: DocumentSignals
  readonly #topics: Topics
  readonly #release: Int32Array

  constructor(document: DocumentSignals, topics: Topics, release: Int32Array) {
    this.#document = document
    this.#topics = topics
    this.#release = release
  }

  statement(index: RuleIndex, position: number, tried: Int32Array): void {
    const signals = this.#document.signals[position]!
    this.#near = undefined
    for (let i = 0; i < signals.hits.length; i += 3) {
      for (const number of index.byConcept[signals.hits[i]!]!) {
        if (tried[number] === position + 1) continue
        tried[number] = position + 1
        this.#try(index.rules[number]!, signals, position)
      }
    }
  }

  #try(compiled: Compiled, signals: Signals, position: number): void {
    const { rule, none } = compiled
    if ((this.#counts.get(rule.id) ?? 0) >= findingsPerRule) return
    if (!reads(rule, signals) || meets(signals.mask, none)) return
    const span = this.#match(compiled, signals, position)
    if (span !== undefined) this.#found(compiled, signals, span)
  }

  #match({ rule, groups }: Compiled, signals: Signals, position: number): Span | undefined {
    if (rule.scope === "nearby") {
      this.#near ??= unionOf(this.#document.signals, position - 1, position + 2)
      return this.#met(this.#near, signals, groups)
    }
    if (rule.scope === "release") return this.#met(this.#release, signals, groups)
    if (rule.scope === "file") {
      this.#file ??= unionOf(this.#document.signals, 0, this.#document.signals.length - 1)
      return this.#met(this.#file, signals, groups)
    }
    return groups.every((group) => meets(signals.mask, group))
      ? (rule.ordered === true ? orderedSpan : spanOf)(signals, groups, rule.span ?? 220)
      : undefined
  }

  #met(union: Int32Array, signals: Signals, groups: ReadonlyArray<Int32Array>): Span | undefined {
    const met = isLive(signals) && groups.every((group, i) => i === 0 || meets(union, group))
    return met ? firstHit(signals, groups[0]!) : undefined
  }

  #found({ rule, topic }: Compiled, signals: Signals, { start, end }: Span): void {
    const { path, lines } = this.#document.document
    const judged = judgeContext(rule, signals, start, end, this.#topics, this.#document.document)
    if (judged === undefined) return
    const level = judged !== "notice" && meets(this.#topics, topic) ? lowered(judged) : judged
    const line = lineAt(signals.statement, start)
    this.#counts.set(rule.id, (this.#counts.get(rule.id) ?? 0) + (level === rule.level ? 1 : 0))
    this.findings.push(findingOf(rule, level, path, line, lines[line - 1]?.trim() || signals.statement.text))
  }
}

const findingOf = (
  rule: Omit<Rule, "all" | "reason" | "positive" | "negative">,
  level: Level,
  file: string,
  line: number,
  evidence: string
): Finding => ({
  rule: rule.id,
  level,
  family: rule.family,
  file,
  line,
  evidence,
  message: rule.message,
  owasp: rule.owasp
})

export const applyRules = (
  index: RuleIndex,
  document: DocumentSignals,
  topics: Topics,
  release: Int32Array
): ReadonlyArray<Finding> => {
  const application = new Application(document, topics, release)
  const tried = new Int32Array(index.rules.length)
  for (let i = 0; i < document.signals.length; i++) application.statement(index, i, tried)
  return onePerLine(application.findings)
}

/** Adds the concepts of a script to those of all scripts, and tells whether it meets the first group of one of the rules. */
export const addToUnion = (
  release: Int32Array,
  { document, signals }: DocumentSignals,
  { rules }: RuleIndex
): boolean => {
  if (document.kind !== "script") return false
  const own = unionOf(signals, 0, signals.length - 1)
  for (let w = 0; w < maskWidth; w++) release[w]! |= own[w]!
  return rules.some(({ groups }) => meets(own, groups[0]!))
}

/** Keeps only the worst of several findings of one rule on one line. */
const onePerLine = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  const kept = new Map<string, Finding>()
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.line}`
    const other = kept.get(key)
    if (other === undefined || compareLevels(other.level, finding.level) < 0) kept.set(key, finding)
  }
  return [...kept.values()]
}
