import { Schema } from "effect"
import { boundedText } from "./BoundedText.ts"

/** Scripts in which a joiner between two letters is part of the spelling. */
const joiningScripts = [
  "Arabic",
  "Bengali",
  "Devanagari",
  "Gujarati",
  "Gurmukhi",
  "Kannada",
  "Khmer",
  "Malayalam",
  "Mongolian",
  "Myanmar",
  "Nko",
  "Oriya",
  "Sinhala",
  "Syriac",
  "Tamil",
  "Telugu",
  "Tibetan"
]
  .map((script) => `\\p{Script=${script}}`)
  .join("")

const joiningLetter = new RegExp(`^[${joiningScripts}]$`, "u")
const beforeEmojiJoiner = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u
const emoji = /^\p{Extended_Pictographic}$/u

/** Control characters, line breaks, and characters that are invisible. */
const hidden = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u

/** Visible format characters of Arabic and other scripts, for example signs around a number. */
const drawnFormat = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u

const isJoinerInPlace = (before: string, after: string): boolean =>
  (joiningLetter.test(before) && joiningLetter.test(after)) || (beforeEmojiJoiner.test(before) && emoji.test(after))

const isSelectorInPlace = (selector: string, before: string): boolean => {
  if (selector === "\ufe0e" || selector === "\ufe0f") return /^\p{Emoji}$/u.test(before)
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(selector)) return /^\p{Script=Han}$/u.test(before)
  return /^[\u180b-\u180d\u180f]$/.test(selector) && /^\p{Script=Mongolian}$/u.test(before)
}

const isAllowed = (character: string, before: string, after: string): boolean => {
  if (!hidden.test(character) || drawnFormat.test(character)) return true
  if (character === "\u200c") return joiningLetter.test(before) && joiningLetter.test(after)
  if (character === "\u200d") return isJoinerInPlace(before, after)
  return isSelectorInPlace(character, before)
}

/** White space, U+2800 and U+1D159, which are drawn as blanks, and marks and selectors, which show only on another character. */
const blank = /^[\s\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]$/u

const isBlank = (character: string): boolean => blank.test(character) && !drawnFormat.test(character)

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** The characters of a name: one line of visible text (TEXT-3, TEXT-4, TEXT-9). */
export const VisibleLine: {
  /** The names (`U+XXXX`) of the characters that are not allowed, each once, in order. */
  readonly refused: (line: string) => ReadonlyArray<string>
  /** The violation of the line; undefined if it is valid. */
  readonly violation: (line: string) => string | undefined
} = {
  refused: (line) => {
    if (/^[\x20-\x7e]*$/.test(line)) return []
    const characters = [...line]
    const refused = characters.filter((each, i) => !isAllowed(each, characters[i - 1] ?? "", characters[i + 1] ?? ""))
    return [...new Set(refused.map(nameOf))]
  },
  violation: (line) => {
    const refused = VisibleLine.refused(line)
    if (refused.length > 0) return `must be one line of visible text, without ${refused.join(", ")}`
    const characters = [...line]
    return characters.length > 0 && characters.every(isBlank) ? "must have at least one visible character" : undefined
  }
}

/** {@link boundedText} that is one line of visible text: the name of an account, agent or item, or a tag (TEXT-3, TEXT-4). */
export const visibleLine = ({ max, min }: { readonly min: number; readonly max: number }) =>
  boundedText({ min, max }).check(Schema.makeFilter((line) => VisibleLine.violation(line)))
