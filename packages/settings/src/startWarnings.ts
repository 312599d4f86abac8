import type { Configuration } from "./Configuration.ts"

/** What the operator should know about a configuration that is accepted, one sentence each; logged at start. */
export const startWarnings = ({ production, soulContent, testClock, tron }: Configuration): ReadonlyArray<string> => [
  // CONFIG-10
  ...(soulContent === "open" ? ["SOUL_CONTENT is open: every key reads the full text of paid souls"] : []),
  // CONFIG-20
  ...(production && tron === undefined
    ? ["CHAIN is simulated in production: deposits and withdrawals are not real"]
    : []),
  ...(production && testClock ? ["TEST_CLOCK is set in production: the operator can move the market's time"] : [])
]
