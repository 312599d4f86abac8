/**
 * Trains the weights of `src/rules/weigh.ts` from the corpus and writes them to `src/rules/weights.ts`. The training is deterministic.
 * `--validate` writes nothing: it leaves out an eighth of the files at a time and prints how the rest judges their cases. `--folder` adds
 * another corpus, which is judged and never trained.
 */
import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { readFile } from "../src/checks/fileChecks.ts"
import { featureCount, featureName, featuresOf } from "../src/rules/features.ts"
import { damping, neighbourShare, weightUnit } from "../src/rules/weigh.ts"
import { topicsOf } from "../src/scan.ts"
import { readSignals } from "../src/signals/readSignals.ts"
import { readDocument } from "../src/text/readDocument.ts"
import type { Case } from "./readCorpus.ts"
import { readCorpus } from "./readCorpus.ts"

const { values } = parseArgs({
  options: { validate: { type: "boolean", default: false }, folder: { type: "string" } }
})

type Features = ReadonlyArray<number>

interface Sample {
  readonly entry: Case
  readonly malicious: number
  /** The features of each statement of each file. */
  readonly documents: ReadonlyArray<ReadonlyArray<Features>>
}

const sampleOf = (entry: Case): Sample => {
  const documents = entry.files.flatMap((file) => {
    const { text } = readFile(file)
    return text === undefined ? [] : [readDocument(file.path, text)]
  })
  const topics = topicsOf(documents)
  return {
    entry,
    malicious: entry.label === "malicious" ? 1 : 0,
    documents: documents.map((document) =>
      readSignals(document).signals.map((signals) => featuresOf(signals, topics, document))
    )
  }
}

const epochs = 25
/** In the first epochs every statement of a malicious case counts a little, later only the one with the highest score. */
const earlyEpochs = 2
const earlyShare = { honest: 0.3, malicious: 0.15 }
const rate = 0.15
const decay = 0.001

const logistic = (score: number): number => 1 / (1 + Math.exp(-score))

/** Logistic regression with AdaGrad. The score of a case is that of its worst statement with its neighbours. */
class Model {
  readonly weights = new Float64Array(featureCount)
  readonly #squares = new Float64Array(featureCount).fill(1e-6)
  bias = -1
  readonly #common: Uint8Array

  constructor(common: Uint8Array) {
    this.#common = common
  }
  #biasSquares = 1e-6

