import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const rows = 10_000

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of long lists is skipped: this system has no Chromium")

/** Makes so many deposits of different amounts, and waits until all of them are credited. */
const deposit = async (market: Market, owner: Member): Promise<void> => {
  const { address } = dataOf<{ address: string }>(await owner.get("/api/v1/wallet/deposit"))
  const amounts = Array.from({ length: rows }, (_, n) => n + 1)
  const send = async () => {
    for (let amount = amounts.pop(); amount !== undefined; amount = amounts.pop())
      dataOf(await market.operator.post("/api/v1/admin/simulated-chain/deposits", { address, amount }), 201)
  }
  await Promise.all(Array.from({ length: 16 }, send))
  await market.advance(120)
  const total = (rows * (rows + 1)) / 2
  await waitFor("all deposits", async () => (await market.balanceOf(owner)).totalDeposits === total, 120_000)
}

/** Clicks on "Show more" until there is no more. Runs inside the page, because each query of Playwright searches the whole list. */
const showAll = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const button = () =>
      [...document.querySelectorAll("button")].find(({ textContent }) =>
        /^(?:Show more|Loading…)$/.test(textContent ?? "")
      )
    for (let more = button(); more !== undefined; more = button()) {
      if (!more.disabled) more.click()
      await new Promise(requestAnimationFrame)
    }
  })

/** Scrolls from the top of the page to its end and back. Returns the milliseconds between frames. */
const scroll = (page: Page): Promise<ReadonlyArray<number>> =>
  page.evaluate(async () => {
    const step = 1200
    const times: Array<number> = []
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let last = await frame()
    const move = async (by: number, isOver: () => boolean) => {
      while (!isOver()) {
        scrollBy(0, by)
        const now = await frame()
        times.push(now - last)
        last = now
      }
    }
    await move(step, () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1)
    await move(-step, () => scrollY <= 0)
    return times
  })

describe.skipIf(chromium === undefined)("a list of 10,000 rows in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let page: Page

  beforeAll(async () => {
    server = await startServer({ STORAGE: "memory", NODE_ENV: "test", TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
    owner = await market.member()
    await deposit(market, owner)
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const home = `${server.baseUrl.replace("127.0.0.1", "localhost")}/console`
    await page.goto(home)
    await page.getByLabel("API key").fill(owner.key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
    await page.goto(`${home}/wallet`)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  it("scrolls smoothly from end to end, and every row is found (CONSOLE-99)", async () => {
    const list = page.getByRole("list", { name: "Transactions" })
    await list.waitFor()
    await showAll(page)
    assert.strictEqual(await list.getByRole("listitem").count(), rows)
    const frames = (await scroll(page)).toSorted((one, other) => one - other)
    const at = (share: number) => Math.round(frames[Math.floor(frames.length * share)] ?? Infinity)
    console.info(`${frames.length} frames: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, slowest ${at(0.9999)} ms`)
    assert.isAbove(frames.length, 500)
    assert.isBelow(at(0.5), 34)
    assert.isBelow(at(0.95), 50)
    // The browser knows the rows that are far from the screen.
    await list.getByText("1.00 USDT", { exact: true }).first().scrollIntoViewIfNeeded()
  })
})
