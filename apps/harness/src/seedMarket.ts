import type { SoulDraft } from "@agent-marketplace/core/souls/Soul"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import type { ListingDraft } from "@agent-marketplace/core/listings/Listing"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Effect } from "effect"
import type { HarnessItems } from "./Harness.ts"

const usdt = (units: bigint): Usdt => Usdt.of(units * 1_000_000n)

const soul: SoulDraft = {
  name: "Patient Tutor",
  description: "Explains hard things in small steps.",
  content: "# SOUL\n\n## Identity\nA tutor that never hurries.\n",
  price: usdt(5n),
  category: "soul-assistant",
  tags: ["teaching"]
}

const skill = (name: string, price: bigint, more: Partial<ListingDraft> = {}): ListingDraft => ({
  name,
  description: `${name}, ready to install.`,
  shortDesc: null,
  longDescription: null,
  price: usdt(price),
  currency: "USDT",
  category: "automation",
  tags: ["example"],
  installUrl: "https://example.com/skills/example",
  documentationUrl: null,
  thumbnailUrl: null,
  screenshots: [],
  videoUrl: null,
  pricingModel: "one_time",
  ...more
})

/** The keys of the seller and the buyer, and the items on sale. */
export interface Seeded {
  readonly seller: string
  readonly buyer: string
  readonly items: HarnessItems
}

/** A small market: a seller with a soul and three skills, and a buyer with money. */
export const seedMarket = Effect.gen(function* () {
  const identity = yield* Identity
  const listings = yield* Listings
  const seller = yield* identity.signUp({ name: "Harness Seller", seller: true })
  const buyer = yield* identity.signUp({ name: "Harness Buyer" })
  const selling = yield* identity.authenticate(seller.apiKey.token)
  const buying = yield* identity.authenticate(buyer.apiKey.token)

  const tutor = yield* (yield* Souls).create(selling, soul)
  const paid = yield* listings.create(selling, skill("Mail Sorter", 10n))
  const free = yield* listings.create(selling, skill("Unit Converter", 0n, { pricingModel: "free" }))
  const subscription = yield* listings.create(selling, skill("Daily Digest", 10n, { pricingModel: "subscription" }))
  for (const { id, status } of [paid, free, subscription])
    if (status === "pending_review") yield* listings.approve(id, {}, { name: "harness", requestId: "seed" })

  const { address } = yield* (yield* Wallets).deposit(buying)
  yield* (yield* SimulatedChain).deposit(address, usdt(1000n))
  yield* (yield* MarketClock).advance(4)
  yield* (yield* Jobs).runDue

  const seeded: Seeded = {
    seller: seller.apiKey.token,
    buyer: buyer.apiKey.token,
    items: {
      soul: { id: tutor.id, slug: tutor.slug },
      skills: { paid: paid.id, free: free.id, subscription: subscription.id }
    }
  }
  return seeded
})
