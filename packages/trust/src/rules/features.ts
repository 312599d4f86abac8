import { guardWords } from "../lexicon/guardWords.ts"
import { conceptIndex, conceptNames } from "../signals/concepts.ts"
import { has } from "../signals/conceptMask.ts"
import type { Signals } from "../signals/readSignals.ts"
import type { Context } from "../text/Statement.ts"
import type { Document } from "../text/readDocument.ts"
import type { Topics } from "./judgeContext.ts"
import { isNegated } from "./judgeContext.ts"
import { isBadExample, isReported, isTestPath, quotationAt } from "./manner.ts"

/** A statement has at most this many different concepts in its features, so that their pairs stay few. */
const mostConcepts = 14
/** Occurrences of concepts that are looked at in one statement. */
const mostHits = 60

/** Concepts that serve rules only: the weights were trained without them. */
const unweighed: ReadonlySet<number> = new Set(Object.keys(guardWords).map(conceptIndex))

const negation = conceptIndex("negation")
/** Concepts, and the same ones negated. */
const width = conceptNames.length * 2
const topics = conceptNames.flatMap((name, index) => (name.startsWith("topic") || name === "harmless" ? [index] : []))
const contexts: ReadonlyArray<Context> = [
  "prose",
  "heading",
  "front",
  "quote",
  "table",
  "code",
  "comment",
  "script",
  "remark",
  "data",
  "decoded"
]
const flags = [
  ...contexts.map((context) => `in ${context}`),
  ...topics.map((topic) => `about ${conceptNames[topic]}`),
  "described",
  "forbidden",
  "quoted",
  "reported",
  "bad example",
  "test"
]
const flagIndexes = new Map(flags.map((flag, index) => [flag, width * width * 2 + index]))
const flagIndex = (flag: string): number => flagIndexes.get(flag) ?? -1
const contextIndexes = new Map(contexts.map((context) => [context, flagIndex(`in ${context}`)]))
const topicIndexes = new Map(topics.map((topic) => [topic, flagIndex(`about ${conceptNames[topic]}`)]))

/** Number of features that a statement may have. */
export const featureCount = width * width * 2 + flags.length

const conceptName = (number: number): string =>
  number < conceptNames.length ? `${conceptNames[number]}` : `!${conceptNames[number - conceptNames.length]}`

/** The name of a feature: `text hide user` is the pair of both concepts in prose, `code fetcher` one concept in code, `!send` a negated one. */
export const featureName = (feature: number): string => {
  if (feature >= width * width * 2) return flags[feature - width * width * 2] ?? ""
  const pair = feature % (width * width)
  const first = Math.floor(pair / width)
  const second = pair % width
  const names = first === second ? conceptName(first) : `${conceptName(first)} ${conceptName(second)}`
  return `${feature < width * width ? "text" : "code"} ${names}`
}

const numberOf = (name: string): number =>
  name.startsWith("!") ? conceptIndex(name.slice(1)) + conceptNames.length : conceptIndex(name)

/** The inverse of `featureName`; names of concepts that do not exist are a bug in the weights. */
export const featureOf = (name: string): number => {
  const flag = flagIndexes.get(name)
  if (flag !== undefined) return flag
  const [where, first = "", second = first] = name.split(" ")
  return pairOf(numberOf(first), numberOf(second), where === "code")
}

const pairOf = (a: number, b: number, code: boolean): number =>
  (code ? width * width : 0) + Math.min(a, b) * width + Math.max(a, b)

const isCode = (context: Context): boolean => context === "code" || context === "script"

/** The distinct concepts of a statement, each as it is meant: negated or not. */
const meanings = (signals: Signals): ReadonlyArray<number> => {
  const { hits, mask, statement } = signals
  const negates = !isCode(statement.context) && has(mask, negation)
  const found: Array<number> = []
  let looked = 0
  for (const { concept, start, end } of hits) {
    if (unweighed.has(concept)) continue
    if (looked++ === mostHits) break
    if (topicIndexes.has(concept)) continue
    const number = negates && isNegated(signals, start, end) ? concept + conceptNames.length : concept
    if (!found.includes(number)) found.push(number)
    if (found.length === mostConcepts) break
  }
  return found
}

/** How the first concept of a prose statement is presented. */
const manner = ({ hits, statement: { text } }: Signals, path: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  const [first] = hits
  if (first === undefined) return found
  const quotation = quotationAt(text, first.start)
  if (quotation !== undefined) {
    found.push(flagIndex("quoted"))
    if (isReported(text, quotation)) found.push(flagIndex("reported"))
  }
  if (isBadExample(text, first.start)) found.push(flagIndex("bad example"))
  if (isTestPath(path)) found.push(flagIndex("test"))
  return found
}

/**
 * What the weights judge of a statement: its concepts, each pair of them, where it stands and what the release is about. Empty for a statement
 * without concepts.
 */
export const featuresOf = (signals: Signals, about: Topics, document: Document): ReadonlyArray<number> => {
  const { statement, described, forbidden } = signals
  const found = meanings(signals)
  if (found.length === 0) return []
  const code = isCode(statement.context)
  const features: Array<number> = [contextIndexes.get(statement.context) ?? 0]
  found.forEach((a, i) => {
    for (const b of found.slice(i)) features.push(pairOf(a, b, code))
  })
  if (described) features.push(flagIndex("described"))
  if (forbidden) features.push(flagIndex("forbidden"))
  if (!code) features.push(...manner(signals, document.path))
  for (const [topic, feature] of topicIndexes) if (has(about, topic)) features.push(feature)
  return features
}
