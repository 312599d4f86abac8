import { windows } from "@agent-marketplace/core/approvals/SpendingWindows"
import type { SpentWindows } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"

interface Payment {
  readonly at: Timestamp
  amount: bigint
}

interface Window {
  readonly length: number
  /** The payments before this index have left the window. */
  left: number
  sum: bigint
}

const window = (length: number): Window => ({ length, left: 0, sum: 0n })

/**
 * The payments of one spender, with running sums of the rolling windows: each payment is processed once for each
 * window, however often the sums are read. Payments are added, and sums read, in the order of time.
 */
export class SpendingLog {
  private readonly payments: Array<Payment> = []
  private readonly positions = new Map<string, number>()
  private readonly day = window(windows.day)
  private readonly week = window(windows.week)
  private readonly month = window(windows.month)

  /** Counts a payment; `id` is that of its purchase or renewal. */
  add(id: string, amount: Usdt, at: Timestamp): void {
    this.positions.set(id, this.payments.length)
    this.payments.push({ at, amount })
    for (const each of [this.day, this.week, this.month]) each.sum += amount
  }

  /** Subtracts a refunded payment. */
  remove(id: string): void {
    const position = this.positions.get(id)
    const payment = position === undefined ? undefined : this.payments[position]
    if (position === undefined || payment === undefined) return
    for (const each of [this.day, this.week, this.month]) if (position >= each.left) each.sum -= payment.amount
    payment.amount = 0n
    this.positions.delete(id)
  }

  /** The sums of the windows that end at `now`. */
  spent(now: Timestamp): SpentWindows {
    return { day: this.sum(this.day, now), week: this.sum(this.week, now), month: this.sum(this.month, now) }
  }

  private sum(each: Window, now: Timestamp): Usdt {
    for (;;) {
      const oldest = this.payments[each.left]
      if (oldest === undefined || now - oldest.at < each.length) return Usdt.of(each.sum)
      each.sum -= oldest.amount
      each.left++
    }
  }
}
