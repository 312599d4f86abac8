import { crc32 } from "node:zlib"

/** A part of a text that holds a secret, by the offsets of its first character and of the one behind its last. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** What kind of secret it is. */
  readonly kind: string
  /** How many of its first characters say only what kind of secret it is. */
  readonly shown: number
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isUpper = (code: number): boolean => code >= 65 && code <= 90
const isLower = (code: number): boolean => code >= 97 && code <= 122
const isLetterOrDigit = (code: number): boolean => isDigit(code) || isUpper(code) || isLower(code)
/** `-` and `_` too. */
const isTokenCode = (code: number): boolean => isLetterOrDigit(code) || code === 45 || code === 95
const isBase64Code = (code: number): boolean => isLetterOrDigit(code) || code === 43 || code === 47 || code === 61

const runFrom = (text: string, from: number, accepts: (code: number) => boolean): number => {
  let end = from
  while (end < text.length && accepts(text.charCodeAt(end))) end++
  return end
}

/** Placeholders repeat few characters. */
const isVaried = (text: string): boolean => new Set(text).size >= 10

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A key of a marketplace ends with the CRC32 of its random part, in 6 characters of base 62 (KEY-12). */
const hasChecksum = (token: string): boolean => {
  const random = token.slice(4, -6)
  let checksum = ""
  for (let rest = crc32(random); checksum.length < 6; rest = Math.floor(rest / 62))
    checksum = alphabet.charAt(rest % 62) + checksum
  return token.endsWith(checksum)
}

interface TokenKind {
  readonly kind: string
  readonly prefix: string
  /** Length of what follows the prefix. */
  readonly least: number
  readonly most: number
  readonly isReal: (token: string) => boolean
}

/** Tokens that the preset of secretlint does not know. */
const tokenKinds: ReadonlyArray<TokenKind> = [
  { kind: "marketplace key", prefix: "amk_", least: 39, most: 39, isReal: hasChecksum },
  { kind: "Hugging Face", prefix: "hf_", least: 34, most: 40, isReal: isVaried },
  { kind: "Notion", prefix: "ntn_", least: 40, most: 60, isReal: isVaried }
]

const tokens = (text: string, spans: Array<SecretSpan>): void => {
  for (const { isReal, kind, least, most, prefix } of tokenKinds) {
    for (let start = text.indexOf(prefix); start >= 0; start = text.indexOf(prefix, start + prefix.length)) {
      if (start > 0 && isTokenCode(text.charCodeAt(start - 1))) continue
      const end = runFrom(text, start + prefix.length, isLetterOrDigit)
      const length = end - start - prefix.length
      if (length < least || length > most || !isReal(text.slice(start, end))) continue
      spans.push({ start, end, kind, shown: prefix.length })
    }
  }
}

/** Tokens of Telegram bots: the number of the bot, a colon, and 35 characters that start with AA. */
const telegramTokens = (text: string, spans: Array<SecretSpan>): void => {
  for (let colon = text.indexOf(":AA"); colon >= 0; colon = text.indexOf(":AA", colon + 3)) {
    let start = colon
    while (colon - start < 11 && isDigit(text.charCodeAt(start - 1))) start--
    const end = runFrom(text, colon + 1, isTokenCode)
    if (colon - start < 8 || colon - start > 10 || end - colon !== 36 || !isVaried(text.slice(colon, end))) continue
    spans.push({ start, end, kind: "Telegram bot", shown: 0 })
  }
}

const opening = "-----BEGIN "
/** Length of the longest label between `-----BEGIN ` and `PRIVATE KEY`. */
const longestLabel = 24
/** A shorter body is an ellipsis or a sample. */
const shortestBody = 40

/** The label's end, behind its dashes, if a private key starts at the offset. */
const labelEnd = (text: string, start: number): number => {
  const words = text.slice(start + opening.length, start + opening.length + longestLabel + 22)
  const key = words.indexOf("PRIVATE KEY")
  if (key < 0 || runFrom(words, 0, (code) => isUpper(code) || isDigit(code) || code === 32) < key) return -1
  const dashes = words.indexOf("-----", key)
  return dashes < 0 || dashes > key + 17 ? -1 : start + opening.length + dashes + 5
}

/** Characters of base64 until the label at the end; escaped line breaks, quotes and spaces between them do not count. */
const bodyOf = (text: string, from: number, end: number): string => {
  let body = ""
  for (let i = from; i < end && body.length < 400; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (isBase64Code(code)) body += text[i]
    else if (code === 46) return ""
  }
  return body
}

/** Private keys in PEM form that start at `lastStart` or before, from their first label to their last one, or to the end of the text. */
export const privateKeys = (text: string, spans: Array<SecretSpan>, lastStart = text.length): void => {
  let end = 0
  for (
    let start = text.indexOf(opening);
    start >= 0 && start <= lastStart;
    start = text.indexOf(opening, start + opening.length)
  ) {
    const label = labelEnd(text, start)
    if (label < 0) continue
    if (end < label) {
      const close = text.indexOf("-----END", label)
      end = close < 0 ? text.length : close
    }
    const body = bodyOf(text, label, end)
    if (body.length < shortestBody || !isVaried(body)) continue
    spans.push({ start, end, kind: "private key", shown: label - start })
  }
}

/** The secrets of a text that have a form of their own and that the preset of secretlint does not know. Takes linear time. */
export const knownTokens = (text: string): ReadonlyArray<SecretSpan> => {
  const spans: Array<SecretSpan> = []
  tokens(text, spans)
  telegramTokens(text, spans)
  return spans
}
