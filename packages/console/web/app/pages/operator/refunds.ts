import { operator } from "./operations.ts"

/** What a revocation with refunds gives back. */
export interface Refunds {
  readonly people: number
  readonly purchases: number
  /** USDT. */
  readonly amount: string
  /** Whether there are more purchases than were counted. */
  readonly more: boolean
}

const day = 86_400_000
const size = 100
const mostPages = 20
const unit = 1_000_000

/** The completed, paid purchases of an item in so many days; at most the newest 2,000 are counted. Purchases are listed newest first. */
export const countRefunds = async (item: string, days: number): Promise<Refunds> => {
  const from = Date.now() - days * day
  const people = new Set<string>()
  let purchases = 0
  let units = 0
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await operator.purchases({ item, status: "completed", page, limit: size })
    for (const { amount, buyerId, purchasedAt } of found) {
      if (Date.parse(purchasedAt) < from || amount === 0) continue
      people.add(buyerId)
      purchases += 1
      units += Math.round(amount * unit)
    }
    const last = found.at(-1)
    if (found.length < size || (last !== undefined && Date.parse(last.purchasedAt) < from)) break
    if (page === mostPages) return { people: people.size, purchases, amount: String(units / unit), more: true }
  }
  return { people: people.size, purchases, amount: String(units / unit), more: false }
}
