import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"
import type { SpentWindows } from "./SpendingPolicy.ts"

/** The rolling windows in milliseconds (POLICY-7). A payment counts while it is younger than the window. */
export const windows = { day: Time.day, week: 7 * Time.day, month: 30 * Time.day } as const

/** The spent windows after `amount`, paid at `at`, is added (sign 1) or subtracted (sign -1: POLICY-10). */
export const spentWith = (
  spent: SpentWindows,
  amount: Usdt,
  at: Timestamp,
  now: Timestamp,
  sign: 1n | -1n
): SpentWindows => {
  const age = now - at
  const moved = (before: Usdt, window: number): Usdt => (age < window ? Usdt.of(before + sign * amount) : before)
  return {
    day: moved(spent.day, windows.day),
    week: moved(spent.week, windows.week),
    month: moved(spent.month, windows.month)
  }
}
