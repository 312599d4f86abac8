import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import type { Member } from "../fixtures/Market.ts"
import { onMarket } from "../fixtures/Market.ts"
import { removeData } from "../fixtures/removeData.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { startServer } from "../fixtures/startServer.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the first run is skipped: this system has no Chromium")

const linksOf = ({ output }: RunningServer): ReadonlyArray<string> =>
  [...output().matchAll(/http:\S+\/console\/first-run#\S+/g)].map(([link]) => link)

describe.skipIf(chromium === undefined)("the first run in Chromium", () => {
  const browser = chromium as Chromium
  let dataDir: string
  let server: RunningServer
  let page: Page
  let buyer: Member
  let ownItem: string
  let demoItem: string

  const env = () => ({ NODE_ENV: undefined, DATA_DIR: dataDir })

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "agent-marketplace-first-run-"))
    server = await startServer(env())
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    page = await context.newPage()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await removeData(dataDir)
  })

  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const heading = (name: string) => page.getByRole("heading", { name, exact: true })
  const tour = () => page.getByRole("region", { name: "Tour" })

  it("prints one link, and makes nothing before it is opened, then signs in to the shop (CONSOLE-53, CONSOLE-54)", async () => {
    const [link = "", ...more] = linksOf(server)
    assert.deepStrictEqual(more, [])
    const { text } = await makeClient(server.baseUrl).get(new URL(link).pathname, { accept: "text/html" })
    assert.include(text, "<script")
    const before = dataOf<ReadonlyArray<unknown>>(
      await onMarket(server.baseUrl).operator.get("/api/v1/admin/listings?status=approved")
    )
    assert.deepStrictEqual(before, [])
    await page.goto(link)
    await heading("A demonstration shop").waitFor()
    await assertFitsAndAccessible(page)
    await heading("Inbox").waitFor()
    await page.getByText("Demonstration data.").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("has a shop that is marked, scanned and in balance (CONSOLE-55, CONSOLE-56)", async () => {
    const market = onMarket(server.baseUrl)
    await market.assertBalanced()
    const anybody = await market.member()
    const { skills } = dataOf<{ skills: ReadonlyArray<{ id: string; title: string; trust: string; rating: number }> }>(
      await anybody.get("/api/v1/skills?limit=50")
    )
    const levels = new Map(skills.map(({ title, trust }) => [title, trust]))
    assert.strictEqual(levels.get("Contract Reader"), "clean")
    assert.strictEqual(levels.get("Server Health Check"), "warn")
    assert.strictEqual(skills.length, 6)
    demoItem = skills.find(({ title }) => title === "Chart Maker")?.id ?? ""
    const shop = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
    await shop.goto(new URL("/", linksOf(server)[0]).href)
    await shop.getByRole("complementary", { name: "Demonstration data" }).waitFor()
    assert.deepStrictEqual(await accessibilityViolations(shop), [])
    await shop.context().close()
  })

  it("leads in four steps to a purchase that waited for approval (CONSOLE-59)", async () => {
    await tour().getByText("Step 1 of 4").waitFor()
    await tour().getByRole("link", { name: "Show its limits" }).click()
    await heading("Research agent").waitFor()
    await assertFitsAndAccessible(page)
    await tour().getByRole("button", { name: "Next" }).click()
    assert.strictEqual(await page.evaluate("document.activeElement?.textContent"), "Let the agent go above it")
    await tour().getByRole("button", { name: "Let it buy Contract Reader" }).click()
    await tour().getByText("Step 3 of 4").waitFor()
    await button("Approve Contract Reader").click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText("Pay 24.00 USDT?").waitFor()
    await dialog.getByRole("button", { name: "Approve" }).click()
    await tour().getByText("Step 4 of 4").waitFor()
    await assertFitsAndAccessible(page)
    await page.reload()
    await tour().getByRole("link", { name: "Show the purchase" }).click()
    await button("Show license key").click()
    await page.getByLabel("license key", { exact: true }).waitFor()
    await assertFitsAndAccessible(page)
    await tour().getByRole("button", { name: "Finish the tour" }).click()
    await button("Show the tour").waitFor()
    await page.reload()
    await button("Show the tour").waitFor()
    assert.strictEqual(await tour().count(), 0)
  })

  it("removes it with one press, refunds others and touches nothing else (CONSOLE-58)", async () => {
    const market = onMarket(server.baseUrl)
    buyer = await market.fundedMember(50)
    const seller = await market.member({ seller: true, name: "Ada" })
    ownItem = await market.listing(seller, "Price Watcher", 5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: demoItem }), 201)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: ownItem }), 201)
    assert.strictEqual((await market.balanceOf(buyer)).availableBalance, 41.5)
    await button("Remove the demonstration data").click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText("Remove the demonstration data?").waitFor()
    await assertFitsAndAccessible(page)
    await dialog.getByRole("button", { name: "Remove the demonstration data" }).click()
    await heading("The demonstration data is removed").waitFor({ timeout: 60_000 })
    await assertFitsAndAccessible(page)
    await market.assertBalanced()
    assert.strictEqual((await market.balanceOf(buyer)).availableBalance, 45)
    const { skills } = dataOf<{ skills: ReadonlyArray<{ title: string }> }>(await buyer.get("/api/v1/skills?limit=50"))
    assert.deepStrictEqual(
      skills.map(({ title }) => title),
      ["Price Watcher"]
    )
    assert.deepStrictEqual(dataOf(await makeClient(server.baseUrl).get("/demonstration")), {
      present: false,
      owner: null
    })
    const { data } = (await market.operator.get("/api/v1/admin/accounts?search=demo")).body as {
      data: ReadonlyArray<{ name: string }>
    }
    assert.deepStrictEqual(
      data.map(({ name }) => name),
      ["Demo"]
    )
    await page.getByRole("link", { name: "Make my account" }).click()
    await heading("Sign up").waitFor()
  })

  it("prints no link at the next start (CONSOLE-53)", async () => {
    assert.strictEqual(await server.stop(), 0)
    server = await startServer(env())
    assert.deepStrictEqual(linksOf(server), [])
    await onMarket(server.baseUrl).assertBalanced()
    const { text } = await makeClient(server.baseUrl).get("/", { accept: "text/html" })
    assert.notInclude(text, "Demonstration data")
  })
})
