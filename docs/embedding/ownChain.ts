// A market on your own chain: deposits and withdrawals are lines of a JSON file (paperChain.ts).
import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PaperChain } from "./paperChain.ts"

const folder = mkdtempSync(join(tmpdir(), "paper-chain-"))
const book = join(folder, "book.jsonl")
const market = await createMarketplace({
  storage: memoryStorage(),
  chain: { realMoney: false, layer: PaperChain.layer(book) }
})

const alice = market.as({ id: "alice", name: "Alice" })
const bob = market.as({ id: "bob", name: "Bob" })
const { address } = await alice.wallet.deposit()
await market.simulation.deposit(address, "40")
await market.simulation.advance(4)
console.log("Alice has", (await alice.wallet.balance()).balance)

const destinationAddress = (await bob.wallet.deposit()).address
const refused = await alice.wallet.withdraw({ amount: "10", destinationAddress }).catch((error) => error.details.issues)
console.log(refused[0].message)

// An address that no account of this market has: 26 characters and a checksum.
await alice.wallet.withdraw({ amount: "10", destinationAddress: "Paper-0123456789abcdef0123c2433cd4" })
for (let second = 0; second < 6; second += 1) await market.simulation.advance(1)
const { withdrawals } = await alice.wallet.withdrawals()
console.log(withdrawals[0]?.status, "left", (await alice.wallet.balance()).balance)
for (const line of readFileSync(book, "utf8").trim().split("\n")) console.log(JSON.parse(line).amount)

await market.close()
rmSync(folder, { recursive: true })

/* Prints:
Alice has 40
must not be one of the service's own deposit addresses
completed left 29
40000000
10000000
*/
