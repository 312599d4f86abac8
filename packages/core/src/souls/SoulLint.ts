import { Result } from "effect"
import { SearchText } from "../text/SearchText.ts"
import { SoulDocument } from "./SoulDocument.ts"

export interface SoulFinding {
  readonly rule: "format" | "front-matter" | "length" | "section" | "tags"
  readonly level: "error" | "warning"
  /** Starts at 1; 1 for a finding about the whole document. */
  readonly line: number
  readonly message: string
}

export interface SoulLintResult {
  /** Whether the text can be published: it has no finding of level error. */
  readonly valid: boolean
  readonly words: number
  readonly findings: ReadonlyArray<SoulFinding>
}

const recommendedWords = 500

const recommendedTags = 5

/** Each recommended section, with the headings that are accepted for it. */
const sections: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ["Core Identity", /identity/],
  ["Persona Traits", /traits?/],
  ["Communication Style", /communication/],
  ["Tone", /tone/],
  ["Expertise Areas", /expertise/],
  ["Rules & Boundaries", /rules|boundaries/],
  ["Example Scenarios", /examples?|scenarios?/]
]

const lists = ["ALWAYS", "NEVER"] as const

const matterKeys = ["name", "description", "price", "category", "tags", "author"] as const

const isTag = (tag: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(tag)

const warning = (rule: SoulFinding["rule"], message: string, line = 1): SoulFinding => ({
  rule,
  level: "warning",
  line,
  message
})

const lineOf = (lines: ReadonlyArray<string>, pattern: RegExp): number => {
  const index = lines.findIndex((line) => pattern.test(line))
  return index < 0 ? 1 : index + 1
}

const wordCount = (body: string): number => (body.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).length

const sectionFindings = (body: ReadonlyArray<string>): ReadonlyArray<SoulFinding> => {
  const headings = SoulDocument.headings(body).map((heading) => SearchText.words(heading).join(" "))
  const missing = sections.filter(([, pattern]) => !headings.some((heading) => pattern.test(heading)))
  const text = body.join("\n")
  return [
    ...missing.map(([name]) => warning("section", `a section "${name}" is recommended`)),
    ...lists
      .filter((word) => !new RegExp(`\\b${word}\\b`).test(text))
      .map((word) =>
        warning("section", `a list of what the agent does ${word} is recommended under Rules & Boundaries`)
      )
  ]
}

const matterFindings = (lines: ReadonlyArray<string>, content: string): ReadonlyArray<SoulFinding> => {
  const parsed = SoulDocument.parse(content)
  if (Result.isFailure(parsed)) return []
  const matter = parsed.success
  const missing = matterKeys.filter((key) => matter[key] === undefined)
  const tags = matter.tags ?? []
  const tagLine = lineOf(lines, /^tags[ \t]*:/)
  return [
    ...(missing.length === 0 ? [] : [warning("front-matter", `the front matter should name ${missing.join(", ")}`)]),
    ...(tags.length > recommendedTags
      ? [warning("tags", `at most ${recommendedTags} tags are recommended, found ${tags.length}`, tagLine)]
      : []),
    ...tags
      .filter((tag) => !isTag(tag))
      .map((tag) => warning("tags", `the tag ${JSON.stringify(tag)} should be in lower case, with hyphens`, tagLine))
  ]
}

/** Compares a SOUL.md with the recommendations (SOUL-42, SOUL-43). A finding is an error only if it also prevents publication. */
export const lintSoul = (content: string): SoulLintResult => {
  const lines = content.split(/\r\n|\n|\r/)
  const body = SoulDocument.body(content)
  const words = wordCount(body.join("\n"))
  const isSoul = Result.isSuccess(SoulDocument.parse(content))
  const findings: ReadonlyArray<SoulFinding> = [
    ...(isSoul
      ? []
      : [
          {
            rule: "format" as const,
            level: "error" as const,
            line: 1,
            message:
              "needs a heading `# SOUL` or a section `## Identity`, and a front matter, where one is opened, must be valid YAML"
          }
        ]),
    ...(words < recommendedWords
      ? [warning("length", `${recommendedWords} or more words are recommended, and it has ${words}`)]
      : []),
    ...matterFindings(lines, content),
    ...sectionFindings(body)
  ]
  return { valid: isSoul, words, findings }
}
