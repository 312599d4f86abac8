import type { DocumentSignals, Signals } from "../signals/readSignals.ts"
import type { Finding } from "../Verdict.ts"
import { featureCount, featureOf, featuresOf } from "./features.ts"
import type { Topics } from "./judgeContext.ts"
import { isTaught } from "./judgeContext.ts"
import { isDetectionFile, quotationAt } from "./manner.ts"
import { weights } from "./weights.ts"

/** A statement counts this share of each neighbour, because an attack is often spread over sentences. */
export const neighbourShare = 0.3

/** Damps statements with many features. */
export const damping = (features: number): number => 1 / Math.sqrt(features + 5)

/** A passage with a higher score is reported. Code needs more, because calls of a user's own services resemble attacks. */
const thresholds = { text: 0.1, code: 0.8 }

/** A file has at most this many findings of this kind; further ones would not add information. */
const mostFindings = 3

/** Unit of the stored weights. */
export const weightUnit = 0.01

let table: Float32Array | undefined

/** Each line names the start of its features and, behind a colon, how each goes on and its weight. */
const readWeights = (): Float32Array => {
  const read = new Float32Array(featureCount)
  for (const line of weights.features.trim().split("\n")) {
    const colon = line.indexOf(":")
    for (const entry of line.slice(colon + 1).split(",")) {
      const space = entry.lastIndexOf(" ")
      const feature = featureOf(`${line.slice(0, colon)}${entry.slice(0, space)}`.trim())
      read[feature] = Number(entry.slice(space + 1)) * weightUnit
    }
  }
  return read
}

/** Read at the first scan. */
const loaded = (): Float32Array => (table ??= readWeights())

/** The sum of the weights of a statement's features. */
const weightOf = (features: ReadonlyArray<number>): number => {
  const weight = loaded()
  let sum = 0
  for (const feature of features) sum += weight[feature] ?? 0
  return sum * damping(features.length)
}

/** The score of each statement of a document: above 0 it resembles the malicious cases of the corpus more than the honest ones. */
const scoresOf = ({ document, signals }: DocumentSignals, topics: Topics): ReadonlyArray<number> => {
  const sums = signals.map((entry) => weightOf(featuresOf(entry, topics, document)))
  return sums.map(
    (sum, i) => weights.bias * weightUnit + sum + neighbourShare * ((sums[i - 1] ?? 0) + (sums[i + 1] ?? 0))
  )
}

export const weighedRule = {
  id: "SKILL-MIX-001",
  reason:
    "Attacks in new words still combine the same things: what is read, where it goes, who decides and who must not know.",
  message:
    "What this passage combines resembles attacks. State plainly what is read, where it goes and who decides, or remove it."
} as const

const isCode = ({ statement: { context } }: Signals): boolean => context === "code" || context === "script"

const thresholdOf = (signals: Signals): number => (isCode(signals) ? thresholds.code : thresholds.text)

/** Whether a statement shows something instead of saying it: a block of code, a table, a quotation. */
const isShownApart = ({ hits: [first], statement: { context, text } }: Signals): boolean =>
  context === "code" ||
  context === "table" ||
  context === "quote" ||
  (context === "prose" && first !== undefined && quotationAt(text, first.start) !== undefined)

/** Passages whose combination of concepts resembles attacks (SCAN-20): the worst ones of a document, at `warn`. */
export const weigh = (document: DocumentSignals, topics: Topics): ReadonlyArray<Finding> => {
  if (isDetectionFile(document.document)) return []
  const scores = scoresOf(document, topics)
  const taught = isTaught(topics)
  return document.signals
    .map((signals, i) => ({ signals, score: scores[i] ?? 0 }))
    .filter(({ signals, score }) => score > thresholdOf(signals) && !(taught && isShownApart(signals)))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostFindings)
    .map(({ signals }) => ({
      rule: weighedRule.id,
      level: "warn",
      family: isCode(signals) ? "execution" : "injection",
      file: document.document.path,
      line: signals.statement.line,
      evidence: document.document.lines[signals.statement.line - 1]?.trim() || signals.statement.text.trim(),
      message: weighedRule.message,
      owasp: "AST01"
    }))
}
