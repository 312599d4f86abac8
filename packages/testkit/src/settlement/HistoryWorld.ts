import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { PricingModel } from "@agent-marketplace/core/listings/Listing"
import type { Currency } from "@agent-marketplace/core/money/ExchangeRates"
import type { SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import { emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import { usdt } from "../fixtures/usdt.ts"
import { MarketModel } from "./MarketModel.ts"

export const categories = ["productivity", "data", "security"] as const

/** The accounts, agents and items of a random history. Every account may buy; the first few sell as well. */
export interface HistoryWorld {
  readonly accounts: ReadonlyArray<AccountId>
  readonly agents: ReadonlyArray<{ readonly id: AgentId; readonly ownerId: AccountId }>
  readonly items: ReadonlyArray<SaleItem>
}

export interface ItemPlan {
  readonly kind: "listing" | "soul"
  /** The account that sells it. */
  readonly seller: number
  readonly price: number
  readonly currency: Currency
  readonly category: string
  readonly pricingModel: PricingModel
}

export const accountCount = 10
export const agentCount = 6
const sellerCount = 4

const prices = [0, 0.000001, 0.5, 1, 1.99, 2.5, 3.333333, 5, 7.5, 12.000019, 20, 29.99]

export const itemPlans: ReadonlyArray<ItemPlan> = Array.from({ length: 24 }, (_, n) => {
  const price = prices[n % prices.length] ?? 1
  const kind = n % 5 === 4 ? "soul" : "listing"
  return {
    kind,
    seller: n % sellerCount,
    price,
    currency: kind === "soul" ? "USDC" : "USD",
    category: categories[n % categories.length] ?? "data",
    pricingModel: price === 0 ? "free" : kind === "listing" && n % 3 === 0 ? "subscription" : "one_time"
  }
})

/** The same world every time, without a store. */
export const plainWorld = (): HistoryWorld => {
  const accounts = Array.from({ length: accountCount }, (_, n) => `usr_${n}` as AccountId)
  const account = (n: number) => accounts[n % accounts.length] ?? ("usr_0" as AccountId)
  return {
    accounts,
    agents: Array.from({ length: agentCount }, (_, n) => ({ id: `agt_${n}` as AgentId, ownerId: account(n >> 1) })),
    items: itemPlans.map((plan, n) => ({
      id: plan.kind === "soul" ? (`soul_${n}` as SoulId) : (`lst_${n}` as ListingId),
      kind: plan.kind,
      name: `Item ${n}`,
      slug: `item-${n}`,
      description: "One of many.",
      category: plan.category,
      creator: `Account ${plan.seller}`,
      sellerId: account(plan.seller),
      price: usdt(plan.price),
      currency: plan.currency,
      pricingModel: plan.pricingModel,
      onSale: true,
      sellerOwes: false
    }))
  }
}

/** The model of a world without any history. */
export const modelOf = (world: HistoryWorld, now: number): MarketModel => {
  const model = new MarketModel(now)
  for (const id of world.accounts) model.wallets.set(id, emptyBalance)
  for (const item of world.items) model.items.set(item.id, item)
  for (const subject of [...world.accounts, ...world.agents.map(({ id }) => id)])
    model.setPolicy(subject, defaultPolicy)
  return model
}
