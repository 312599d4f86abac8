import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { usdt } from "../fixtures/usdt.ts"
import type { HistoryWorld, ItemPlan } from "./HistoryWorld.ts"
import { accountCount, agentCount, itemPlans } from "./HistoryWorld.ts"

const listingItem = (listing: Listing): SaleItem => ({
  id: listing.id,
  kind: "listing",
  name: listing.name,
  slug: listing.slug,
  description: listing.description,
  category: listing.category,
  creator: listing.creatorName,
  sellerId: listing.creatorId,
  price: listing.price,
  currency: listing.currency,
  pricingModel: listing.pricingModel,
  onSale: true,
  sellerOwes: false
})

const soulItem = (soul: Soul): SaleItem => ({
  id: soul.id,
  kind: "soul",
  name: soul.name,
  slug: soul.slug,
  description: soul.description,
  category: soul.category,
  creator: soul.author,
  sellerId: soul.authorId,
  price: soul.price,
  currency: "USDC",
  pricingModel: soul.price === 0n ? "free" : "one_time",
  onSale: true,
  sellerOwes: false
})

const stored = Effect.fnUntraced(function* (
  seller: Account,
  { category, currency, kind, price, pricingModel }: ItemPlan
) {
  if (kind === "soul") return soulItem(yield* publishedSoul(seller, { price: usdt(price), category }))
  return listingItem(yield* listingOnSale(seller, { price: usdt(price), category, currency, pricingModel }))
})

/** Creates a new world of random histories in the stores. */
export const storedWorld = Effect.gen(function* () {
  const accounts = yield* Effect.forEach(Array.from({ length: accountCount }), () => openAccount())
  const owner = (n: number): Account => accounts[n % accounts.length] ?? assert.fail("no accounts")
  const agents = yield* Effect.forEach(Array.from({ length: agentCount }), (_, n) => claimedAgent(owner(n >> 1).id))
  const items = yield* Effect.forEach(itemPlans, (plan) => stored(owner(plan.seller), plan))
  const world: HistoryWorld = {
    accounts: accounts.map(({ id }) => id),
    agents: agents.map(({ id, ownerId }) => ({ id, ownerId: ownerId ?? ("" as AccountId) })),
    items
  }
  return world
})
