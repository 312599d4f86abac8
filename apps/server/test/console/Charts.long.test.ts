import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the charts is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the charts of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let seller: Member
  let home: string

  beforeAll(async () => {
    server = await startServer({ STORAGE: "memory", NODE_ENV: "test", LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    owner = await market.fundedMember(100)
    home = `${server.baseUrl.replace("127.0.0.1", "localhost")}/console`
    seller = await market.member({ seller: true, name: "Ada" })
    for (const [name, price] of [
      ["Mail Sorter", 5],
      ["Chart Maker", 2.5]
    ] as const) {
      const skillId = await market.listing(seller, name, price)
      dataOf(await owner.post("/api/v1/purchases", { skillId }), 201)
    }
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** A small screen on which this key has signed in. The page fails on a violation of its Content-Security-Policy. */
  const signedIn = async (key: string, colorScheme: "dark" | "light"): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 320, height: 800 }, colorScheme })
    const page = await context.newPage()
    await page.goto(home)
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.locator("#navigation").waitFor({ state: "attached" })
    return page
  }

  const assertGood = async (page: Page) => {
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 320)
  }

  /** Whether the picture has pixels of a bar or line, and not only of its axes. */
  const isDrawn = (page: Page, name: RegExp): Promise<boolean> =>
    page.getByRole("img", { name }).evaluate((image) => {
      const canvas = image.querySelector("canvas")
      const { data = [] } = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
      // The colors of bars and lines are the only ones that are not gray.
      return Array.from({ length: data.length / 4 }, (_, at) => at * 4).some(
        (at) => (data[at + 3] ?? 0) > 200 && Math.abs((data[at] ?? 0) - (data[at + 2] ?? 0)) > 60
      )
    })

  it.each(["light", "dark"] as const)(
    "shows the spending as a picture and as a table, in %s colors (CONSOLE-36, CONSOLE-37)",
    async (scheme) => {
      const page = await signedIn(owner.key, scheme)
      const refused: Array<string> = []
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) refused.push(message.text())
      })
      await page.goto(`${home}/spending`)
      const spent = /^Bar chart.*Total: 7.50 USDT in all/
      await page.getByRole("img", { name: spent }).locator("canvas").waitFor()
      assert.isTrue(await isDrawn(page, spent))
      await page.getByRole("row", { name: /^Own keys 7.50 USDT 2 payments$/ }).waitFor()
      await page.getByRole("row", { name: /^Ada 7.50 USDT/ }).waitFor()
      await assertGood(page)
      const shown = page.getByRole("button", { name: "Show as table: Spending over time" })
      await page.getByRole("button", { name: "By seller" }).click()
      await page.getByRole("img", { name: /Ada: 7.50 USDT in all/ }).waitFor()
      await page.getByRole("button", { name: "In all" }).click()
      await shown.click()
      const rows = page.getByRole("table", { name: "Spending over time" }).getByRole("row")
      assert.strictEqual(await rows.count(), 31)
      await rows.last().getByRole("cell", { name: "7.50 USDT", exact: true }).waitFor()
      await assertGood(page)
      await page.getByRole("button", { name: "7 days" }).click()
      await rows.nth(8).waitFor({ state: "detached" })
      assert.strictEqual(await shown.getAttribute("aria-pressed"), "true")
      await page.getByRole("button", { name: "12 months" }).click()
      await rows.nth(12).waitFor()
      assert.strictEqual(await rows.count(), 13)
      assert.deepStrictEqual(refused, [])
      await page.context().close()
    }
  )

  it("shows what a seller earned, after the fee (CONSOLE-38)", async () => {
    const page = await signedIn(seller.key, "light")
    await page.goto(`${home}/sales`)
    const earned = /Mail Sorter: 4.75 USDT in all.*Chart Maker: 2.375 USDT in all/
    await page.getByRole("img", { name: earned }).locator("canvas").waitFor()
    assert.isTrue(await isDrawn(page, earned))
    await page.getByRole("row", { name: "Mail Sorter 4.75 USDT 1 sale" }).waitFor()
    await assertGood(page)
    await page.getByRole("button", { name: "Show as table: Earnings over time" }).click()
    const row = page.getByRole("table", { name: "Earnings over time" }).getByRole("row").last()
    await row.getByRole("cell", { name: "2.375 USDT", exact: true }).waitFor()
    await assertGood(page)
    await page.context().close()
  })

  it("charts the metrics of the service for an operator (CONSOLE-39)", async () => {
    const page = await signedIn(adminToken, "dark")
    await page.goto(`${home}/operator/health`)
    const latency = /^Line chart.*p50: now [\d.]+ m?s.*p99: now/
    await page.getByRole("img", { name: latency }).locator("canvas").waitFor()
    assert.isTrue(await isDrawn(page, latency))
    await page.getByRole("img", { name: /Answered \(2xx, 3xx\): now [\d.]+ per second/ }).waitFor()
    await page.getByRole("img", { name: /Resident: now [\d.]+ MiB/ }).waitFor()
    await page.getByRole("img", { name: /Webhook deliveries: now/ }).waitFor()
    await assertGood(page)
    await page.getByRole("button", { name: "Show as table: Memory" }).click()
    await page.getByRole("table", { name: "Memory" }).getByRole("cell", { name: /MiB$/ }).first().waitFor()
    await assertGood(page)
    await page.context().close()
  })

  it("says what belongs into an empty chart (CONSOLE-36)", async () => {
    const page = await signedIn((await market.member()).key, "light")
    await page.goto(`${home}/spending`)
    await page.getByText("Purchases appear here by themselves.", { exact: false }).waitFor()
    assert.strictEqual(await page.getByRole("img").count(), 0)
    await assertGood(page)
    await page.context().close()
  })
})
