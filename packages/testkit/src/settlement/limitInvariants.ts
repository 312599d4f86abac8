import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { walletOf } from "@agent-marketplace/core/wallets/Ledger"
import { assert } from "@effect/vitest"
import type { MarketModel } from "./MarketModel.ts"

interface Payment {
  readonly reference: string
  readonly spenders: ReadonlyArray<AccountId | AgentId>
  readonly amount: bigint
  readonly at: number
}

const limits: ReadonlyArray<readonly [keyof SpendingPolicy, number]> = [
  ["dailyLimit", Timestamp.day],
  ["weeklyLimit", 7 * Timestamp.day],
  ["monthlyLimit", 30 * Timestamp.day]
]

const buyersOf = (
  model: MarketModel
): ReadonlyMap<string, { readonly agentId: AgentId | null; readonly buyerId: AccountId }> =>
  new Map<string, { readonly agentId: AgentId | null; readonly buyerId: AccountId }>([
    ...model.purchases.entries(),
    ...model.renewals.entries()
  ])

/** What counts as spent, from the ledger's lines alone: money paid or held for a purchase, and not given back. */
const paymentsOf = (model: MarketModel): ReadonlyArray<Payment> => {
  const buyers = buyersOf(model)
  const payments = new Map<string, Payment>()
  for (const { amount, at, credit, debit, reference, type } of model.lines) {
    const buyer = buyers.get(reference)
    if (buyer === undefined) continue
    const { agentId, buyerId } = buyer
    // The other holds and releases are the seller's.
    if ((type === "release" || type === "refund") && credit === walletOf(buyerId)) payments.delete(reference)
    if ((type !== "hold" && type !== "purchase") || debit !== walletOf(buyerId)) continue
    payments.set(reference, { reference, spenders: agentId === null ? [buyerId] : [buyerId, agentId], amount, at })
  }
  return [...payments.values()]
}

const bound = (policy: SpendingPolicy | undefined, name: keyof SpendingPolicy): bigint | null => {
  const limit = policy?.[name]
  return typeof limit === "bigint" ? limit : null
}

const check = (
  payments: ReadonlyArray<Payment>,
  spender: AccountId | AgentId,
  policy: SpendingPolicy | undefined,
  end: number
): void => {
  for (const [name, length] of limits) {
    const limit = bound(policy, name)
    if (limit === null) continue
    let sum = 0n
    for (const { amount, at } of payments) if (at > end - length && at <= end) sum += amount
    assert.isTrue(
      sum <= limit,
      `${spender} spent ${sum} in the window that ends at ${end}, above the ${name} of ${limit}`
    )
  }
}

/** No payer of the last batch has exceeded a limit in the windows that end now. */
export const checkLimitsNow = (model: MarketModel): void => {
  const last = model.lines.at(-1)
  if (last === undefined || last.at !== model.now) return
  const payments = paymentsOf(model)
  const paying = new Set(payments.filter(({ at }) => at === model.now).flatMap(({ spenders }) => spenders))
  for (const spender of paying) {
    const own = payments.filter(({ spenders }) => spenders.includes(spender))
    check(own, spender, model.policies.get(spender), model.now)
  }
}

/** No limit is passed in any window wherever it begins, as far back as the present policy has been in force. */
export const checkLimitsEver = (model: MarketModel): void => {
  const payments = paymentsOf(model)
  for (const [spender, policy] of model.policies) {
    const since = model.policySince.get(spender) ?? 0
    const own = payments.filter(({ at, spenders }) => spenders.includes(spender) && at > since)
    for (const { at, reference } of own) {
      check(own, spender, policy, at)
      const once = bound(policy, "perTransactionLimit")
      const paid = own.filter((payment) => payment.reference === reference)
      for (const { amount } of paid) assert.isTrue(once === null || amount <= once, `${reference} is above the limit`)
    }
  }
}
