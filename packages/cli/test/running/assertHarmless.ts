import { assert } from "vitest"

/** Asserts that a text contains no control characters other than line ends and tabs. */
export const assertHarmless = (text: string): void =>
  assert.notMatch(text.replace(/[\n\t]/g, ""), /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2060-\u206F]/u)
