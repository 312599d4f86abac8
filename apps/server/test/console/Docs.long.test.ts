import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the documentation is skipped: this system has no Chromium")

const pages = ["/docs", "/docs/reference/purchases", "/docs/reference/webhook-events", "/docs/guides/webhooks"]

describe.skipIf(chromium === undefined)("the documentation in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase() })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const open = async (path: string, options: Parameters<Chromium["newContext"]>[0] = {}) => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto(server.baseUrl + path)
    return page
  }

  it("has no violation of WCAG in light and dark, and does not scroll sideways (DOCS-11)", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open("/docs", { colorScheme })
      for (const path of pages) {
        await page.goto(server.baseUrl + path)
        for (const width of [320, 390, 834, 1440]) {
          await page.setViewportSize({ width, height: 800 })
          const shown = await page.evaluate(() => document.documentElement.scrollWidth)
          assert.isAtMost(shown, width, `${path} at ${width}`)
        }
        // Both themes have the same layouts, so that each is checked at one of the two widths.
        await page.setViewportSize({ width: colorScheme === "light" ? 1440 : 390, height: 800 })
        assert.deepStrictEqual(await accessibilityViolations(page), [], `${path} ${colorScheme}`)
      }
      await page.close()
    }
  })

  it("is searched with the keyboard alone, and samples name the page's own address (DOCS-7, DOCS-8)", async () => {
    const page = await open("/docs")
    const requests: Array<string> = []
    page.on("request", (request) => requests.push(request.url()))
    await page.keyboard.press("/")
    const input = page.getByRole("combobox", { name: "Search the documentation" })
    await input.pressSequentially("buy a sk")
    const results = page.getByRole("listbox", { name: "Results" }).getByRole("option")
    await results.first().getByText("Buy a skill or a soul").waitFor()
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await page.keyboard.press("Escape")
    await results.first().waitFor({ state: "hidden" })
    await input.fill("first purchase")
    await results.first().getByText("Your first purchase").waitFor()
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await results.nth(1).getAttribute("aria-selected"), "true")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${server.baseUrl}/docs/guides/first-purchase`)
    await page.goto(`${server.baseUrl.replace("127.0.0.1", "localhost")}/docs/reference/purchases#purchases.get`)
    const { port } = new URL(server.baseUrl)
    await page.getByText(`http://localhost:${port}/api/v1/purchases/`).first().waitFor()
    assert.deepStrictEqual(
      requests.filter((url) => !/^http:\/\/(?:127\.0\.0\.1|localhost):/.test(url)),
      []
    )
    await page.close()
  })

  it("says when nothing is found, and when the index cannot be loaded (DOCS-7)", async () => {
    const page = await open("/docs")
    const input = page.getByRole("combobox", { name: "Search the documentation" })
    await page.route("**/search-*.json", (route) => route.abort())
    await input.fill("buy")
    await page.getByText("The search could not be loaded.").waitFor()
    await page.unroute("**/search-*.json")
    await input.fill("zzzzzz")
    await page.getByText("Nothing found.").waitFor()
    await page.close()
  })

  it("can be read and its fields be opened without JavaScript (DOCS-4)", async () => {
    const page = await open("/docs/reference/purchases", { javaScriptEnabled: false })
    await page.getByRole("heading", { name: "Buy a skill or a soul" }).waitFor()
    assert.isFalse(await page.getByRole("combobox").isVisible())
    const errors = page.locator("[id='purchases.buy'] details", { hasText: "Errors" }).first()
    await errors.locator("summary").click()
    await errors.getByText("402").waitFor()
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Wallet" }).click()
    await page.waitForURL("**/docs/reference/wallet")
    await page.close()
  })
})
