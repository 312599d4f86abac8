import { Effect } from "effect"
import type { Page } from "./CliContext.ts"
import { CliContext } from "./CliContext.ts"
import { JsonFlag } from "./JsonFlag.ts"
import { plain } from "./text.ts"

/** Characters that JSON leaves unescaped but a terminal may interpret. */
const interpreted = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** JSON that is safe on a terminal and parses to the same value. */
export const safeJson = (data: unknown, space?: number): string =>
  JSON.stringify(data, undefined, space).replace(interpreted, escaped)

/** Prints a notice on standard error, beside the result. */
export const notice = (sentence: string) =>
  Effect.map(CliContext, ({ writeError }) => writeError(`${plain.line(sentence)}\n`))

/** Prints the result of a command: `data` with --json, otherwise `text`. An empty text prints nothing. */
export const report = (data: unknown, text: (page: Page) => string) =>
  Effect.gen(function* () {
    const { page, write } = yield* CliContext
    const output = (yield* JsonFlag) ? safeJson(data, page.isTerminal ? 2 : undefined) : text(page)
    if (output !== "") write(`${output}\n`)
  })
