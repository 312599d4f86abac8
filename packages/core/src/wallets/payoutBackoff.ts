import { Timestamp } from "../clock/Timestamp.ts"

const first = 30 * Timestamp.second

const longest = Timestamp.hour

/** How long a withdrawal waits after its payment was refused so many times: twice as long each time, at most an hour (WITHDRAWAL-22). */
export const payoutBackoff = (refusals: number): number => Math.min(longest, first * 2 ** Math.min(refusals - 1, 20))
