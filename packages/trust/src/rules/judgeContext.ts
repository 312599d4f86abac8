import { conceptIndex } from "../signals/concepts.ts"
import type { Signals } from "../signals/readSignals.ts"
import { has } from "../signals/conceptMask.ts"
import type { Document } from "../text/readDocument.ts"
import type { Level } from "../Verdict.ts"
import { lowered } from "../Verdict.ts"
import type { Quotation } from "./manner.ts"
import {
  isBadExample,
  isDetectionFile,
  isPatternLine,
  isReported,
  isSearched,
  isShown,
  isTestPath,
  quotationAt
} from "./manner.ts"
import type { Rule } from "./Rule.ts"

const concepts = {
  defence: conceptIndex("defence"),
  hint: conceptIndex("defenceHint"),
  example: conceptIndex("exampleWord"),
  negation: conceptIndex("negation"),
  notNegation: conceptIndex("notNegation"),
  contrast: conceptIndex("contrast"),
  security: conceptIndex("topicSecurity"),
  harmless: conceptIndex("harmless"),
  hide: conceptIndex("hide"),
  user: conceptIndex("user"),
  actionRef: conceptIndex("actionRef"),
  audience: conceptIndex("otherAudience"),
  confidential: conceptIndex("confidential"),
  owned: conceptIndex("ownBuild"),
  follow: conceptIndex("follow"),
  write: conceptIndex("write"),
  send: conceptIndex("send"),
  run: conceptIndex("run"),
  download: conceptIndex("download"),
  prerequisite: conceptIndex("prerequisite"),
  agentCue: conceptIndex("agentCue")
}

/** The names and descriptions of a release, as concepts. */
export type Topics = Int32Array

/** How far before the first word a negation still applies, in characters. */
const negationReach = 70
/** How far behind the last word the verb of a Japanese or Korean sentence may negate it, in characters. */
const negationAfter = 18

/** Kana and Hangul: these languages negate after the verb. */
const isVerbFinal = (code: number): boolean => (code >= 0x3040 && code <= 0x30ff) || (code >= 0xac00 && code <= 0xd7af)

/** A negation after the verb, with nothing but particles and that verb in between: `curl … | bash` を実行してはいけません。 */
const negatesBack = (text: string, end: number, from: number): boolean => {
  if (from - end >= negationAfter || !isVerbFinal(text.charCodeAt(from))) return false
  const between = text.slice(Math.max(0, end), from)
  if (["、", "して、", "しつつ", "고 ", ","].some((clause) => between.includes(clause))) return false
  const te = between.lastIndexOf("て")
  return te < 0 || te === between.length - 1 || between[te + 1] === "は"
}

/** Whether the words from `start` to `end` are negated: "never send your keys". A negation of another verb ("do not ask") does not count. */
export const isNegated = ({ hits, statement }: Signals, start: number, end: number, reach = negationReach): boolean => {
  let negation = -1
  let cancelled = -1
  for (const { concept, start: from, end: to } of hits) {
    if (from > start) {
      if (concept === concepts.negation && from >= end - 4 && negatesBack(statement.text, end, from)) return true
      continue
    }
    if (concept === concepts.negation && to <= start && start - to <= reach && from > negation) negation = from
    // "Do not ask" negates asking, unless asking is what the rule is about.
    if (concept === concepts.notNegation && to <= start && to > cancelled) cancelled = to
    if (concept === concepts.contrast && to <= start && to > cancelled) cancelled = to
  }
  return negation >= 0 && negation >= cancelled
}

/** Whether the words around the quotation tell the agent to write, to send or to do what it says. */
const isOrdered = (signals: Signals, quotation: Quotation): boolean => {
  const { hits } = signals
  const { mark, open, close } = quotation
  if (mark === "`") return !isMentioned(signals, quotation)
  for (const { concept, start, end } of hits) {
    if (start >= close) {
      const follows = concept === concepts.follow || concept === concepts.run || concept === concepts.agentCue
      if (follows && !isNegated(signals, start, end)) return true
    } else if (end <= open && (concept === concepts.write || concept === concepts.send || concept === concepts.run))
      return true
  }
  return false
}

/** Whether a sentence hides from others than the agent's user, or what every business keeps to itself, such as its margins. */
const isConfidence = ({ hits, mask }: Signals): boolean => {
  if (has(mask, concepts.confidential) && !has(mask, concepts.actionRef)) return true
  if (!has(mask, concepts.audience)) return false
  let others = 0
  let users = 0
  for (const { concept } of hits) {
    if (concept === concepts.audience) others++
    else if (concept === concepts.user) users++
  }
  return others > 0 && users === 0
}

