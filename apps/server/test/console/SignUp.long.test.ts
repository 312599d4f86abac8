import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of signing up is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("signing up and in with the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let closed: RunningServer
  let key: string

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase() })
    closed = await startServer({ DATABASE_URL: await createDatabase(), SIGNUP: "admin" })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await closed.stop()
  })

  const open = async ({ baseUrl }: RunningServer, path: string): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    const page = await context.newPage()
    await page.goto(baseUrl.replace("127.0.0.1", "localhost") + path)
    return page
  }
  const isTooWide = (page: Page) => page.evaluate("document.documentElement.scrollWidth > innerWidth")

  it("makes an account from the sign-in page, shows the key once and signs in with it (CONSOLE-20)", async () => {
    const page = await open(server, "/console")
    await page.getByRole("link", { name: "Sign up" }).click()
    await page.getByRole("heading", { name: "Sign up" }).waitFor()
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await page.getByLabel("Name").fill("Ada Seller")
    await page.getByLabel("E-mail").fill("ada@example.com")
    await page.getByLabel("I want to sell").check()
    await page.getByRole("button", { name: "Make the account" }).click()
    const shown = page.getByLabel("API key", { exact: true })
    await shown.waitFor()
    key = (await shown.textContent()) ?? ""
    assert.match(key, /^amk_/)
    assert.isFalse(await isTooWide(page))
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    const account = dataOf<{ name: string; email: string; seller: boolean }>(
      await makeClient(server.baseUrl, key).get("/api/v1/account")
    )
    assert.deepInclude(account, { name: "Ada Seller", email: "ada@example.com", seller: true })
    await page.getByRole("button", { name: "I have stored the key: sign in" }).click()
    await page.getByRole("heading", { name: "You have no items yet" }).waitFor()
    assert.notInclude(await page.content(), key)
    await page.context().close()
  })

  it("shows the error where signing up is closed, and keeps what was typed (CONSOLE-20)", async () => {
    const page = await open(closed, "/console/sign-up")
    await page.getByLabel("Name").fill("Ada Seller")
    await page.getByRole("button", { name: "Make the account" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "Ada Seller")
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await page.context().close()
  })

  it("signs in with a pasted link, which works once (CONSOLE-21)", async () => {
    const { url } = dataOf<{ url: string }>(await makeClient(server.baseUrl, key).post("/api/v1/sessions/links"), 201)
    const first = await open(server, "/console/items")
    await first.getByLabel("API key or sign-in link").fill(` ${url} `)
    await first.getByRole("button", { name: "Sign in with the key" }).click()
    await first.getByRole("heading", { name: "You have no items yet" }).waitFor()
    await first.context().close()
    const second = await open(server, "/console/items")
    await second.getByLabel("API key or sign-in link").fill(url)
    await second.getByRole("button", { name: "Sign in with the key" }).click()
    await second.getByRole("alert").waitFor()
    await second.context().close()
  })
})
