// The market without HTTP, as promises: users of the host sell and buy, and the host receives the events.
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"

const market = await createMarketplace({ storage: memoryStorage(), review: "auto" })
const alice = market.as({ id: "alice", name: "Alice", seller: true })
const bob = market.as({ id: "bob", name: "Bob" })

const skill = await alice.skills.create({ name: "Mail Sorter", description: "Sorts a day's mail.", price: "10.00" })
const { skills } = await bob.skills.list({ query: "mail" })
console.log("found", skills[0]?.title, skills[0]?.price)

try {
  await bob.skills.buy({ skillId: skill.id })
} catch (error) {
  if (!(error instanceof MarketplaceError)) throw error
  console.log(error.code, error.details)
}

const { address } = await bob.wallet.deposit()
await market.simulation.deposit(address, "25")
await market.simulation.advance(4)
const bought = await bob.skills.buy({ skillId: skill.id })
console.log(bought.status, "left", (await bob.wallet.balance()).balance)
console.log("earned", (await alice.wallet.balance()).totalEarned)

for await (const { event, data } of market.events()) {
  console.log(event, "amount" in data ? data.amount : "-")
  if (event === "purchase.completed") break
}
console.log("the books are balanced:", (await market.operator.ledger.audit()).balanced)
await market.close()

/* Prints:
found Mail Sorter 10.00
INSUFFICIENT_BALANCE { required: '10.00 USDT', available: '0.00 USDT' }
completed left 15
earned 9.5
listing.approved -
deposit.confirmed 25.00
purchase.completed 10.00
the books are balanced: true
*/