/** A command in backticks that a sentence speaks of, without an order to run or fetch it. */
const isMentioned = ({ statement: { text }, mask }: Signals, { mark, open, close }: Quotation): boolean =>
  mark === "`" &&
  text.length - (close - open) > 24 &&
  ![concepts.run, concepts.download, concepts.prerequisite, concepts.follow].some((concept) => has(mask, concept))

/** At most `warn`, so that a person decides: for text that an agent does not read as an instruction. */
const atMostWarn = (level: Level): Level => (level === "block" ? "warn" : level)

/**
 * The level of a match where it stands (SCAN-5): undefined if it is forbidden or negated, lower if it is quoted as an example or described as
 * an attack, higher if it is hidden from readers.
 */
export const judgeContext = (
  rule: Rule,
  signals: Signals,
  start: number,
  end: number,
  topics: Topics,
  document: Document
): Level | undefined => {
  const { statement, described, forbidden } = signals
  const { context } = statement
  const security = has(topics, concepts.security)
  if (context === "decoded" && security) return atMostWarn(rule.level)
  if (context === "comment" || context === "decoded") return rule.level === "warn" ? "block" : rule.level
  if (rule.negated !== true && context !== "script" && context !== "code" && isNegated(signals, start, end))
    return undefined
  if (forbidden && rule.negated !== true) return undefined
  if (isDetectionFile(document)) return "notice"
  if ((context === "code" || context === "script") && isHarmlessCommand(rule, statement.text, start)) return undefined
  if (context === "script" || context === "data") return inFile(rule, signals, security, document.path)
  const prose = isProse(rule)
  if (context === "remark") return prose ? rule.level : "notice"
  if (security && isTestPath(document.path)) return lowered(rule.level)
  if (isBadExample(statement.text, start)) return "notice"
  if (prose && has(signals.mask, concepts.hide) && isConfidence(signals)) return "notice"
  const quotation = quotationAt(statement.text, start) ?? quotationAt(statement.text, end - 1)
  const apart = quotation !== undefined || context === "table" || context === "quote" || context === "code"
  if (described && (apart || statement.item)) return "notice"
  if (apart && isTaught(topics)) return "notice"
  return inText(rule, signals, security, prose, quotation)
}

/** Whether a release is about security and says that its examples are never run. */
export const isTaught = (topics: Topics): boolean => has(topics, concepts.security) && has(topics, concepts.harmless)

/** A search for a pattern, and a look at a file that decides what runs later. */
const isHarmlessCommand = (rule: Rule, text: string, start: number): boolean =>
  isSearched(text, start) || (rule.family === "persistence" && isShown(text))

const isProse = ({ family }: Rule): boolean =>
  family === "injection" || family === "souls" || family === "hidden" || family === "persistence"

/** Programs and data do what they say, unless they are the patterns and cases of a detector. */
const inFile = (rule: Rule, { statement, mask }: Signals, security: boolean, path: string): Level => {
  if (security && (isPatternLine(statement.text) || isTestPath(path))) return "notice"
  if (statement.context === "script") return rule.in === "text" ? lowered(rule.level) : rule.level
  const prose = isProse(rule) || rule.in === "text"
  if (prose && (security || has(mask, concepts.defence))) return "notice"
  return prose ? atMostWarn(rule.level) : rule.level
}

/** Prose, tables, quotations and blocks of code. */
const inText = (
  rule: Rule,
  signals: Signals,
  security: boolean,
  prose: boolean,
  quotation: Quotation | undefined
): Level => {
  const { statement, mask, described } = signals
  const { context } = statement
  const example = has(mask, concepts.example)
  const defence = has(mask, concepts.defence) || (has(mask, concepts.hint) && (quotation !== undefined || security))
  if (has(mask, concepts.owned) && rule.family === "execution") return "notice"
  if (defence && (quotation !== undefined || prose || example)) return "notice"
  const apart = quotation !== undefined || context === "table" || context === "quote"
  if (security && apart && (prose || example || context !== "prose")) return "notice"
  const ordered = quotation === undefined || isOrdered(signals, quotation)
  if (quotation !== undefined && !ordered) {
    if (isReported(statement.text, quotation)) return prose ? "notice" : lowered(rule.level)
    if (security && isMentioned(signals, quotation)) return "notice"
  }
  if (defence || described || context === "quote" || (prose && context === "table")) return lowered(rule.level)
  const said = prose && quotation !== undefined && quotation.mark !== "`" && quotation.mark !== "'"
  return said || (apart && !ordered) || (security && context !== "code") ? atMostWarn(rule.level) : rule.level
}
