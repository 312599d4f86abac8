import type { Treasury } from "./TreasuryStore.ts"

/**
 * The wallet that gets the next sweep, where `expected` is the hot wallet's balance with what is on its way to it (TREASURY-4). Without a ceiling, or
 * without a cold wallet, everything goes to the hot wallet. Null while that is not known.
 */
export const sweepDestination = (
  { cold, hot, hotCeiling }: Pick<Treasury, "cold" | "hot" | "hotCeiling">,
  expected: bigint
): string | null => (cold !== null && hotCeiling !== null && expected >= hotCeiling ? cold : hot)
