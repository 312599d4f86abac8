import type { Document } from "../text/readDocument.ts"

/** Pairs of marks that quote; folded text has straight double quotes. */
const closing: Readonly<Record<string, string>> = { '"': '"', "`": "`", "«": "»", "「": "」", "『": "』", "„": '"' }

export interface Quotation {
  readonly mark: string
  /** The offset of the opening mark. */
  readonly open: number
  /** The offset of the closing mark, or the length of the text. */
  readonly close: number
}

/** The quotation around the character at `offset`, if there is one. */
export const quotationAt = (text: string, offset: number): Quotation | undefined => {
  let mark = ""
  let end = ""
  let open = -1
  for (let i = 0; i < offset; i++) {
    const char = text.charAt(i)
    if (mark === "") {
      if (closing[char] === undefined) continue
      mark = char
      end = closing[char]
      open = i
    } else if (char === end) mark = ""
  }
  if (mark !== "") {
    const close = text.indexOf(end, offset)
    return { mark, open, close: close < 0 ? text.length : close }
  }
  return offset > 0 && text[offset - 1] === "'" ? { mark: "'", open: offset - 1, close: text.length } : undefined
}

/** Speech of somebody else, in the third person: an agent is not told to say it. */
const speech = [
  ..."says said saying writes wrote written claims claiming reads sends posts types typed shouts whispers answers replies like".split(
    " "
  ),
  ..."contains containing mentions means sentence sentences phrase phrases wording words text message messages".split(
    " "
  ),
  ..."disser disserem diga digan dise disant demande verlangt fordert behauptet zegt schrijft mowi diyor yaziyor гласит требует просит 写道 声称 sagt schreibt steht dit ecrit dice escribe diz scrive пишет говорит написано текст 说 写 写着 要求 称 と言 と書 라고".split(
    " "
  ),
  "such as",
  "e.g.",
  "for example"
]

/** What follows a quotation that is spoken about: `"…" makes you careful`. */
const predicates = [
  " is ",
  " are ",
  " was ",
  " means ",
  " makes ",
  " make me ",
  " make you ",
  " must be ",
  " should be ",
  " counts ",
  " does not ",
  " do not ",
  " never ",
  " or similar",
  " and similar",
  " in a ",
  " and the like",
  " ist ",
  " sind ",
  " es ",
  " est ",
  " и ",
  "と書",
  "と言",
  "という",
  "라고",
  "라는",
  "等"
]

/** What joins the quotations of a list. */
const joints = [", ", " and ", " or ", " und ", " oder "]
/** A list of more quotations is not read to its end. */
const mostListed = 5

/** The offset of the closing mark of the last quotation in a list: `"…", "…" and "…"`. */
const endOfList = (text: string, mark: string, close: number): number => {
  let end = close
  for (let i = 0; i < mostListed; i++) {
    const joint = joints.find((word) => text.startsWith(word + mark, end + 1))
    if (joint === undefined) return end
    const next = text.indexOf(closing[mark] ?? mark, end + 1 + joint.length + mark.length)
    if (next < 0) return end
    end = next
  }
  return end
}

/** Whether the quotation repeats what somebody else says, or is the subject of its sentence. */
export const isReported = (text: string, { mark, open, close }: Quotation): boolean => {
  if (mark === "`" || mark === "'") return false
  let end = open
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === ":" || text[end - 1] === ",")) end--
  const before = text.slice(Math.max(0, end - 30), end)
  if (speech.some((word) => before.endsWith(word))) return true
  const last = endOfList(text, mark, close)
  const after = text.slice(last + 1, last + 16)
  return predicates.some((predicate) => after.startsWith(predicate))
}

const bad = [
  "✗",
  "✘",
  "❌",
  "✖",
  "🚫",
  "⛔",
  "👎",
  "bad:",
  "wrong:",
  "unsafe:",
  "insecure:",
  "vulnerable:",
  "don't:",
  "do not:",
  "never:",
  "avoid:"
]
const good = ["✓", "✔", "✅", "👍", "good:", "right:", "safe:", "do:", "better:", "instead:", "correct:"]

