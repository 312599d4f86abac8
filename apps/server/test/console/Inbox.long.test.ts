import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import type { Client } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the inbox is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the inbox of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let agent: Client
  let listing: string
  let page: Page

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    owner = await market.fundedMember(100)
    listing = await market.listing(await market.member({ seller: true, name: "Ada" }), "Mail Sorter", 5)
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApproveThreshold: 2 }))
    const { id } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Shopping agent" }), 201)
    const key = { name: "Agent", scope: "BUYER", agentId: id }
    agent = makeClient(server.baseUrl, dataOf<{ key: string }>(await owner.post("/api/v1/keys", key), 201).key)
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
    page = await context.newPage()
    await page.goto(`${server.baseUrl.replace("127.0.0.1", "localhost")}/console`)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const violations = () => accessibilityViolations(page)

  it("signs in with a key and teaches what belongs here (CONSOLE-1)", async () => {
    await page.getByLabel("API key").fill("amk_wrong")
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("API key").inputValue(), "amk_wrong")
    assert.deepStrictEqual(await violations(), [])
    await page.getByLabel("API key").fill(owner.key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
    assert.deepStrictEqual(await violations(), [])
  })

  it("shows a purchase by itself within 500 ms, and approves it after a question (CONSOLE-4)", async () => {
    dataOf(await agent.post("/api/v1/purchases", { skillId: listing }), 201)
    const bought = performance.now()
    await page.getByRole("heading", { name: "Mail Sorter" }).waitFor()
    assert.isBelow(performance.now() - bought, 500)
    assert.deepStrictEqual(await violations(), [])
    await page.getByRole("button", { name: "Approve Mail Sorter" }).click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText("Pay 5.00 USDT?").waitFor()
    assert.deepStrictEqual(await violations(), [])
    await dialog.getByRole("button", { name: "Approve" }).click()
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
    const [{ status } = { status: "" }] = dataOf<ReadonlyArray<{ status: string }>>(
      await owner.get("/api/v1/approvals")
    )
    assert.strictEqual(status, "approved")
  })

  it("shows 19 of 20 purchases within 500 ms (CONSOLE-69)", async () => {
    const seller = await market.member({ seller: true, name: "Grace" })
    const names = Array.from({ length: 20 }, (_, n) => `Item ${String.fromCharCode(65 + n)}`)
    const times: Array<number> = []
    for (const name of names) {
      const skillId = await market.listing(seller, name, 3)
      dataOf(await agent.post("/api/v1/purchases", { skillId }), 201)
      const bought = performance.now()
      await page.getByRole("heading", { name, exact: true }).waitFor()
      times.push(performance.now() - bought)
    }
    console.info(`from the buy to the open inbox, in ms: ${times.map((time) => time.toFixed(0)).join(", ")}`)
    assert.isBelow(times.toSorted((a, b) => a - b)[18] ?? Infinity, 500)
  })
})
