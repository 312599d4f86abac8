import type { Document } from "../text/readDocument.ts"
import { isAscii } from "../text/foldText.ts"
import { assignedValues, plainCommand } from "./plainCommands.ts"

/** A text that was found encoded, and where. */
export interface Decoded {
  readonly text: string
  readonly line: number
}

const isBase64 = (code: number) =>
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  code === 43 ||
  code === 47 ||
  code === 45 ||
  code === 95
const isHexCode = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

/** Shorter runs are words. Unit: characters. */
const shortest = 24

/** Whether bytes read as text: printable, with few exceptions. */
const readable = (bytes: Uint8Array): string | undefined => {
  if (bytes.length < 12) return undefined
  const text = new TextDecoder("utf-8").decode(bytes)
  let odd = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code < 32 && code !== 10 && code !== 13 && code !== 9) || code === 0xfffd || code === 127) odd++
  }
  return odd * 20 > text.length ? undefined : text
}

/** UTF-16, as PowerShell's encoded commands are. */
const unwidened = (bytes: Uint8Array): Uint8Array => {
  let zeros = 0
  for (let i = 1; i < bytes.length; i += 2) if (bytes[i] === 0) zeros++
  return zeros * 2 > bytes.length * 0.9 ? bytes.filter((_, i) => i % 2 === 0) : bytes
}

const fromHex = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length >> 1)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16)
  return bytes
}

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"))

/** Decodes `\x41` and `\u0041` escapes, if the line consists largely of them. */
const fromEscapes = (line: string): string | undefined => {
  if (!line.includes("\\x") && !line.includes("\\u00")) return undefined
  let result = ""
  let escapes = 0
  for (let i = 0; i < line.length; i++) {
    const length = line[i] === "\\" ? (line[i + 1] === "x" ? 2 : line[i + 1] === "u" ? 4 : 0) : 0
    const digits = line.slice(i + 2, i + 2 + length)
    if (length > 0 && digits.length === length && [...digits].every((char) => isHexCode(char.charCodeAt(0)))) {
      result += String.fromCharCode(Number.parseInt(digits, 16))
      escapes++
      i += length + 1
    } else result += line[i]
  }
  return escapes >= 8 ? result : undefined
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Shorter lists of numbers are data. */
const shortestList = 16

/** Decodes a list of the numbers of characters, such as `[105, 109, 112]`. */
const fromNumbers = (line: string): string | undefined => {
  let best = ""
  let run = ""
  let digits = ""
  for (let i = 0; i <= line.length; i++) {
    const code = line.charCodeAt(i)
    if (isDigit(code) && digits.length < 4) {
      digits += line[i]
      continue
    }
    if (digits !== "") {
      const number = Number(digits)
      run = number === 10 || (number >= 32 && number < 127) ? run + String.fromCharCode(number) : ""
      if (run.length > best.length) best = run
      digits = ""
    }
    if (code !== 44 && code !== 32) run = ""
  }
  return best.length < shortestList ? undefined : best
}

const decodeRun = (run: string): string | undefined => {
  let hex = run.length % 2 === 0
  for (let i = 0; hex && i < run.length; i++) hex = isHexCode(run.charCodeAt(i))
  return readable(unwidened(hex ? fromHex(run) : fromBase64(run)))
}

const runsOf = (line: string, found: (run: string) => void): void => {
  let from = 0
  for (let i = 0; i <= line.length; i++) {
    if (i < line.length && isBase64(line.charCodeAt(i))) continue
    if (i - from >= shortest) found(line.slice(from, i))
    from = i + 1
  }
}

const rotated = (line: string): string => {
  let result = ""
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0
    result += base === 0 ? line[i] : String.fromCharCode(base + ((code - base + 13) % 26))
  }
  return result
}

/** Words of instructions after rot13, and backwards. */
const rotatedMarks = ["vafgehpgvbaf", "cerivbhf", "phey ", "cevingr xrl", "uggcf://", "vtaber "]
const reversedMarks = ["snoitcurtsni", "suoiverp", " lruc", "yek etavirp", "//:sptth", "hsab |", "dnammoc"]

const disguised = (line: string): string | undefined => {
  const lower = line.toLowerCase()
  if (rotatedMarks.some((mark) => lower.includes(mark))) return rotated(line)
  if (reversedMarks.some((mark) => lower.includes(mark))) return [...line].toReversed().join("")
  return spaced(line)
}

/** `i g n o r e`: letters that stand alone, joined. */
const spaced = (line: string): string | undefined => {
  let singles = 0
  let best = 0
  for (let i = 0; i < line.length; i += 2) {
    singles = line[i] !== " " && line[i + 1] === " " && line.charCodeAt(i) >= 65 ? singles + 1 : 0
    best = Math.max(best, singles)
  }
  return best < 9
    ? undefined
    : line
        .split("  ")
        .map((word) => word.replaceAll(" ", ""))
        .join(" ")
}

/** Text of tag characters, which show nothing. */
const tagged = (line: string): string | undefined => {
  if (isAscii(line) || !line.includes("\udb40")) return undefined
  let result = ""
  for (const char of line) {
    const code = char.codePointAt(0) ?? 0
    if (code >= 0xe0020 && code < 0xe007f) result += String.fromCharCode(code - 0xe0000)
  }
  return result === "" ? undefined : result
}

/** The texts that are encoded in a document: base64, hexadecimal, escapes, numbers of characters, rot13, backwards, spaced out, tag characters, names of commands in pieces. */
export const decodedText = (document: Document): ReadonlyArray<Decoded> => {
  const decoded: Array<Decoded> = []
  let assigned: ReadonlyMap<string, string> | undefined
  const values = () => (assigned ??= assignedValues(document.lines))
  document.lines.forEach((line, index) => {
    const add = (text: string | undefined) => text !== undefined && decoded.push({ text, line: index + 1 })
    if (line.length < shortest) return
    runsOf(line, (run) => add(decodeRun(run)))
    add(fromEscapes(line))
    add(fromNumbers(line))
    add(disguised(line))
    add(tagged(line))
    add(plainCommand(line, values))
  })
  return decoded
}
