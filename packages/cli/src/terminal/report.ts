import { Effect } from "effect"
import { JsonFlag } from "./JsonFlag.ts"
import { safeJson } from "./safeJson.ts"
import type { Page } from "./Surroundings.ts"
import { Surroundings } from "./Surroundings.ts"

/** Says what a command has found or done: `data` where JSON is wanted, else `text`; an empty text prints nothing. */
export const report = (data: unknown, text: (page: Page) => string) =>
  Effect.gen(function* () {
    const { page, write } = yield* Surroundings
    const said = (yield* JsonFlag) ? safeJson(data, page.isTerminal ? 2 : undefined) : text(page)
    if (said !== "") write(`${said}\n`)
  })
