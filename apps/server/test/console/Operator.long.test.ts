import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { released } from "../fixtures/skillArchives.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the operator's pages is skipped: this system has no Chromium")

const destinationAddress = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

describe.skipIf(chromium === undefined)("the operator's pages of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member
  let page: Page
  let origin: string

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      LISTING_REVIEW: "manual",
      WITHDRAWAL_REVIEW_ABOVE: "5"
    })
    origin = server.baseUrl.replace("127.0.0.1", "localhost")
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true, name: "Ada" })
    buyer = await market.fundedMember(100)
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    await page.goto(`${origin}/console`)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** Opens a page, which must be accessible and fit a width of 320 pixels. */
  const open = async (path: string, heading: string) => {
    await page.goto(`${origin}/console/operator/${path}`)
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor()
  }
  const look = async () => {
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth"), 320)
  }
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
  const answer = async (question: RegExp | string, button: string) => {
    const dialog = page.getByRole("alertdialog", { name: question })
    await dialog.waitFor()
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await dialog.getByRole("button", { name: button }).click()
    await dialog.waitFor({ state: "detached" })
  }
  const submit = async (name: string): Promise<string> =>
    bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft(name, 5)), 201).id
  const statusOf = async (id: string) => {
    const all = dataOf<ReadonlyArray<Record<string, unknown>>>(await market.operator.get("/api/v1/admin/listings"))
    return all.find((listing) => listing["id"] === id) ?? {}
  }

  it("the operator's token opens the queue, which teaches what belongs there (CONSOLE-30)", async () => {
    await page.getByLabel("API key").fill(adminToken)
    await press("Sign in with the key")
    await page.getByRole("heading", { name: "Nothing waits for a decision" }).waitFor()
    await look()
  })

  it("rejects a listing only with a reason, and overturns that on appeal (CONSOLE-30)", async () => {
    const id = await submit("Mail Sorter")
    await open("queue", "Queue")
    await press("Decide: Mail Sorter")
    await press("Reject Mail Sorter")
    await page.getByText("Write the reason first.").waitFor()
    await page.getByLabel("Kind of reason").selectOption("misleading")
    await page.getByLabel("Reason", { exact: true }).fill("It sorts nothing.")
    await look()
    await press("Reject Mail Sorter")
    await answer("Reject Mail Sorter?", "Reject")
    await page.getByRole("heading", { name: "Nothing waits for a decision" }).waitFor()
    assert.deepInclude(await statusOf(id), {
      status: "rejected",
      reasonCode: "misleading",
      rejectionReason: "It sorts nothing."
    })
    dataOf(await seller.post(`/api/v1/items/${id}/appeals`, { text: "It sorts by sender." }), 201)
    await open("queue", "Queue")
    await press("Decide: It sorts by sender.")
    await page.getByLabel("Reason", { exact: true }).fill("You are right.")
    await look()
    await press("Overturn the rejection")
    await answer("Undo the rejection?", "Overturn")
    await page.getByRole("heading", { name: "Nothing waits for a decision" }).waitFor()
    assert.deepInclude(await statusOf(id), { status: "approved" })
  })

  it("resolves a report by suspending the item (CONSOLE-30)", async () => {
    const id = await market.listing(seller, "Log Reader", 5)
    dataOf(await buyer.post(`/api/v1/items/${id}/reports`, { reason: "spam", text: "It only advertises." }), 201)
    await open("queue", "Queue")
    await press("Decide: It only advertises.")
    await page.getByLabel("Action").selectOption("suspend")
    await page.getByLabel("Reason", { exact: true }).fill("It advertises.")
    await look()
    await press(`Resolve the report about ${id}`)
    await answer("Suspend the item?", "Resolve")
    await page.getByRole("heading", { name: "Nothing waits for a decision" }).waitFor()
    assert.deepInclude(await statusOf(id), { status: "suspended", reasonCode: "spam" })
  })

  it("revokes an item after a question with the amount and the number of buyers (CONSOLE-32)", async () => {
    const id = await market.listing(seller, "Chart Maker", 5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    assert.strictEqual((await market.balanceOf(buyer)).balance, 95)
    await open("items", "Items")
    await look()
    await page.getByLabel("Id of a listing or SOUL").fill(id)
    await press("Open")
    await page.getByRole("heading", { name: "Chart Maker", level: 1 }).waitFor()
    await page.getByLabel("Reason", { exact: true }).fill("It steals keys.")
    await page.getByLabel("Refund purchases of so many days").fill("0")
    await page.getByText("must be a whole number from 1 to 180").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Revoke" }).isDisabled())
    await page.getByLabel("Refund purchases of so many days").fill("30")
    await look()
    await press("Revoke")
    await answer("Revoke Chart Maker and refund 5.00 USDT to 1 buyer?", "Revoke")
    await page.getByRole("heading", { name: "After your decision" }).waitFor()
    await waitFor("the buyer is refunded", async () => (await market.balanceOf(buyer)).balance === 100)
    await open("items", "Items")
    await page.getByText("It steals keys.").waitFor()
  })

  it("quarantines, releases and purges an item, each after a question (CONSOLE-32)", async () => {
    const id = await market.listing(seller, "Page Counter", 5)
    await released(seller, id, "1.0.0")
    const shop = async () => (await market.guest.get(`/items/${id}`)).status
    // The name in a question is the id once nothing of the item is on sale.
    const decide = async (button: string, reason: string, question: RegExp, outcome: string) => {
      await press(button)
      await page.getByText("Write the reason first.").waitFor()
      assert.strictEqual(await page.getByRole("alertdialog").count(), 0)
      await page.getByLabel("Reason", { exact: true }).fill(reason)
      await press(button)
      await answer(question, button)
      await page.getByRole("region", { name: "After your decision" }).getByText(outcome, { exact: false }).waitFor()
      await look()
    }
    await open(`items/${id}`, "Page Counter")
    assert.strictEqual(await shop(), 200)
    await decide("Quarantine", "It counts wrong.", /^Quarantine everything of /, "Nothing of it")
    await waitFor("the item is gone from the shop", async () => (await shop()) === 404)
    await decide("Release", "It counts right.", /^Release everything of /, "Yes, unless")
    await waitFor("the item is in the shop again", async () => (await shop()) === 200)
    await decide("Purge", "It holds private data.", /^Delete the bytes of everything of /, ", purged")
    const { releases } = bodyOf<{ releases: ReadonlyArray<{ purgedAt: string | null }> }>(
      await seller.get(`/v1/listings/${id}/releases`),
      200
    )
    assert.isTrue(releases.length === 1 && releases.every(({ purgedAt }) => purgedAt !== null))
  })

  it("finds, freezes, unfreezes and recovers an account, and marks it as operator (CONSOLE-31)", async () => {
    const lost = await market.member({ name: "Olu Unique" })
    await open("accounts", "Accounts")
    await page.getByLabel("Name, e-mail address or id").fill("olu uniq")
    await press("Find")
    await look()
    await page.getByRole("link", { name: "Olu Unique" }).click()
    await page.getByRole("heading", { name: "Olu Unique", level: 1 }).waitFor()
    await look()
    assert.notInclude(await page.content(), lost.key)
    const card = (name: string) => page.getByRole("region", { name, exact: true })
    await card("Freeze").getByLabel("Reason").fill("It spams.")
    await press("Freeze")
    await answer("Freeze Olu Unique with 0.00 USDT?", "Freeze")
    await card("Unfreeze").waitFor()
    await press("Unfreeze")
    await answer("Let Olu Unique use its 0.00 USDT again?", "Unfreeze")
    await card("Freeze").waitFor()
    await page.getByLabel("Operator: its sessions").check()
    await press("Save")
    await answer("Make Olu Unique an operator?", "Save")
    await waitFor("the account is an operator", async () => {
      const overview = await market.operator.get(`/api/v1/admin/accounts/${lost.id}`)
      return dataOf<{ account: { operator: boolean } }>(overview).account.operator
    })
    await card("Recover").getByLabel("Reason").fill("The owner called.")
    await press("Recover")
    await answer("Make a new key for Olu Unique and 0.00 USDT?", "Recover")
    const key = await page.getByLabel("New key", { exact: true }).textContent()
    await look()
    assert.strictEqual((await lost.get("/api/v1/wallet/balance")).status, 401)
    assert.strictEqual((await makeClient(server.baseUrl, key ?? "").get("/api/v1/wallet/balance")).status, 200)
  })

  it("refuses a withdrawal under review after a question with the amount (CONSOLE-33)", async () => {
    dataOf(await buyer.post("/api/v1/wallet/withdrawals", { amount: 20, destinationAddress }), 201)
    await open("withdrawals", "Withdrawals")
    await page.getByLabel("Reason", { exact: true }).fill("The owner did not ask for it.")
    await look()
    await press(`Refuse 20.00 USDT to ${destinationAddress}`)
    await answer("Refuse to pay 20.00 USDT?", "Refuse")
    await page.getByRole("heading", { name: "No withdrawals" }).waitFor()
    assert.strictEqual((await market.balanceOf(buyer)).availableBalance, 100)
  })

  it("shows the health, audits the ledger and lists what was done (CONSOLE-34)", async () => {
    await open("health", "Health")
    await press("Audit the ledger")
    await page.getByText(/^Balanced: \d+ wallets agree with \d+ entries\.$/).waitFor()
    await page.getByRole("region", { name: "Jobs" }).getByText("Webhook deliveries").waitFor()
    await look()
    await press("Stop payouts")
    await answer("Stop all payouts, with 0.00 USDT waiting?", "Stop payouts")
    await page.getByText("All payouts are stopped.").first().waitFor()
    await open("actions", "Action log")
    await page.getByText("The owner did not ask for it.").waitFor()
    await look()
  })
})
