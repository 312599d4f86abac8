import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Conflict, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Effect } from "effect"
import { deposit } from "./deposit.ts"
import { people, person, unfinishedName } from "./people.ts"
import { demonstrationOperator, publishSkill, publishSoul } from "./publish.ts"
import type { Published } from "./publish.ts"
import { sales, skills, souls, tourItem, usdt, waitingItem } from "./shopItems.ts"

/** An agent that buys by itself up to a price, and below its limits. */
const policy = (threshold: number, day: number, more: Partial<SpendingPolicy> = {}): SpendingPolicy => ({
  ...defaultPolicy,
  autoApproveThreshold: usdt(threshold),
  perTransactionLimit: usdt(day),
  dailyLimit: usdt(day),
  monthlyLimit: usdt(day * 5),
  ...more
})

const agents = [
  { name: "Research agent", policy: policy(10, 60), buys: ["Inbox Sorter", "Chart Maker", "Calm Negotiator"] },
  { name: "Operations agent", policy: policy(5, 30), buys: ["Unit Converter", waitingItem] }
] as const

/** Money for an account that never had any. */
const fund = Effect.fnUntraced(function* (caller: Caller, amount: number) {
  const { total } = yield* (yield* Wallets).transactions(caller, { page: 1, limit: 1 })
  if (total === 0) yield* deposit(caller, usdt(amount))
})

/** Buys the item unless the buyer has it. The key makes a repetition after an interruption return the first result. */
const buy = Effect.fnUntraced(function* (caller: Caller, { id, name }: Published) {
  const request = { skillId: id, autoInstall: false, maxPrice: null, pricingModel: null, trackingId: null }
  yield* (yield* Purchases)
    .buy(caller, request, `demonstration: ${name}`)
    .pipe(Effect.catchTag("AlreadyPurchased", () => Effect.void))
})

const sell = Effect.fnUntraced(function* (items: ReadonlyMap<string, Published>) {
  const listings = yield* Listings
  for (const { buyer: role, comment, item: name, rating } of sales) {
    const item = items.get(name)
    if (item === undefined) continue
    const buyer = yield* person(role)
    yield* buy(buyer, item)
    if (rating !== undefined) yield* listings.review(buyer, item.id as ListingId, { rating, comment: comment ?? null })
  }
})

/** The owner's agents with their limits. The last purchase waits for the owner. */
const spend = Effect.fnUntraced(function* (owner: Caller, items: ReadonlyMap<string, Published>) {
  const identity = yield* Identity
  const approvals = yield* Approvals
  const known = (yield* identity.listAgents(owner, { page: 1, limit: 100 })).items
  for (const { buys, name, policy: limits } of agents) {
    const { id } = known.find((agent) => agent.name === name) ?? (yield* identity.createAgent(owner, name))
    yield* approvals.setAgentPolicy(owner, id, limits)
    const agent = yield* person("owner", id)
    for (const wanted of buys) {
      const item = items.get(wanted)
      if (item !== undefined) yield* buy(agent, item)
    }
  }
})

const make = Effect.gen(function* () {
  const owner = yield* person("owner")
  const first = yield* person("first")
  const second = yield* person("second")
  const funded = Effect.all([fund(owner, 250), fund(first, 100), fund(second, 100)], { concurrency: 3 })
  const published = Effect.all(
    [Effect.forEach(skills, publishSkill, { concurrency: 3 }), Effect.forEach(souls, publishSoul)],
    { concurrency: 2 }
  )
  const [, [skillItems, soulItems]] = yield* Effect.all([funded, published], { concurrency: 2 })
  const items = new Map([...skillItems, ...soulItems].map((item) => [item.name, item]))
  const featured = items.get(tourItem)
  if (featured !== undefined) yield* (yield* Listings).feature(featured.id as ListingId, true, demonstrationOperator)
  yield* sell(items)
  yield* spend(owner, items)
  const tutor = items.get("Careful Explainer")
  if (tutor !== undefined) yield* buy(owner, tutor)
  yield* (yield* Identity).updateAccount(owner, { name: people.owner.name })
})

/** Whether the shop of this owner is complete. */
export const isComplete = ({ accountName }: Caller): boolean => accountName !== unfinishedName

/**
 * Makes the shop with the market's own services, so that every amount is in the ledger and every release was scanned (CONSOLE-55). Each step
 * looks for what an interrupted attempt has made, so a repetition completes the shop. The owner gets its name last.
 */
export const makeShop = make.pipe(
  Effect.catch((error) => {
    if (error instanceof StoreUnavailable || error instanceof Conflict) return Effect.fail(error)
    return error._tag === "ChainUnavailable"
      ? Effect.fail(new StoreUnavailable({ cause: error }))
      : Effect.die(new Error(`the demonstration could not be made: ${error._tag}`, { cause: error }))
  })
)
