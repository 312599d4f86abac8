import { stripVTControlCharacters, styleText } from "node:util"
import type { Page } from "./CliContext.ts"

/** Control characters, including line breaks, direction marks and invisible characters. */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/gu

/** Makes texts of other users safe to print: they cannot move the cursor, change colors or imitate other lines (CLI-10). */
export const plain = {
  /** As one line. */
  line: (text: string): string => stripVTControlCharacters(text).replace(/\s+/gu, " ").replace(unsafe, "").trim(),
  /** With line breaks and tabs. */
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

/** Adds emphasis where the terminal has colors. */
export const style = (
  page: Pick<Page, "canColor">,
  format: "bold" | "dim" | "red" | "green" | "yellow",
  text: string
) => (page.canColor ? styleText(format, text, { validateStream: false }) : text)

const secret = /\b(am[kctrdo]_|whsec_|xprv)[\w+/=-]+/g

/** Removes API keys, tokens, webhook secrets and private keys from a text. */
export const withoutSecrets = (text: string): string => text.replace(secret, "$1…")
