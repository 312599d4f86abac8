import { conceptIndex, maskWidth } from "../signals/concepts.ts"
import type { DocumentSignals, Signals } from "../signals/readSignals.ts"
import { has, include, includeAll, meets } from "../signals/conceptMask.ts"
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
    include(mask, conceptIndex(name.trim()))
  }
  return mask
}

/** Compiled rules, and for each concept those whose first group it meets, so that a statement is only tried with rules that can match. */
export interface RuleIndex {
  readonly rules: ReadonlyArray<Compiled>
  readonly byConcept: ReadonlyArray<ReadonlyArray<Compiled>>
}

export const compileRules = (source: ReadonlyArray<Rule>): RuleIndex => {
  const rules = source.map((rule) => ({
    rule,
    groups: rule.all.map(maskOf),
    none: maskOf(rule.none),
    topic: maskOf(rule.topic)
  }))
  const byConcept = Array.from({ length: maskWidth * 32 }, (_, concept) =>
    rules.filter(({ groups: [first] }) => first !== undefined && has(first, concept))
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
  const backwards = [...groups.entries()].toReversed()
  for (const hit of hits) {
    for (const [g, group] of backwards) {
      if (!has(group, hit.concept)) continue
      const start = g === 0 ? hit.start : (starts[g - 1] ?? -1)
      if (start < 0 || (g > 0 && hit.start < (lasts[g - 1] ?? -1)) || hit.end - start > span) continue
      starts[g] = start
      lasts[g] = hit.start
      if (g === groups.length - 1) return { start, end: hit.end }
    }
  }
  return undefined
}

const spanOf = ({ hits }: Signals, groups: ReadonlyArray<Int32Array>, span: number): Span | undefined => {
  const starts = groups.map(() => -1)
  const ends = groups.map(() => -1)
  for (const hit of hits) {
    let changed = false
    groups.forEach((group, g) => {
      if (!has(group, hit.concept)) return
      starts[g] = hit.start
      ends[g] = hit.end
      changed = true
    })
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
  for (const { concept, start, end } of hits)
    if (concept === withhold || !isNegated(signals, start, end)) include(live, concept)
  return live
}

const unionOf = (all: ReadonlyArray<Signals>, from: number, to: number): Int32Array => {
  const union = new Int32Array(maskWidth)
  for (const signals of all.slice(Math.max(0, from), to + 1)) if (isLive(signals)) includeAll(union, liveMask(signals))
  return union
}

const firstHit = ({ hits }: Signals, group: Int32Array): Span =>
  hits.find(({ concept }) => has(group, concept)) ?? { start: 0, end: 0 }

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

  statement(index: RuleIndex, signals: Signals, position: number, tried: Map<Compiled, number>): void {
    this.#near = undefined
    for (const { concept } of signals.hits) {
      for (const compiled of index.byConcept[concept] ?? []) {
        if (tried.get(compiled) === position) continue
        tried.set(compiled, position)
        this.#try(compiled, signals, position)
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
    const [first, ...others] = groups
    if (first === undefined || !isLive(signals) || !others.every((group) => meets(union, group))) return undefined
    return firstHit(signals, first)
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
  const tried = new Map<Compiled, number>()
  document.signals.forEach((signals, position) => application.statement(index, signals, position, tried))
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
  includeAll(release, own)
  return rules.some(({ groups: [first] }) => first !== undefined && meets(own, first))
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
