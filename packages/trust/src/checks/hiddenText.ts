import type { Document } from "../text/readDocument.ts"
import { isAscii, isMixed, visibleText } from "../text/foldText.ts"
import type { Finding, Level } from "../Verdict.ts"

interface HiddenRule {
  readonly id: string
  readonly level: Exclude<Level, "clean">
  readonly owasp: string
  readonly message: string
}

export const hiddenRules = {
  tags: {
    id: "SKILL-HIDE-001",
    level: "block",
    owasp: "AST01",
    message: "Contains invisible tag characters, which carry text that only a model reads. Remove them."
  },
  bidi: {
    id: "SKILL-HIDE-002",
    level: "warn",
    owasp: "AST01",
    message: "Contains controls that change the order in which text is shown. Remove them."
  },
  zeroWidth: {
    id: "SKILL-HIDE-003",
    level: "warn",
    owasp: "AST01",
    message: "Contains invisible characters inside words. Remove them."
  },
  variation: {
    id: "SKILL-HIDE-004",
    level: "block",
    owasp: "AST01",
    message: "Contains a run of variation selectors, which can carry hidden text. Remove them."
  },
  style: {
    id: "SKILL-HIDE-005",
    level: "warn",
    owasp: "AST01",
    message: "Hides text by its style or colour. Show it or remove it."
  },
  mixed: {
    id: "SKILL-HIDE-006",
    level: "warn",
    owasp: "AST04",
    message: "Mixes letters of different scripts that look alike in one word. Write it in one script."
  },
  far: {
    id: "SKILL-HIDE-007",
    level: "warn",
    owasp: "AST01",
    message: "Text stands far outside of what an editor shows, behind spaces or empty lines. Move it into view."
  },
  escape: {
    id: "SKILL-HIDE-008",
    level: "warn",
    owasp: "AST01",
    message: "Contains control sequences that hide or rewrite what a terminal shows. Remove them."
  }
} as const satisfies Record<string, HiddenRule>

const isBidi = (code: number) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
const isZeroWidth = (code: number) =>
  code === 0x200b ||
  code === 0x2060 ||
  code === 0x200c ||
  code === 0x200d ||
  code === 0x180e ||
  code === 0xfeff ||
  (code >= 0x2061 && code <= 0x2064) ||
  code === 0xad ||
  code === 0x115f ||
  code === 0x3164
const isSelector = (code: number) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f
/** Overrides show letters in an order that no language has; isolates and embeddings are needed where Arabic or Hebrew meet Latin. */
const isOverride = (code: number) => code === 0x202d || code === 0x202e
const isRightToLeft = (code: number) => (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfefc)
const isAsciiLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** No script needs more invisible characters in a row. */
const longestZeroRun = 3

interface Counts {
  tags: number
  bidi: number
  /** Controls of direction that no text needs: overrides, and others on a line without letters from right to left. */
  overrides: number
  rightToLeft: boolean
  soft: number
  zero: number
  selectors: number
  hidden: string
}

/** Flags of England, Scotland and Wales are the only honest use of tag characters: a black flag and a few letters. */
const countLine = (line: string): Counts => {
  const counts: Counts = {
    tags: 0,
    bidi: 0,
    overrides: 0,
    rightToLeft: false,
    soft: 0,
    zero: 0,
    selectors: 0,
    hidden: ""
  }
  let run = 0
  let zeroRun = 0
  let flag = false
  let before = 0
  for (const char of line) {
    const code = char.codePointAt(0) ?? 0
    if (code === 0x1f3f4) flag = true
    else if (isTag(code)) {
      if (!flag) counts.tags++
      if (code >= 0xe0020 && code < 0xe007f) counts.hidden += String.fromCharCode(code - 0xe0000)
      if (code === 0xe007f) flag = false
    } else flag = false
    if (isSelector(code)) counts.selectors = Math.max(counts.selectors, ++run)
    else run = 0
    if (isBidi(code)) counts.bidi++
    if (isOverride(code)) counts.overrides++
    if (isRightToLeft(code)) counts.rightToLeft = true
    if (code === 0xad) counts.soft++
    zeroRun = isZeroWidth(code) ? zeroRun + 1 : 0
    if ((isZeroWidth(code) && isAsciiLetter(before)) || zeroRun === longestZeroRun) counts.zero++
    if (zeroRun === longestZeroRun + 1) counts.zero++
    before = isZeroWidth(code) && isAsciiLetter(before) ? before : code
  }
  return counts
}

