import { readFile } from "node:fs/promises"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const destination = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the owner's pages is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the owner's pages of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let listing: string
  let other: string
  let seller: Member
  let page: Page
  let home: string

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    owner = await market.fundedMember(100)
    seller = await market.member({ seller: true, name: "Ada" })
    listing = await market.listing(seller, "Mail Sorter", 5)
    other = await market.listing(seller, "Chart Maker", 5)
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    home = `${server.baseUrl.replace("127.0.0.1", "localhost")}/console`
    await page.goto(home)
    await page.getByLabel("API key").fill(owner.key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const heading = (name: string) => page.getByRole("heading", { name, exact: true })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const dialog = () => page.getByRole("alertdialog")

  it("withdraws after a quote and one question (CONSOLE-10)", async () => {
    await page.goto(`${home}/wallet`)
    await page.getByRole("img", { name: /^QR code of the address T/ }).waitFor()
    await page.getByRole("img").evaluate((image) => (image as HTMLImageElement).decode())
    await page.getByRole("region", { name: "Balance" }).getByText("100.00 USDT", { exact: true }).first().waitFor()
    await assertFitsAndAccessible(page)
    await page.getByLabel("Amount that arrives, in USDT").fill("1")
    await page.getByLabel("TRON address").fill(destination)
    await button("Show the fee").click()
    await page.getByText("must be at least", { exact: false }).first().waitFor()
    assert.strictEqual(await page.getByLabel("TRON address").inputValue(), destination)
    await page.getByLabel("Amount that arrives, in USDT").fill("6")
    await button("Show the fee").click()
    await page.getByText("Leaves your wallet").waitFor()
    assert.strictEqual((await market.balanceOf(owner)).availableBalance, 100)
    await button("Withdraw").click()
    await dialog().getByText("Withdraw 6.00 USDT?").waitFor()
    await dialog().getByText("7.00 USDT leave your wallet").waitFor()
    await assertFitsAndAccessible(page)
    await dialog().getByRole("button", { name: "Withdraw" }).click()
    await page.getByText(`6.00 USDT are on their way to ${destination}.`).waitFor()
    assert.strictEqual((await market.balanceOf(owner)).availableBalance, 93)
  })

  it("downloads the transactions (CONSOLE-11)", async () => {
    const downloading = page.waitForEvent("download")
    await button("Download as CSV").click()
    const text = await readFile(await (await downloading).path(), "utf8")
    const [names, ...rows] = text.trim().split("\r\n")
    assert.strictEqual(names, "createdAt,type,amount,balanceAfter,currency,agentId,reference,id")
    assert.isTrue(
      rows.some((row) => row.includes(",deposit,100.00,100.00,USDT,")),
      text
    )
  })

  it("makes an agent, limits it and freezes it with one press (CONSOLE-12)", async () => {
    await page.goto(`${home}/agents`)
    await heading("You have no agents yet").waitFor()
    await assertFitsAndAccessible(page)
    await page.getByText("Make an agent", { exact: true }).click()
    await page.getByLabel("Name").fill("Shopping agent")
    await button("Make the agent").click()
    await button("Freeze Shopping agent").click()
    await button("Unfreeze Shopping agent").click()
    await dialog().getByRole("button", { name: "Unfreeze" }).click()
    await button("Freeze Shopping agent").waitFor()
    await page.getByRole("link", { name: "Shopping agent" }).click()
    await page.getByLabel("Most for one purchase, in USDT").fill("30")
    await page.getByLabel("Most in any 24 hours, in USDT").fill("20")
    await button("Save limits").click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Most for one purchase, in USDT").inputValue(), "30")
    await page.getByLabel("Most for one purchase, in USDT").fill("10")
    await button("Save limits").click()
    await page.getByText("The limits are saved.").waitFor()
    await page.getByText("20.00 USDT of 20.00 USDT").waitFor()
    await assertFitsAndAccessible(page)
    const [agent] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/agents"))
    const policy = dataOf<Record<string, unknown>>(await owner.get(`/api/v1/agents/${agent?.id ?? ""}/policy`))
    assert.include(policy, { perTransactionLimit: 10, dailyLimit: 20, weeklyLimit: null, autoApprove: true })
  })

  it("teaches what an application is (CONSOLE-13)", async () => {
    await page.goto(`${home}/applications`)
    await heading("No application has access").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("buys after one question and shows the license (CONSOLE-15)", async () => {
    await page.goto(`${home}/buy/${listing}`)
    await button("Buy Mail Sorter").click()
    await dialog().getByText("Pay 5.00 USDT?").waitFor()
    await assertFitsAndAccessible(page)
    await dialog().getByRole("button", { name: "Buy" }).click()
    await heading("It is yours").waitFor()
    await assertFitsAndAccessible(page)
    const { purchases } = dataOf<{ purchases: ReadonlyArray<{ licenseKey: string }> }>(
      await owner.get("/api/v1/purchases")
    )
    assert.strictEqual(purchases.length, 1)
    assert.strictEqual(await page.getByLabel("license key", { exact: true }).textContent(), purchases[0]?.licenseKey)
  })

  it("shows a license key on demand, and the line that installs (CONSOLE-14)", async () => {
    await page.goto(`${home}/purchases`)
    await page.getByRole("link", { name: "Mail Sorter" }).click()
    await page.getByText("The license is active on no machine.", { exact: false }).waitFor()
    assert.strictEqual(await page.getByLabel("license key", { exact: true }).count(), 0)
    await button("Show license key").click()
    await page.getByLabel("license key", { exact: true }).waitFor()
    await page.getByLabel("install line", { exact: true }).waitFor()
    await assertFitsAndAccessible(page)
    await page.goto(`${home}/subscriptions`)
    await heading("You subscribe to nothing").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("asks again if the price has grown, and says that a purchase above the limit waits (CONSOLE-15)", async () => {
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApproveThreshold: 2 }))
    await page.goto(`${home}/buy/${other}`)
    await button("Buy Chart Maker").waitFor()
    bodyOf(await seller.patch(`/v1/listings/${other}`, { price: 6 }))
    await button("Buy Chart Maker").click()
    await dialog().getByText("Pay 5.00 USDT?").waitFor()
    await dialog().getByRole("button", { name: "Buy" }).click()
    await page.getByRole("alert").getByText("The price is now 6.00 USDT. Nothing was bought.").waitFor()
    await button("Buy Chart Maker").click()
    await dialog().getByText("Pay 6.00 USDT?").waitFor()
    await dialog().getByRole("button", { name: "Buy" }).click()
    await heading("It waits for approval").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("makes, rotates and deactivates a key, which is shown once (CONSOLE-16)", async () => {
    await page.goto(`${home}/keys`)
    await page.getByText("Make a key", { exact: true }).click()
    await page.getByLabel("Name").fill("Laptop")
    await page.getByLabel("What it may do").selectOption("BUYER")
    await assertFitsAndAccessible(page)
    await button("Make the key").click()
    const shown = page.getByLabel("new key", { exact: true })
    const key = (await shown.textContent()) ?? ""
    const client = makeClient(server.baseUrl, key)
    assert.strictEqual((await client.get("/api/v1/wallet/balance")).status, 200)
    await page.reload()
    await button("Deactivate Laptop").waitFor()
    assert.isFalse((await page.content()).includes(key))
    await button("Rotate Laptop").click()
    await dialog().getByRole("button", { name: "Rotate" }).click()
    await shown.waitFor()
    await assertFitsAndAccessible(page)
    await button("Deactivate Laptop").last().click()
    await dialog().getByRole("button", { name: "Deactivate" }).click()
    await page.getByText("Deactivated", { exact: true }).waitFor()
    assert.strictEqual((await client.get("/api/v1/wallet/balance")).status, 401)
    await page.goto(`${home}/usage`)
    await heading("Quotas").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("adds, renames and removes a passkey, and signs out elsewhere (CONSOLE-17)", async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true
      }
    })
    const signedIn = await fetch(`${server.baseUrl}/api/v1/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiKey: owner.key })
    })
    assert.strictEqual(signedIn.status, 201)
    await page.goto(`${home}/security`)
    await page.getByLabel("Name of the new passkey").fill("Phone")
    await button("Add a passkey").click()
    await button("Rename Phone").click()
    await page.getByLabel("Name", { exact: true }).fill("Old phone")
    await assertFitsAndAccessible(page)
    await button("Save").click()
    await button("Remove Old phone").click()
    await dialog().getByRole("button", { name: "Remove" }).click()
    await page.getByText("You have none.", { exact: false }).waitFor()
    await button("Sign out elsewhere").click()
    await dialog().getByRole("button", { name: "Sign out elsewhere" }).click()
    await dialog().waitFor({ state: "detached" })
    await button("Sign out elsewhere").waitFor({ state: "detached" })
    const sessions = dataOf<ReadonlyArray<unknown>>(await owner.get("/api/v1/sessions"))
    assert.strictEqual(sessions.length, 1)
    await assertFitsAndAccessible(page)
  })
})
