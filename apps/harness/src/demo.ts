import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { isOwnDataFolder } from "@agent-marketplace/settings/DataFolder"
import type { Body } from "./DemoClient.ts"
import { DemoClient } from "./DemoClient.ts"
import { startHarness } from "./startHarness.ts"

const out = (text: string) => void process.stdout.write(`${text}\n`)
let steps = 0
const step = (title: string) => out(`\n${++steps}. ${title}`)
const show = (label: string, value: string) => out(`   ${label.padEnd(14)} ${value}`)

/** A running server with the operator's token, or undefined. */
const runningServer = async (): Promise<{ readonly baseUrl: string; readonly admin: string } | undefined> => {
  const baseUrl = (process.env["BASE_URL"] ?? "http://localhost:3000").replace(/\/+$/, "")
  const healthy = await fetch(`${baseUrl}/healthz`).then(
    (response) => response.ok,
    () => false
  )
  if (!healthy) {
    if (process.env["BASE_URL"] !== undefined) throw new Error(`no server responds at ${baseUrl}`)
    return undefined
  }
  const dataDir = process.env["DATA_DIR"] ?? "./data"
  const file = join(dataDir, "admin-token")
  const admin =
    process.env["ADMIN_TOKEN"] ??
    ((await isOwnDataFolder(dataDir))
      ? await readFile(file, "utf8").then(
          (text) => text.trim(),
          () => undefined
        )
      : undefined)
  if (admin === undefined) throw new Error(`set ADMIN_TOKEN: ${file} does not hold the operator's token of ${baseUrl}`)
  return { baseUrl, admin }
}

const until = async (what: string, ready: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + 30_000
  while (!(await ready())) {
    if (Date.now() > end) throw new Error(`${what} did not happen within 30 seconds`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const people = async (market: DemoClient) => {
  step("Two accounts: Ada sells, Bob buys")
  const ada = await market.data("POST", "/api/v1/accounts", undefined, { name: "Ada", seller: true })
  const bob = await market.data("POST", "/api/v1/accounts", undefined, { name: "Bob" })
  show("Ada", ada.account.id)
  show("Bob", bob.account.id)
  return { ada: ada.apiKey.key as string, bob: bob.apiKey.key as string }
}

const publish = async (market: DemoClient, ada: string, admin: string) => {
  step("Ada publishes a SOUL and a skill; the operator approves the skill")
  const soul = await market.call("POST", "/api/v1/souls/create", ada, {
    name: "Calm Negotiator",
    description: "Finds the deal that both sides like.",
    content: "# SOUL\n\n## Identity\nA negotiator that never raises its voice.\n",
    price: 4.5
  })
  show("soul", `${soul.slug}, ${soul.price} USDC`)
  const listing = await market.call("POST", "/v1/listings", ada, {
    name: "Contract Reader",
    description: "Reads contracts and marks what is unusual.",
    price: 12,
    category: "productivity",
    installUrl: "https://example.com/skills/contract-reader"
  })
  show("skill", `${listing.id}, ${listing.status}`)
  const detail = await market.call("GET", `/v1/listings/${listing.id}`, ada)
  if (detail.status === "pending_review")
    await market.data("POST", `/api/v1/admin/listings/${listing.id}/approve`, admin)
  show("review", "approved")
  return { soul, listing }
}

const fund = async (market: DemoClient, bob: string, admin: string) => {
  step("Bob fills his wallet: 50 USDT over the simulated chain")
  const { address } = await market.data("GET", "/api/v1/wallet/deposit", bob)
  show("address", address)
  await market.data("POST", "/api/v1/admin/simulated-chain/deposits", admin, { address, amount: "50" })
  const balance = async (): Promise<Body> => market.data("GET", "/api/v1/wallet/balance", bob)
  await until("the deposit", async () => (await balance()).availableBalance === 50)
  show("balance", `${(await balance()).balance} USDT`)
}

const buy = async (market: DemoClient, bob: string, ada: string, soulId: string) => {
  step("Bob buys the SOUL")
  const bought = await market.data("POST", "/api/v1/purchases", bob, { skillId: soulId })
  show("status", bought.status)
  show("license", bought.licenseKey)
  const check = await market.data("POST", "/api/v1/licenses/validate", ada, { licenseKey: bought.licenseKey })
  show("valid", String(check.valid))
  return bought
}

const approve = async (market: DemoClient, bob: string, skillId: string) => {
  step("Bob requires approval above 10 USDT, then buys the skill for 12")
  await market.data("PATCH", "/api/v1/wallet/policy", bob, { autoApproveThreshold: 10 })
  const waiting = await market.data("POST", "/api/v1/purchases", bob, { skillId })
  show("status", waiting.status)
  const held = await market.data("GET", "/api/v1/wallet/balance", bob)
  show("held", `${held.lockedBalance} USDT`)
  const [approval] = await market.data("GET", "/api/v1/approvals?status=pending", bob)
  const decided = await market.data("POST", `/api/v1/approvals/${approval.id}/approve`, bob)
  show("decision", decided.status)
  const after = await market.data("GET", "/api/v1/wallet/balance", bob)
  show("balance", `${after.balance} USDT`)
}

const refund = async (market: DemoClient, ada: string, bob: string, purchaseId: string) => {
  step("Ada refunds the SOUL")
  const refunded = await market.data("POST", `/api/v1/purchases/${purchaseId}/refund`, ada)
  show("status", refunded.status)
  const { transactions } = { transactions: await market.data("GET", "/api/v1/wallet/transactions", bob) }
  for (const line of transactions) show(line.type, `${String(line.amount).padStart(7)}   balance ${line.balanceAfter}`)
}

const ending = async (market: DemoClient, admin: string) => {
  step("The public feed, and the audit of the ledger")
  const feed = await market.call("GET", "/api/activity/live?limit=5")
  for (const activity of feed.activities) show(activity.icon, activity.message)
  show("stats", `${feed.stats.tradesLast24h} trades, ${feed.stats.revenueLast24h} USDT`)
  const audit = await market.data("GET", "/api/v1/admin/ledger/audit", admin)
  show("audit", `${audit.balanced ? "balanced" : "NOT BALANCED"}, ${audit.entries} entries, ${audit.wallets} wallets`)
}

const play = async (baseUrl: string, admin: string): Promise<void> => {
  const market = new DemoClient(baseUrl)
  out(`The whole story, against ${baseUrl}`)
  const { ada, bob } = await people(market)
  const { listing, soul } = await publish(market, ada, admin)
  await fund(market, bob, admin)
  const bought = await buy(market, bob, ada, soul.id)
  await approve(market, bob, listing.id)
  await refund(market, ada, bob, bought.purchaseId)
  await ending(market, admin)
}

try {
  const server = await runningServer()
  if (server === undefined) {
    out("No server runs here: starting one in memory.")
    const harness = await startHarness({ listingReview: "manual" })
    await play(harness.baseUrl, harness.keys.admin).finally(harness.stop)
  } else await play(server.baseUrl, server.admin)
} catch (cause) {
  process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}
