import type { Signals } from "../signals/readSignals.ts"
import { conceptIndex } from "../signals/concepts.ts"
import { has } from "../signals/conceptMask.ts"
import type { Finding } from "../Verdict.ts"

/** Sections that a SOUL should have, each with the words that its heading may use. */
const sections: ReadonlyArray<readonly [name: string, words: ReadonlyArray<string>]> = [
  [
    "Identity",
    [
      "identity",
      "who you are",
      "who i am",
      "soul",
      "about",
      "identidad",
      "identitat",
      "identite",
      "личность",
      "身份",
      "アイデンティティ"
    ]
  ],
  [
    "Boundaries",
    ["boundar", "limit", "never", "rules", "safety", "limite", "grenzen", "границ", "边界", "境界", "won't", "will not"]
  ],
  [
    "Style",
    ["style", "voice", "tone", "communication", "speak", "estilo", "stil", "ton", "стиль", "风格", "話し方", "vibe"]
  ]
]

const notice = (rule: string, line: number, evidence: string, message: string): Finding => ({
  rule,
  level: "notice",
  family: "souls",
  file: "SOUL.md",
  line,
  evidence,
  message,
  owasp: "AST04"
})

const formatFindings = (signals: ReadonlyArray<Signals>): ReadonlyArray<Finding> => {
  const headings = signals
    .filter(({ statement }) => statement.context === "heading")
    .map(({ statement }) => statement.text)
  return sections
    .filter(([, words]) => !headings.some((heading) => words.some((word) => heading.includes(word))))
    .map(([name]) => notice("SKILL-SOUL-101", 0, "", `The recommended format has a section "${name}". Add it.`))
}

const always = conceptIndex("always")
const never = conceptIndex("never")

/** The words of a rule after ALWAYS or NEVER, without short ones. */
const wordsOf = ({ statement }: Signals): ReadonlyArray<string> =>
  statement.text
    .split(/[\s.,;:!?*`"()-]/u)
    .filter((word) => word.length > 3 && word !== "always" && word !== "never")
    .slice(0, 12)

/** "ALWAYS x" and "NEVER x" about the same words. Each rule is compared by its first two words, so that this stays linear. */
const contradictions = (signals: ReadonlyArray<Signals>): ReadonlyArray<Finding> => {
  const rules = new Map<string, Signals>()
  for (const entry of signals) {
    if (!has(entry.mask, always) || has(entry.mask, never)) continue
    const key = wordsOf(entry).slice(0, 2).join(" ")
    if (key.includes(" ")) rules.set(key, entry)
  }
  return signals.flatMap((entry) => {
    if (!has(entry.mask, never) || has(entry.mask, always)) return []
    const other = rules.get(wordsOf(entry).slice(0, 2).join(" "))
    return other === undefined
      ? []
      : [
          notice(
            "SKILL-SOUL-102",
            entry.statement.line,
            entry.statement.text,
            `Contradicts the rule in line ${other.statement.line}. Keep one of the two.`
          )
        ]
  })
}

/** Notices about missing sections of a SOUL and about rules that contradict each other (SCAN-13). */
export const soulFormat = (signals: ReadonlyArray<Signals>): ReadonlyArray<Finding> => [
  ...formatFindings(signals),
  ...contradictions(signals)
]
