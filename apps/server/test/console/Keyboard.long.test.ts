import { onKeyboard } from "@agent-marketplace/fixtures/browser/onKeyboard"
import type { Keyboard } from "@agent-marketplace/fixtures/browser/onKeyboard"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { virtualAuthenticator } from "@agent-marketplace/fixtures/browser/virtualAuthenticator"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { skillArchive } from "../fixtures/skillArchives.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { callback, discover, openRequest, register, startUrl } from "../oauth/Application.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the keyboard is skipped: this system has no Chromium")

const destination = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
const phone = { width: 390, height: 844 }

describe.skipIf(chromium === undefined)("journeys by keyboard alone (CONSOLE-75, CONSOLE-78)", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let origin: string
  let seller: Member

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "manual" })
    origin = server.baseUrl.replace("127.0.0.1", "localhost")
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true, name: "Ada" })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const open = async (path: string, secret?: string, viewport = { width: 1280, height: 900 }) => {
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    const keys = onKeyboard(page)
    await page.goto(origin + path)
    if (secret !== undefined) {
      await keys.fill(page.getByLabel("API key or sign-in link"), secret)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Sign in" }).waitFor({ state: "detached" })
    }
    return { page, keys, close: () => context.close() }
  }
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
  const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor()

  /** Answers the open question, in which the focus is trapped; it ends. */
  const answer = async (page: Page, keys: Keyboard, name: string): Promise<void> => {
    const dialog = page.getByRole("alertdialog")
    await keys.press(dialog.getByRole("button", { name, exact: true }))
    await dialog.waitFor({ state: "detached" })
  }

  it("a visitor skips the navigation, searches and opens an item, and results follow the filters (SHOP-15)", async () => {
    await market.listing(seller, "Mail Sorter", 5)
    await market.listing(seller, "Chart Maker", 15)
    const { close, keys, page } = await open("/")
    await keys.press(link(page, "Skip to content"))
    await page.keyboard.press("Tab")
    assert.isTrue(await page.evaluate(() => document.activeElement?.closest("main") !== null))
    await page.goto(`${origin}/search`)
    await page.evaluate(() => Object.assign(window, { marked: true }))
    await keys.fill(page.getByRole("searchbox"), "chart")
    await page.getByText("1 item", { exact: true }).waitFor()
    await page.waitForURL("**/search?q=chart")
    await keys.fill(page.getByLabel("At most (USDT)"), "10")
    await heading(page, "Nothing matches")
    assert.strictEqual(new URL(page.url()).searchParams.get("max"), "10")
    await keys.fill(page.getByRole("searchbox"), "mail")
    await link(page, "Mail Sorter").waitFor()
    assert.isTrue(await page.evaluate(() => "marked" in window))
    await page.reload()
    await keys.press(link(page, "Mail Sorter"))
    await heading(page, "Mail Sorter")
    await close()
  })

  it("a newcomer signs up, follows the next steps and buys (CONSOLE-71)", async () => {
    const id = await market.listing(seller, "Log Reader", 5)
    const { close, keys, page } = await open("/console/sign-up")
    await keys.fill(page.getByLabel("Name"), "Noor")
    await page.keyboard.press("Enter")
    const key = (await page.getByLabel("API key", { exact: true }).textContent()) ?? ""
    await keys.press(button(page, "Deposit USDT"))
    await heading(page, "Wallet")
    assert.match(await page.title(), /^Wallet/)
    const noor = makeClient(server.baseUrl, key)
    await market.fund(noor, 20)
    await page.goto(`${origin}/items/${id}`)
    await keys.press(page.getByRole("link", { name: "Buy" }))
    await keys.press(button(page, "Buy Log Reader"))
    await answer(page, keys, "Buy")
    await heading(page, "It is yours")
    assert.strictEqual((await market.balanceOf(noor)).availableBalance, 15)
    await close()
  })

  it("an owner limits an agent, approves with a passkey on a phone, freezes, withdraws and signs out elsewhere", async () => {
    const owner = await market.fundedMember(100)
    const id = await market.listing(seller, "Unit Converter", 5)
    const { id: agentId } = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Shopper" }), 201)
    const issued = await owner.post("/api/v1/keys", { name: "Shopper", scope: "BUYER", agentId })
    const agent = makeClient(server.baseUrl, dataOf<{ key: string }>(issued, 201).key)
    const { close, keys, page } = await open("/console/security", owner.key, phone)
    const authenticator = await virtualAuthenticator(page)
    await keys.fill(page.getByLabel("Name of the new passkey"), "Phone")
    await page.keyboard.press("Enter")
    await button(page, "Rename Phone").waitFor()
    await keys.press(button(page, "Menu"))
    await keys.press(link(page, "Agents"))
    await keys.press(link(page, "Shopper"))
    await keys.fill(page.getByLabel("A price above this waits for you, in USDT"), "2")
    await keys.press(button(page, "Save limits"))
    await page.getByText("The limits are saved.").waitFor()
    const used = await authenticator.uses()
    assert.isAtLeast(used, 1)
    await page.context().clearCookies()
    await page.goto(`${origin}/console`)
    await keys.press(button(page, "Sign in with a passkey"))
    await heading(page, "Nothing waits for you")
    assert.isAbove(await authenticator.uses(), used)
    dataOf(await agent.post("/api/v1/purchases", { skillId: id }), 201)
    const signedIn = await authenticator.uses()
    await keys.press(button(page, "Reject Unit Converter"))
    await page.getByRole("alertdialog").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").waitFor({ state: "detached" })
    await keys.press(button(page, "Approve Unit Converter"))
    await answer(page, keys, "Approve")
    await heading(page, "Nothing waits for you")
    assert.strictEqual(await authenticator.uses(), signedIn + 1)
    assert.strictEqual((await market.balanceOf(owner)).availableBalance, 95)
    await keys.press(button(page, "Menu"))
    await keys.press(link(page, "Agents"))
    await keys.press(button(page, "Freeze Shopper"))
    await button(page, "Unfreeze Shopper").waitFor()
    assert.strictEqual((await agent.post("/api/v1/purchases", { skillId: id })).status, 403)
    await page.goto(`${origin}/console/wallet`)
    await keys.fill(page.getByLabel("Amount that arrives, in USDT"), "6")
    await keys.fill(page.getByLabel("TRON address"), destination)
    await page.keyboard.press("Enter")
    await keys.press(button(page, "Withdraw"))
    await answer(page, keys, "Withdraw")
    await page.getByText(`6.00 USDT are on their way to ${destination}.`).waitFor()
    await page.goto(`${origin}/console/security`)
    await keys.press(button(page, "Sign out elsewhere"))
    await answer(page, keys, "Sign out elsewhere")
    await button(page, "Sign out elsewhere").waitFor({ state: "detached" })
    await keys.press(button(page, "Menu"))
    await keys.press(button(page, "Sign out"))
    await page.waitForURL(`${origin}/`)
    await close()
  })

  it("an owner gives an application access with a limit", async () => {
    const owner = await market.fundedMember(10)
    const { client_id: client } = await register(owner, { client_name: "Helper" })
    const id = await openRequest((await startUrl(await discover(server.baseUrl), client)).url)
    const { close, keys, page } = await open(`/console/consent?request=${id}`, owner.key, phone)
    await page.route(`${callback}**`, (route) => route.fulfill({ body: "The application" }))
    await keys.toggle(page.getByLabel("It may pay for purchases"))
    await keys.fill(page.getByLabel("At most in any 24 hours (USDT)"), "10")
    await keys.press(button(page, "Allow"))
    await keys.press(page.getByRole("alertdialog").getByRole("button", { name: "Allow" }))
    await page.waitForURL(`${callback}**`)
    assert.isNotNull(new URL(page.url()).searchParams.get("code"))
    await close()
  })

  it("a seller publishes a skill with a release and sees its verdict", async () => {
    const { close, keys, page } = await open("/console/items/new", seller.key)
    const field = (name: string) => page.getByRole("textbox", { name, exact: true })
    await keys.fill(field("Name"), "Row Counter")
    await keys.fill(field("Description"), "Counts the rows of a table.")
    await keys.fill(field("Price"), "5")
    await keys.fill(field("Address to install from"), "https://example.com/rows")
    await keys.press(button(page, "Submit"))
    await heading(page, "Row Counter")
    const choosing = page.waitForEvent("filechooser")
    await keys.toggle(page.getByLabel("Drop an archive here, or choose a file"))
    const archive = { name: "skill.tar.gz", mimeType: "application/gzip", buffer: Buffer.from(skillArchive("1.0.0")) }
    await (await choosing).setFiles(archive)
    await page.getByText("Scanned: clean").first().waitFor()
    await close()
  })

  it("an operator approves, handles a report, revokes with refunds, restores, and stops and resumes payouts (CONSOLE-73)", async () => {
    const buyer = await market.fundedMember(50)
    const bad = await market.listing(seller, "Key Thief", 5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: bad }), 201)
    const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft("Page Counter", 5)), 201)
    const { close, keys, page } = await open("/console/operator/queue", adminToken)
    await keys.press(button(page, "Decide: Page Counter"))
    await keys.press(button(page, "Approve Page Counter"))
    await answer(page, keys, "Approve")
    await button(page, "Decide: Page Counter").waitFor({ state: "detached" })
    dataOf(await buyer.post(`/api/v1/items/${id}/reports`, { reason: "spam", text: "It only advertises." }), 201)
    await page.goto(`${origin}/console/operator/queue`)
    await keys.press(button(page, "Decide: It only advertises."))
    await keys.reach(page.getByLabel("Action"))
    await page.keyboard.type("Suspend")
    await keys.fill(page.getByLabel("Reason", { exact: true }), "It advertises.")
    await keys.press(button(page, `Resolve the report about ${id}`))
    await answer(page, keys, "Resolve")
    await keys.press(link(page, "All items"))
    await keys.press(button(page, "Restore Page Counter"))
    await answer(page, keys, "Restore")
    await page.getByText("No listing is suspended.").waitFor()
    assert.strictEqual(bodyOf<{ status: string }>(await seller.get(`/v1/listings/${id}`)).status, "approved")
    await keys.fill(page.getByLabel("Id of a listing or SOUL"), bad)
    await page.keyboard.press("Enter")
    await heading(page, "Key Thief")
    await keys.fill(page.getByLabel("Reason", { exact: true }), "It steals keys.")
    await keys.fill(page.getByLabel("Refund purchases of so many days"), "30")
    await keys.press(button(page, "Revoke"))
    await answer(page, keys, "Revoke")
    await waitFor("the buyer is refunded", async () => (await market.balanceOf(buyer)).balance === 50)
    await keys.press(link(page, "Health"))
    for (const [act, state] of [
      ["Stop payouts", "All payouts are stopped."],
      ["Resume payouts", "Running"]
    ] as const) {
      await keys.press(button(page, act))
      await answer(page, keys, act)
      await page.getByText(state).first().waitFor()
    }
    await close()
  })
})
