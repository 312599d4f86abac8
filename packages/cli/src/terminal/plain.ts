import { stripVTControlCharacters } from "node:util"

/** Control characters, line breaks among them, what turns the direction of writing, and what cannot be seen. */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu

/** Texts of strangers, made harmless for a terminal: they can neither move the cursor, nor recolour, nor pose as other lines (CLI-10). */
export const plain = {
  /** One line. */
  line: (text: string): string => stripVTControlCharacters(text).replace(/\s+/gu, " ").replace(unsafe, "").trim(),
  /** With its line breaks and tabs. */
  text: (text: string): string =>
    stripVTControlCharacters(text)
      .split(/\r\n|\n|\r/)
      .map((line) =>
        line
          .split("\t")
          .map((part) => part.replace(unsafe, ""))
          .join("\t")
      )
      .join("\n")
}
