import { classWords } from "../lexicon/classWords.ts"
import { combinationWords } from "../lexicon/combinationWords.ts"
import { contextWords } from "../lexicon/contextWords.ts"
import { executionWords } from "../lexicon/executionWords.ts"
import { guardWords } from "../lexicon/guardWords.ts"
import { indirectWords } from "../lexicon/indirectWords.ts"
import { injectionWords } from "../lexicon/injectionWords.ts"
import { intentWords } from "../lexicon/intentWords.ts"
import { persistenceWords } from "../lexicon/persistenceWords.ts"
import { procedureWords } from "../lexicon/procedureWords.ts"
import { theftWords } from "../lexicon/theftWords.ts"

/** The concepts that are found by words. */
export const words = {
  ...injectionWords,
  ...theftWords,
  ...executionWords,
  ...persistenceWords,
  ...combinationWords,
  ...intentWords,
  ...indirectWords,
  ...procedureWords,
  ...guardWords,
  ...contextWords,
  ...classWords
}

/** Concepts that a parser finds in a statement (`derivedSignals`). */
export const derived = [
  "url",
  "urlUnknown",
  "urlKnown",
  "urlInstaller",
  "urlIp",
  "urlPaste",
  "urlShort",
  "urlExfil",
  "urlTunnel",
  "urlHook",
  "urlOwnHook",
  "bareHost",
  "urlPlain",
  "urlRaw",
  "urlRelease",
  "urlFile",
  "urlTemplate",
  "urlLocal",
  "email",
  "address",
  "toShell",
  "fetchInside",
  "imageTemplate",
  "privateEnv",
  "paddedText",
  "onion",
  "bankAccount",
  "ipLiteral",
  "withhold"
] as const

export type Concept = keyof typeof words | (typeof derived)[number]

export const conceptNames: ReadonlyArray<Concept> = [...(Object.keys(words) as Array<keyof typeof words>), ...derived]

const indexes = new Map<string, number>(conceptNames.map((name, index) => [name, index]))

/** The index of a concept. An unknown name is a bug in the rules. */
export const conceptIndex = (name: string): number => {
  const index = indexes.get(name)
  if (index === undefined) throw new Error(`No concept "${name}" in the lexicon.`)
  return index
}

/** Number of 32-bit words of a set of concepts. */
export const maskWidth = Math.ceil(conceptNames.length / 32)