const report = (rule: HiddenRule, file: string, line: number, evidence: string): Finding => ({
  rule: rule.id,
  level: rule.level,
  family: "hidden",
  file,
  line,
  evidence,
  message: rule.message,
  owasp: rule.owasp
})

/** Styles that make text invisible. */
const styles = [
  "display:none",
  "visibility:hidden",
  "font-size:0",
  "font-size:1px",
  "opacity:0;",
  'opacity:0"',
  "opacity:0'",
  "color:white",
  "color:#fff",
  "color:#ffffff",
  "color:transparent",
  "left:-9999",
  "text-indent:-9999",
  "height:0;",
  "max-height:0",
  "clip:rect(0",
  "color:rgba(0,0,0,0)",
  '<font color="white',
  'aria-hidden="true" style'
]

const hiddenByStyle = (line: string): boolean => {
  if (!line.includes("<")) return false
  const dense = line.toLowerCase().replaceAll(" ", "")
  return styles.some((style) => dense.includes(style)) && dense.includes("style=") && dense.length > 60
}

/** What stands on one line, apart from spaces in front. */
const farAway = (line: string): boolean => {
  let spaces = 0
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    spaces = code === 32 || code === 9 || code === 0xa0 || code === 0x3000 ? spaces + 1 : 0
    if (spaces >= 120) return line.slice(i).trim().length > 12
  }
  return false
}

/** Evidence starts after the last run of this many spaces. */
const gap = " ".repeat(40)

const mixedWord = (line: string): string | undefined => {
  if (isAscii(line)) return undefined
  let word = ""
  for (const char of `${line.toLowerCase()} `) {
    if (char.toLowerCase() !== char.toUpperCase()) {
      word += char
      continue
    }
    if (word.length > 2 && isMixed(word)) return word
    word = ""
  }
  return undefined
}

/** Whether all soft hyphens of a line stand in words long enough to be hyphenated, with two letters or more on each side. */
const hyphenates = (line: string): boolean =>
  line
    .split(" ")
    .filter((word) => word.includes("\u00ad"))
    .every((word) => {
      const parts = word.split("\u00ad")
      return parts.every((part) => part.length > 1) && word.length - parts.length >= 11
    })

/** Findings of one line, by the characters that it contains. */
const foreignFindings = (document: Document, line: string, number: number): Array<Finding> => {
  const findings: Array<Finding> = []
  const counts = countLine(line)
  const evidence = visibleText(line).trim()
  if (counts.tags > 0)
    findings.push(
      report(hiddenRules.tags, document.path, number, counts.hidden === "" ? evidence : `hidden: ${counts.hidden}`)
    )
  if (counts.selectors > 3) findings.push(report(hiddenRules.variation, document.path, number, evidence))
  if (counts.bidi > 0)
    findings.push({
      ...report(hiddenRules.bidi, document.path, number, evidence),
      level: document.kind === "script" ? "block" : counts.overrides === 0 && counts.rightToLeft ? "notice" : "warn"
    })
  if (counts.zero > 1 && !(counts.soft === counts.zero && hyphenates(line)))
    findings.push(report(hiddenRules.zeroWidth, document.path, number, evidence))
  else if (counts.zero > 0)
    findings.push({ ...report(hiddenRules.zeroWidth, document.path, number, evidence), level: "notice" })
  const mixed = mixedWord(line)
  if (mixed !== undefined) findings.push(report(hiddenRules.mixed, document.path, number, mixed))
  return findings
}

/** An empty stretch longer than this before more text hides it from a reader who scrolls. */
const emptyLines = 60

/** Reports characters and styles that make a reader see a different text than an agent reads. */
export const hiddenText = (document: Document): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  let empty = 0
  document.lines.forEach((line, index) => {
    if (line.trim() === "") return void empty++
    if (empty >= emptyLines) findings.push(report(hiddenRules.far, document.path, index + 1, line.trim()))
    empty = 0
    if (!isAscii(line)) findings.push(...foreignFindings(document, line, index + 1))
    if (document.kind === "text" && hiddenByStyle(line))
      findings.push(report(hiddenRules.style, document.path, index + 1, line.trim()))
    if (line.length > 140 && farAway(line))
      findings.push(report(hiddenRules.far, document.path, index + 1, line.trim().split(gap).at(-1) ?? ""))
    if (
      line.includes("\u001b[8m") ||
      line.includes("\\e[8m") ||
      line.includes("\\033[8m") ||
      line.includes("\\x1b[8m") ||
      line.includes("\u001b[2J")
    )
      findings.push(report(hiddenRules.escape, document.path, index + 1, line.trim()))
  })
  return findings
}