  #sum(features: Features): number {
    let sum = 0
    for (const feature of features) sum += this.weights[feature] ?? 0
    return sum * damping(features.length)
  }

  /** The worst passage of a case: its score, and each statement with its share. */
  worst({ documents }: Sample): {
    readonly score: number
    readonly passage: ReadonlyArray<readonly [Features, number]>
  } {
    let score = Number.NEGATIVE_INFINITY
    let passage: ReadonlyArray<readonly [Features, number]> = []
    for (const statements of documents) {
      const sums = statements.map((features) => this.#sum(features))
      sums.forEach((sum, i) => {
        const whole = this.bias + sum + neighbourShare * ((sums[i - 1] ?? 0) + (sums[i + 1] ?? 0))
        if (whole <= score) return
        score = whole
        passage = [
          [statements[i] ?? [], 1],
          [statements[i - 1] ?? [], neighbourShare],
          [statements[i + 1] ?? [], neighbourShare]
        ]
      })
    }
    return { score, passage }
  }

  #correct(features: Features, error: number): void {
    const share = damping(features.length)
    for (const feature of features) {
      if (this.#common[feature] === 0) continue
      const weight = this.weights[feature] ?? 0
      const gradient = error * share + decay * weight
      const squares = (this.#squares[feature] ?? 0) + gradient * gradient
      this.#squares[feature] = squares
      this.weights[feature] = weight - (rate * gradient) / Math.sqrt(squares)
    }
  }

  learnEach({ documents, malicious }: Sample): void {
    for (const features of documents.flat()) {
      const error = logistic(this.#sum(features) + this.bias) - malicious
      this.#correct(features, error * (malicious === 1 ? earlyShare.malicious : earlyShare.honest))
    }
  }

  learnWorst(sample: Sample): void {
    const { score, passage } = this.worst(sample)
    if (passage.length === 0) return
    const error = logistic(score) - sample.malicious
    for (const [features, share] of passage) this.#correct(features, error * share)
    this.#biasSquares += error * error
    this.bias -= (rate * error) / Math.sqrt(this.#biasSquares)
  }
}

/** Reproducible pseudorandom numbers from 0 to 1. */
const randomness = () => {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

/** A feature of fewer cases says more about these cases than about attacks. */
const leastCases = 3

/** The features of at least `leastCases` cases. */
const commonFeatures = (samples: ReadonlyArray<Sample>): Uint8Array => {
  const counts = new Uint32Array(featureCount)
  for (const { documents } of samples)
    for (const feature of new Set(documents.flat(2))) counts[feature] = (counts[feature] ?? 0) + 1
  return Uint8Array.from(counts, (count) => (count >= leastCases ? 1 : 0))
}

const train = (samples: ReadonlyArray<Sample>): Model => {
  const model = new Model(commonFeatures(samples))
  const random = randomness()
  for (let epoch = 0; epoch < epochs; epoch++) {
    const shuffled = samples
      .map((sample) => ({ sample, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ sample }) => sample)
    for (const sample of shuffled) {
      if (epoch < earlyEpochs) model.learnEach(sample)
      else model.learnWorst(sample)
    }
  }
  return model
}

/** Smaller weights are left out. */
const smallest = 0.03

const sourceOf = (model: Model): string => {
  const groups = new Map<string, Array<string>>()
  model.weights.forEach((weight, feature) => {
    if (Math.abs(weight) < smallest) return
    const words = featureName(feature).split(" ")
    const pair = words.length === 3 && (words[0] === "text" || words[0] === "code")
    const group = pair ? `${words[0]} ${words[1]}` : ""
    const name = pair ? words[2] : words.join(" ")
    groups.set(group, [...(groups.get(group) ?? []), `${name} ${Math.round(weight / weightUnit)}`])
  })
  const lines = [...groups].map(([group, entries]) => `${group}: ${entries.join(", ")}`)
  return `/** Weights of single concepts, of pairs of concepts and of places, in hundredths. \`corpus/train.ts\` makes this file. */
export const weights = {
  bias: ${Math.round(model.bias / weightUnit)},
  features: \`
${lines.join("\n")}
\`
}
`
}

const folds = 8
const samples = readCorpus(import.meta.dirname)
  .filter(({ origin }) => origin !== "unseen")
  .map(sampleOf)

/** Files of one kind are numbered, so that each part has malicious and honest ones. */
const foldsOf = (): ReadonlyMap<string, number> => {
  const sources = [...new Set(samples.map(({ entry }) => entry.source))]
  const honest = sources.filter((source) => basename(source).includes("honest"))
  const others = sources.filter((source) => !honest.includes(source))
  return new Map([honest, others].flatMap((group) => group.map((source, i) => [source, i % folds] as const)))
}

const judged: Array<{ readonly entry: Case; readonly score: number; readonly outside: boolean }> = []
const print = (label: string, rows: typeof judged) => {
  const shares = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.5].map((threshold) =>
    `${((100 * rows.filter(({ score }) => score > threshold).length) / rows.length).toFixed(1)} %`.padStart(8)
  )
  if (rows.length > 0) console.log(`${label.padEnd(24)}${String(rows.length).padStart(5)}${shares.join("")}`)
}

if (values.validate) {
  const parts = foldsOf()
  for (let fold = 0; fold < folds; fold++) {
    const model = train(samples.filter(({ entry }) => parts.get(entry.source) !== fold))
    for (const sample of samples.filter(({ entry }) => parts.get(entry.source) === fold))
      judged.push({ entry: sample.entry, score: model.worst(sample).score, outside: false })
  }
  if (values.folder !== undefined) {
    const model = train(samples)
    for (const entry of readCorpus(values.folder))
      judged.push({ entry, score: model.worst(sampleOf(entry)).score, outside: true })
  }
  console.log("left out, above a score of      0     0.2     0.4     0.6     0.8       1     1.5")
  for (const outside of [false, true]) {
    const rows = judged.filter((row) => row.outside === outside)
    const families = new Set(rows.map(({ entry }) => entry.family).filter((family) => family !== ""))
    print(
      "malicious",
      rows.filter(({ entry }) => entry.label === "malicious")
    )
    for (const family of families)
      print(
        `malicious ${family}`,
        rows.filter(({ entry }) => entry.family === family)
      )
    print(
      "honest",
      rows.filter(({ entry }) => entry.label === "honest" && !entry.hard)
    )
    print(
      "honest hard",
      rows.filter(({ entry }) => entry.hard)
    )
  }
} else {
  writeFileSync(join(import.meta.dirname, "../src/rules/weights.ts"), sourceOf(train(samples)))
}
