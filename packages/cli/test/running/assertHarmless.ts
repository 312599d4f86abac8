import { assert } from "vitest"

/** A text has nothing that a terminal obeys, but ends of lines and tabs. */
export const assertHarmless = (text: string): void =>
  assert.notMatch(text.replace(/[\n\t]/g, ""), /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2060-\u206F]/u)
