import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openDatabase } from "../fixtures/DatabaseReader.ts"
import { signIn } from "../fixtures/Browser.ts"
import { dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import type { Client } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { connect, register } from "../oauth/Application.ts"

type Json = Readonly<Record<string, unknown>>

describe("taking an account along and erasing it, on two processes", () => {
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  let url = ""
  let reader: Member

  beforeAll(async () => {
    url = await createDatabase()
    const env = {
      DATABASE_URL: url,
      LISTING_REVIEW: "auto",
      TEST_CLOCK: "true",
      PROCEEDS_HOLD_DAYS: "0"
    }
    servers = await Promise.all([startServer(env), startServer(env)])
    market = onMarket(servers[0]!.baseUrl, { testClock: true })
    reader = await market.fundedMember(100)
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await Promise.all(servers.map((server) => server.stop()))
  })

  const elsewhere = (key: string): Client => makeClient(servers[1]!.baseUrl, key)

  it("the export has every record and no secret, for any of the owner's keys and no agent's (ACCOUNT-6)", async () => {
    const owner = await market.fundedMember(50)
    dataOf(await owner.patch("/api/v1/account", { seller: true, email: "owner@example.com" }))
    const skillId = await market.listing(owner, "Exported listing", 4)
    const soul = await market.soul(owner, "Exported soul", 2)
    const bought = await market.listing(await market.member({ seller: true }), "Bought and exported", 3)
    const { licenseKey, purchaseId } = dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId: bought }), 201)
    const machine = { licenseKey, machine: "a hash of the laptop", label: "Exported laptop" }
    dataOf(await owner.post("/api/v1/licenses/activate", machine))
    dataOf(await owner.post("/api/v1/account/domains", { domain: "exported-market.com" }), 201)
    const sold = dataOf<Purchase>(await reader.post("/api/v1/purchases", { skillId }), 201)
    dataOf(
      await reader.post("/api/v1/licenses/activate", { licenseKey: sold.licenseKey, machine: "a machine of the buyer" })
    )
    const hook = { url: "https://example.com/hook", events: ["*"], secret: "a secret of a webhook" }
    dataOf(await owner.post("/api/v1/webhooks", hook), 201)
    const agent = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Exporter" }), 201)
    const { key } = dataOf<IssuedKey>(
      await owner.post("/api/v1/keys", { name: "Its key", scope: "FULL", agentId: agent.id }),
      201
    )
    failureOf(await makeClient(servers[0]!.baseUrl, key).get("/api/v1/account/export"), 403, "INSUFFICIENT_PERMISSIONS")
    const browser = await signIn(servers[0]!.baseUrl, { apiKey: owner.key })
    const { tokens } = await connect(servers[0]!.baseUrl, owner, { registered: await register(reader) })
    const reading = dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "Reader", scope: "READ" }), 201)
    const reply = await elsewhere(reading.key).get("/api/v1/account/export")
    const all = dataOf<Record<string, ReadonlyArray<Json>>>(reply)
    assert.deepInclude(all["account"] as unknown as Json, { id: owner.id, email: "owner@example.com" })
    assert.deepInclude(all["wallet"] as unknown as Json, { totalSpent: 3, totalDeposits: 50 })
    const names = (kind: string, field: string) => all[kind]?.map((record) => record[field])
    assert.deepStrictEqual(names("listings", "id"), [skillId])
    assert.deepStrictEqual(names("souls", "id"), [soul.id])
    assert.deepStrictEqual(names("soulVersions", "version"), [1])
    assert.deepStrictEqual(names("purchases", "licenseKey"), [licenseKey])
    const [activation] = all["activations"]!
    assert.deepInclude(activation, { purchaseId, machine: machine.machine, label: machine.label })
    assert.lengthOf(all["activations"]!, 1, "the machines of the account's own licenses, not of those that it sold")
    assert.deepStrictEqual(names("domains", "domain"), ["exported-market.com"])
    assert.lengthOf(all["sales"]!, 1)
    // Two keys, the agent's, and the one that represents the grant.
    assert.lengthOf(all["keys"]!, 4)
    assert.include(names("agents", "id")!, agent.id)
    assert.include(names("sessions", "id")!, browser.session.id)
    const [grant] = all["oauthGrants"]!
    assert.deepStrictEqual(
      grant?.["agentId"],
      names("agents", "id")?.find((id) => id !== agent.id)
    )
    assert.deepStrictEqual(all["passkeys"], [])
    assert.deepStrictEqual(names("webhooks", "url"), [hook.url])
    assert.includeMembers(names("transactions", "type")!, ["deposit", "purchase", "sale", "fee"])
    const secrets = [owner.key, key, reading.key, hook.secret, tokens.access_token, tokens.refresh_token ?? "amr_"]
    for (const secret of [...secrets, browser.cookie.split("=")[1] ?? "", '"hash"', reader.name]) {
      assert.notInclude(reply.text, secret)
    }
    assert.strictEqual(reply.headers.get("cache-control"), "no-store")
  })

  it("spending is summed for the owner's keys, and no agent's, also over time (BUDGET-4, BUDGET-5, SALE-5)", async () => {
    const owner = await market.fundedMember(20)
    const seller = await market.member({ name: "Spent on", seller: true })
    for (const price of [4, 5]) {
      dataOf(
        await owner.post("/api/v1/purchases", { skillId: await market.listing(seller, `Spent ${price}`, price) }),
        201
      )
    }
    const spent = async (query: string) => dataOf(await owner.get(`/api/v1/wallet/spending?${query}`))
    assert.deepStrictEqual(await spent("by=seller"), [{ key: seller.id, name: "Spent on", amount: 9, count: 2 }])
    assert.deepStrictEqual(await spent("by=agent"), [{ key: "owner", name: "Own keys", amount: 9, count: 2 }])
    assert.deepStrictEqual(await spent("by=category"), [
      { key: "development", name: "development", amount: 9, count: 2 }
    ])
    assert.lengthOf((await spent("by=day&from=2020-01-01")) as ReadonlyArray<unknown>, 1)
    assert.deepStrictEqual(await spent("by=day&to=2020-01-01"), [])
    assert.deepStrictEqual(issuesOf(await owner.get("/api/v1/wallet/spending?by=week&from=yesterday")), ["by", "from"])
    const overTime = async (of: Member, path: string) =>
      dataOf<{
        periods: ReadonlyArray<string>
        series: ReadonlyArray<{ key: string; name: string; amount: number; count: number }>
      }>(await of.get(path))
    const months = await overTime(owner, "/api/v1/wallet/spending/timeline?by=seller&per=month")
    assert.lengthOf(months.periods, 12)
    assert.deepInclude(months.series[0], { key: seller.id, name: "Spent on", amount: 9, count: 2 })
    const earned = await overTime(seller, "/api/v1/sales/timeline?by=item")
    assert.deepStrictEqual(
      earned.series.map(({ amount, name }) => [name, amount]),
      [
        ["Spent 5", 4.75],
        ["Spent 4", 3.8]
      ]
    )
    for (const path of ["/api/v1/wallet/spending/timeline", "/api/v1/sales/timeline"]) {
      assert.deepStrictEqual(issuesOf(await owner.get(`${path}?by=week&per=week&from=yesterday`)), [
        "by",
        "from",
        "per"
      ])
      assert.deepStrictEqual(issuesOf(await owner.get(`${path}?from=2020-01-01`)), ["from"])
    }
    const agent = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Spender" }), 201)
    const { key } = dataOf<IssuedKey>(
      await owner.post("/api/v1/keys", { name: "Its key", scope: "FULL", agentId: agent.id }),
      201
    )
    failureOf(await elsewhere(key).get("/api/v1/wallet/spending"), 403, "INSUFFICIENT_PERMISSIONS")
  })

  it("an account with money is not erased; without it, it is gone on every process at once (ACCOUNT-7, ACCOUNT-8, ACCOUNT-9, ACCOUNT-10)", async () => {
    const name = "Zebulon Quastenflosser"
    const owner = await market.member({ name, seller: true })
    dataOf(await owner.patch("/api/v1/account", { email: "zebulon@example.com" }))
    const free = { name: "Sold before", description: "Costs nothing at all.", price: 0 }
    const { id: skillId } = dataOf<{ id: string }>(await owner.post("/api/v1/skills", free), 201)
    const soul = await market.soul(owner, "Read before")
    const { purchaseId } = dataOf<Purchase>(await reader.post("/api/v1/purchases", { skillId }), 201)
    dataOf(await reader.post(`/api/v1/souls/${soul.slug}/download`))
    const liked = await market.soul(await market.member(), "Liked soul")
    dataOf(await owner.post(`/api/v1/souls/${liked.slug}/download`))
    dataOf(await owner.post(`/api/v1/souls/${liked.slug}/reviews`, { rating: 5, comment: "Fine." }), 201)
    dataOf(await owner.post("/api/v1/webhooks", { url: "https://example.com/z", events: ["*"] }), 201)
    const spare = dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "Spare", scope: "FULL" }), 201)
    assert.strictEqual((await elsewhere(spare.key).get("/api/v1/account")).status, 200)
    const readOnly = dataOf<IssuedKey>(await owner.post("/api/v1/keys", { name: "Reader", scope: "READ" }), 201)
    failureOf(await elsewhere(readOnly.key).delete("/api/v1/account"), 403, "INSUFFICIENT_PERMISSIONS")

    const agent = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Helper of Zebulon" }), 201)
    dataOf(await owner.post(`/api/v1/agents/${agent.id}/freeze`, { reason: "Zebulon said so" }))
    dataOf(await owner.post("/api/v1/keys", { name: "Key of Zebulon", scope: "READ" }), 201)
    const cold = { address: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf", label: "Zebulon's cold wallet" }
    dataOf(await owner.post("/api/v1/wallet/addresses", cold), 201)
    dataOf(await owner.patch("/api/v1/wallet/withdrawal-rules", { allowListOnly: true }))
    await market.fund(owner, 6)
    // The balance is visible before the scan has ended, and until then the deposit counts as pending.
    const refused = await waitFor("only the balance prevents the erasure", async () => {
      const details = failureOf(await owner.delete("/api/v1/account"), 409, "CONFLICT")
      return details["state"] === "pending_deposits" ? undefined : details
    })
    assert.deepStrictEqual(refused, { state: "balance" })
    assert.include((await reader.get("/api/v1/skills?query=Zebulon")).text, skillId)
    const treat = await market.listing(await market.member({ seller: true }), "Bought with the last money", 6)
    dataOf(await owner.post("/api/v1/purchases", { skillId: treat }), 201)

    assert.deepStrictEqual(dataOf(await owner.delete("/api/v1/account")), { id: owner.id, deleted: true })
    for (const key of [owner.key, spare.key, readOnly.key]) {
      failureOf(await elsewhere(key).get("/api/v1/account"), 401, "INVALID_API_KEY")
    }
    for (const path of [`/v1/listings/${skillId}`, `/api/v1/creators/${owner.id}`]) {
      assert.strictEqual((await (await market.member()).get(path)).status, 404, path)
    }
    const paths = [
      "/api/v1/skills?query=Zebulon&kind=all",
      "/api/souls?search=Zebulon",
      "/api/activity/live?limit=50",
      "/api/v1/purchases",
      `/api/v1/souls/${liked.slug}/reviews`,
      `/v1/listings/${skillId}`,
      `/api/souls/${soul.slug}`
    ]
    for (const path of paths) assert.notInclude((await reader.get(path)).text, "Zebulon", path)
    for (const path of [`accounts/${owner.id}`, "accounts?search=zebulon", "actions", `purchases/${purchaseId}`]) {
      const { text } = await market.operator.get(`/api/v1/admin/${path}`)
      assert.notMatch(text.replace("search=zebulon", ""), /zebulon/i, path)
    }
    const database = await openDatabase(url)
    const remaining = (await database.texts()).filter(({ text }) => /zebulon|quastenflosser/i.test(text))
    await database.close()
    assert.deepStrictEqual(remaining, [], "no column of any table has the name")
    const [review] = dataOf<ReadonlyArray<Json>>(await reader.get(`/api/v1/souls/${liked.slug}/reviews`))
    assert.deepInclude(review, { rating: 5, comment: "Fine.", author: "Erased account" })
    const kept = dataOf<Json>(await reader.get(`/api/v1/purchases/${purchaseId}`))
    assert.deepInclude(kept, { isValid: true })
    failureOf(await market.operator.post(`/api/v1/admin/accounts/${owner.id}/unfreeze`), 404, "ACCOUNT_NOT_FOUND")
    assert.strictEqual((await market.member({ name })).name, name)
  })
})
