/** Characters that a reader does not see and an agent reads: dropped before matching, reported by `hiddenCharacters`. */
const isInvisible = (code: number): boolean =>
  code === 0xad ||
  code === 0x34f ||
  code === 0x61c ||
  code === 0x180e ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  code === 0xfeff ||
  (code >= 0xe0000 && code <= 0xe01ef)

/** The text without invisible characters. */
export const visibleText = (text: string): string => {
  let result = ""
  for (const char of text) if (!isInvisible(char.codePointAt(0) ?? 0)) result += char
  return result
}

export const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 126) return false
  return true
}

/** Cyrillic and Greek letters that look like Latin ones. */
const lookalikes = new Map(
  Object.entries({
    а: "a",
    в: "b",
    с: "c",
    ԁ: "d",
    е: "e",
    ё: "e",
    һ: "h",
    н: "h",
    і: "i",
    ї: "i",
    ј: "j",
    к: "k",
    ӏ: "l",
    м: "m",
    о: "o",
    р: "p",
    ԛ: "q",
    г: "r",
    ѕ: "s",
    т: "t",
    υ: "u",
    ѵ: "v",
    ԝ: "w",
    х: "x",
    у: "y",
    α: "a",
    β: "b",
    ε: "e",
    ι: "i",
    κ: "k",
    ν: "v",
    ο: "o",
    ρ: "p",
    τ: "t",
    χ: "x",
    γ: "y",
    ɑ: "a",
    ɡ: "g",
    ɩ: "i"
  })
)

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const plain = new Map(
  Object.entries({ ı: "i", ß: "ss", ø: "o", ł: "l", đ: "d", æ: "ae", œ: "oe", "’": "'", "‘": "'", "“": '"', "”": '"' })
)

const isLatin = (char: string) => char >= "a" && char <= "z"
const isLetter = (char: string) => char.toLowerCase() !== char.toUpperCase()

/** Replaces look-alike letters in words that also contain Latin ones, so that `сurl` with a Cyrillic letter reads `curl`. */
const unmixed = (word: string): string => {
  let latin = false
  let other = false
  for (const char of word) {
    if (isLatin(char)) latin = true
    else if (lookalikes.has(char)) other = true
  }
  if (!latin || !other) return word
  let result = ""
  for (const char of word) result += lookalikes.get(char) ?? char
  return result
}

/** Whether a word mixes Latin letters with look-alikes of another script. */
export const isMixed = (word: string): boolean => unmixed(word) !== word

const foldForeign = (text: string): string => {
  let result = ""
  let word = ""
  for (const char of text.normalize("NFKD").toLowerCase()) {
    const code = char.codePointAt(0) ?? 0
    if ((code >= 0x300 && code <= 0x36f) || isInvisible(code)) continue
    const letter = plain.get(char) ?? char
    if (isLetter(letter)) word += letter
    else {
      result += unmixed(word) + letter
      word = ""
    }
  }
  return (result + unmixed(word)).normalize("NFC")
}

/**
 * The form in which text is matched: lower case, without accents, invisible characters and compatibility forms, each run of spaces one
 * space. Literals of the lexicon are folded by the same function.
 */
export const foldText = (text: string): string => {
  const folded = isAscii(text) ? text.toLowerCase() : foldForeign(text)
  return folded.includes("  ") || folded.includes("\t") ? collapsed(folded) : folded
}

const collapsed = (text: string): string => {
  let result = ""
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9) continue
    let end = i + 1
    while (end < text.length && (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9)) end++
    if (end > i + 1 || code === 9) {
      result += text.slice(from, i) + " "
      from = end
    }
    i = end - 1
  }
  return result + text.slice(from)
}