/** Whether the nearest mark before `offset` says that what follows is a bad example: `✗ … ✓ …`. */
export const isBadExample = (text: string, offset: number): boolean => {
  const before = text.slice(Math.max(0, offset - 160), offset).replaceAll("*", "")
  const last = (marks: ReadonlyArray<string>) => Math.max(...marks.map((mark) => before.lastIndexOf(mark)))
  const worst = last(bad)
  if (worst < 0) return false
  // "don't:" and "do not:" end in "do:" only by accident of spelling, so a good mark has to start behind the bad one.
  return last(good) <= worst + 2
}

/** Programs that search texts for patterns. */
const searchers = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "findstr", "select-string", "sls"])

/** Programs that only show what they read. */
const showers = new Set([
  ...searchers,
  "cat",
  "ls",
  "head",
  "tail",
  "less",
  "more",
  "diff",
  "stat",
  "file",
  "wc",
  "sha256sum",
  "get-content",
  "test"
])

const programOf = (text: string): string => {
  const words = text.split(" ", 3)
  return (words[0] === "$" || words[0] === "sudo" ? words[1] : words[0]) ?? ""
}

/** Whether the text at `offset` is the pattern of a search: `grep -R "curl .*| *sh" /etc`. */
export const isSearched = (text: string, offset: number): boolean => {
  if (!searchers.has(programOf(text))) return false
  let mark = ""
  for (let i = 0; i < offset; i++) {
    const char = text.charAt(i)
    if (mark === "" && (char === '"' || char === "'")) mark = char
    else if (char === mark) mark = ""
  }
  return mark !== "" || text[offset - 1] === '"' || text[offset - 1] === "'"
}

/** Whether a command only shows files: `cat ~/.bashrc`, without a pipe or a redirection into a file. */
export const isShown = (text: string): boolean => {
  if (!showers.has(programOf(text)) || text.includes(";") || text.includes("&&")) return false
  const plain = text.replaceAll("2>/dev/null", "").replaceAll("2>&1", "")
  return !plain.includes(">") && !plain.includes("|")
}

/** A line of a list of patterns, as detectors have them. */
export const isPatternLine = (text: string): boolean =>
  ['"', "'", "`", 'r"', "r'", "/", '("', "('", '(r"', "(r'", '{"', "- '", '- "', "- `"].some((start) =>
    text.startsWith(start)
  ) ||
  ["pattern", "regex", "re.compile", "re.search", "grep", "new regexp", ".test(", "assert", "expect("].some((word) =>
    text.includes(word)
  )

export const isTestPath = (path: string): boolean => {
  const lower = `/${path.toLowerCase()}`
  return (
    ["/test", "/fixture", "/eval", "/sample", "/corpus"].some((part) => lower.includes(part)) ||
    ["_test.", ".test.", ".spec."].some((part) => lower.includes(part))
  )
}

const formats: ReadonlyArray<ReadonlyArray<string>> = [
  ["detection:", "logsource:"],
  ["- rule:", "condition:"],
  ["rules:", "pattern"],
  ["rule ", "strings:", "condition:"]
]
const detections = new WeakMap<Document, boolean>()

/** Rules of Sigma, Falco, Semgrep or YARA: nothing runs what they name. */
export const isDetectionFile = (document: Document): boolean => {
  if (document.kind === "script" || document.path.toLowerCase().endsWith(".md")) return false
  const known = detections.get(document)
  if (known !== undefined) return known
  const lines = document.lines.map((line) => line.trim())
  const found = formats.some((starts) =>
    starts.every((start) => lines.some((line) => line.startsWith(start) || line.startsWith(`- ${start}`)))
  )
  detections.set(document, found)
  return found
}
