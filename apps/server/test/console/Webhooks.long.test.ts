import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { verifyWebhook } from "@agent-marketplace/client/webhooks/verifyWebhook"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the webhooks page is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the webhooks page of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let receiver: Receiver
  let page: Page
  let home: string
  let secret: string
  let status = 200

  beforeAll(async () => {
    // Outside production, the simulated chain lets receivers be on loopback (WEBHOOK-11).
    server = await startServer({ DATABASE_URL: await createDatabase(), NODE_ENV: "development" })
    receiver = await startReceiver((response) => void response.writeHead(status).end("<b>thank you</b>"))
    market = onMarket(server.baseUrl)
    owner = await market.member({ name: "Ada" })
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    home = `${server.baseUrl.replace("127.0.0.1", "localhost")}/console`
    await page.goto(`${home}/webhooks`)
    await page.getByLabel("API key").fill(owner.key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("heading", { name: "You have no endpoints" }).waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await receiver.close()
    await server.stop()
  })

  /** The page has no accessibility violation in either theme, and is not wider than a small screen. */
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const dialog = () => page.getByRole("alertdialog")
  const charted = (description: RegExp) => page.getByRole("img", { name: description }).locator("canvas").waitFor()
  const deliveries = () => page.getByRole("list", { name: "Deliveries" }).getByRole("listitem")
  const subscriptions = async () =>
    dataOf<ReadonlyArray<{ id: string; url: string; status: string; events: ReadonlyArray<string> }>>(
      await owner.get("/api/v1/webhooks")
    )

  it("teaches what an endpoint is; a refused address is named beside its field, and stays (CONSOLE-18)", async () => {
    await assertFitsAndAccessible(page)
    await page.getByText("Add an endpoint", { exact: true }).click()
    await page.getByLabel("Address").fill("https://10.0.0.1/hook")
    await page.getByLabel("Events", { exact: true }).selectOption("Only those that I choose")
    await page.getByLabel("A deposit arrived").check()
    await assertFitsAndAccessible(page)
    await button("Add the endpoint").click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Address").getAttribute("aria-invalid"), "true")
    assert.strictEqual(await page.getByLabel("Address").inputValue(), "https://10.0.0.1/hook")
    assert.isTrue(await page.getByLabel("A deposit arrived").isChecked())
    await assertFitsAndAccessible(page)
    assert.lengthOf(await subscriptions(), 0)
  })

  it("adds an endpoint with the keyboard alone, and shows its secret once (CONSOLE-18)", async () => {
    await page.getByLabel("Address").focus()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type(receiver.url)
    await page.keyboard.press("Enter")
    const shown = page.getByLabel("secret", { exact: true })
    await shown.waitFor()
    secret = (await shown.textContent()) ?? ""
    assert.match(secret, /^whsec_/)
    await assertFitsAndAccessible(page)
    const [{ events, url } = assert.fail("no endpoint")] = await subscriptions()
    assert.deepStrictEqual([url, events], [receiver.url, ["deposit.confirmed"]])
    await page.reload()
    await page.getByRole("link", { name: receiver.url }).waitFor()
    assert.isFalse((await page.content()).includes(secret))
  })

  it("sends a test event and says how the endpoint responded (CONSOLE-18)", async () => {
    await page.getByRole("link", { name: receiver.url }).click()
    await page.getByRole("heading", { name: "Nothing was sent yet" }).waitFor()
    await page.getByText("No event of the last 30 days was sent.", { exact: false }).waitFor()
    await assertFitsAndAccessible(page)
    await button("Send a test event").click()
    await page.getByText("The test event arrived: HTTP 200", { exact: false }).waitFor()
    await charted(/^Bar chart.*Delivered: 1 delivery in all.*Waiting: 0 deliveries\. Failed: 0 deliveries\./)
    const [{ body, headers } = assert.fail("nothing arrived")] = receiver.received
    assert.strictEqual((await verifyWebhook(body, headers, secret)).event, "webhook.test")
    await deliveries().getByText("Delivered").waitFor()
    await assertFitsAndAccessible(page)
    status = 500
    await button("Send a test event").click()
    await page.getByRole("alert").getByText("HTTP 500", { exact: false }).waitFor()
    await deliveries().getByText("Waiting").waitFor()
    await deliveries().getByText("next attempt", { exact: false }).waitFor()
  })

  it("charts deliveries by outcome, of one endpoint and of all, also as a table (CONSOLE-97)", async () => {
    const both = /Delivered: 1 delivery in all.*Waiting: 1 delivery in all/
    await charted(both)
    await button("Show as table: Deliveries by outcome").click()
    const table = page.getByRole("table", { name: "Deliveries by outcome" })
    assert.deepStrictEqual((await table.getByRole("columnheader").allTextContents()).slice(1), [
      "Delivered",
      "Waiting",
      "Failed"
    ])
    const today = table.getByRole("row").last().getByRole("cell")
    assert.deepStrictEqual(await today.allTextContents(), ["1 delivery", "1 delivery", "0 deliveries"])
    await assertFitsAndAccessible(page)
    await button("Show as table: Deliveries by outcome").click()
    const endpoint = page.url()
    await page.goto(`${home}/webhooks`)
    await charted(both)
    await assertFitsAndAccessible(page)
    await page.goto(endpoint)
    await deliveries().getByText("Waiting").waitFor()
  })

  it("shows deliveries by themselves with the response as text, and sends one or all missed again (CONSOLE-18)", async () => {
    const before = receiver.received.length
    await market.fund(owner, 5)
    await deliveries().getByText("deposit.confirmed", { exact: true }).waitFor()
    await deliveries().getByText("attempt of deposit.confirmed").first().click()
    await page.getByLabel("Response").first().getByText("<b>thank you</b>").waitFor()
    await assertFitsAndAccessible(page)
    status = 200
    await button("Send again: deposit.confirmed").click()
    await page.getByLabel("Outcome", { exact: true }).selectOption("Delivered")
    await deliveries().getByText("deposit.confirmed", { exact: true }).waitFor()
    assert.isAbove(receiver.received.length, before + 1)
    await button("Send missed events").click()
    await dialog().getByLabel("Events of").selectOption("The last hour")
    await assertFitsAndAccessible(page)
    await dialog().getByRole("button", { name: "Send missed events" }).click()
    await page.getByText(/sent again\.$|No event was missed\./).waitFor()
    await page.getByLabel("Outcome", { exact: true }).selectOption("Failed")
    await page.getByRole("heading", { name: "There are none" }).waitFor()
    await assertFitsAndAccessible(page)
  })

  it("pauses, resumes, changes and deletes; the secret is rotated after a question (CONSOLE-18)", async () => {
    await button("Pause").click()
    await page.getByText("Paused", { exact: true }).waitFor()
    await assertFitsAndAccessible(page)
    assert.strictEqual((await subscriptions())[0]?.status, "disabled")
    assert.strictEqual(await button("Send a test event").count(), 0)
    await button("Resume").click()
    await page.getByText("Active", { exact: true }).waitFor()
    await page.getByText("Change address or events").click()
    assert.isTrue(await page.getByLabel("A deposit arrived").isChecked())
    await page.getByLabel("Events", { exact: true }).selectOption("All, also those that are added later")
    await button("Save").click()
    await page.getByText("The endpoint is saved.").waitFor()
    assert.deepStrictEqual([...((await subscriptions())[0]?.events ?? [])], ["*"])
    await button("Rotate secret").click()
    await assertFitsAndAccessible(page)
    await dialog().getByRole("button", { name: "Rotate secret" }).click()
    const rotated = await page.getByLabel("secret", { exact: true }).textContent()
    assert.notStrictEqual(rotated, secret)
    await button("Delete").click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { name: "You have no endpoints" }).waitFor()
    assert.lengthOf(await subscriptions(), 0)
  })
})
