import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { callback, discover, openRequest, register, startUrl } from "../oauth/Application.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the consent page is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the consent page of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let owner: Member
  let page: Page

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase() })
    owner = await onMarket(server.baseUrl).member({ name: "Olu" })
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    await page.route(`${callback}**`, (route) => route.fulfill({ body: "The application" }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const ask = async (): Promise<void> => {
    const { client_id: client } = await register(owner, { client_name: "Helper <b>bold</b>" })
    const id = await openRequest((await startUrl(await discover(server.baseUrl), client)).url)
    await page.goto(`${server.baseUrl.replace("127.0.0.1", "localhost")}/console/consent?request=${id}`)
  }
  const look = async () => {
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth"), 320)
  }
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
  const grants = async () =>
    dataOf<ReadonlyArray<{ agentId: string; scopes: ReadonlyArray<string> }>>(await owner.get("/api/v1/oauth/grants"))

  it("shows who asks after signing in, and goes back when the person refuses (CONSOLE-35)", async () => {
    await ask()
    await page.getByLabel("API key").fill(owner.key)
    await press("Sign in with the key")
    await page.getByText("Helper <b>bold</b>").waitFor()
    await page.getByText("app.example.com").waitFor()
    await look()
    await press("Refuse")
    await page.waitForURL(`${callback}**`)
    assert.strictEqual(new URL(page.url()).searchParams.get("error"), "access_denied")
    assert.deepStrictEqual(await grants(), [])
  })

  it("limits what may be spent, and asks once with the amounts (CONSOLE-35)", async () => {
    await ask()
    await page.getByLabel("It may pay for purchases").check()
    await press("Allow")
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText("Let Helper <b>bold</b> spend your 0.00 USDT without asking?").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.getByLabel("At most in any 24 hours (USDT)").fill("ten")
    await press("Allow")
    await dialog.getByRole("button", { name: "Allow" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    const daily = page.getByLabel("At most in any 24 hours (USDT)")
    assert.strictEqual(await daily.getAttribute("aria-invalid"), "true")
    assert.strictEqual(await daily.inputValue(), "ten")
    await look()
    await daily.fill("10")
    await press("Allow")
    await dialog.getByText("spend up to 10.00 USDT in 24 hours without asking?").waitFor()
    await look()
    await dialog.getByRole("button", { name: "Allow" }).click()
    await page.waitForURL(`${callback}**`)
    assert.isNotNull(new URL(page.url()).searchParams.get("code"))
    const [grant] = await grants()
    assert.deepStrictEqual(grant?.scopes, ["read", "buy"])
    const policy = dataOf<object>(await owner.get(`/api/v1/agents/${grant?.agentId}/policy`))
    assert.deepInclude(policy, { autoApprove: true, dailyLimit: 10, monthlyLimit: null })
  })
})
