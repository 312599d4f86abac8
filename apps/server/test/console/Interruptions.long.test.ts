import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const destination = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
const endedTitle = "Your session has ended"

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of interruptions is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("forms of the console that are interrupted, in Chromium", () => {
  const browser = chromium as Chromium
  let env: Readonly<Record<string, string>>
  let server: RunningServer
  let market: Market
  let seller: Member
  let home: string

  beforeAll(async () => {
    env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" }
    server = await startServer(env)
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true, name: "Ada" })
    home = `${server.baseUrl.replace("127.0.0.1", "localhost")}/console`
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** Starts the server again at its address. */
  const restart = async () => {
    server = await startServer({ ...env, PORT: new URL(server.baseUrl).port })
  }
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
  const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
  const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  }
  const assertKept = async (page: Page, values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) assert.strictEqual(await field(page, name).inputValue(), value)
  }
  const signIn = async (page: Page, member: Member) => {
    await page.getByLabel("API key or sign-in link").fill(member.key)
    await button(page, "Sign in with the key").click()
  }
  /** A new browser in which the member has opened a page. */
  const open = async (member: Member, path: string): Promise<Page> => {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage()
    await page.goto(home + path)
    await signIn(page, member)
    await button(page, "Menu").waitFor()
    return page
  }
  const ended = (page: Page) => page.getByRole("alertdialog", { name: endedTitle })
  /** Answers of these requests are lost while `losing`: the market has acted. */
  const loseAnswers = async (page: Page, path: string) => {
    const lost = { losing: true, count: 0 }
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== "POST" || !lost.losing) return route.continue()
      lost.count += 1
      await route.fetch()
      return route.abort("connectionreset")
    })
    return lost
  }
  const listings = async () =>
    dataOf<ReadonlyArray<{ name: string }>>(await seller.get("/api/v1/listings?creator=me&limit=100")).map(
      ({ name }) => name
    )
  const offline = (page: Page) => page.getByText("the market cannot be reached. What you see", { exact: false })

  it("keeps a listing while the server restarts, and says when it is back (CONSOLE-65, CONSOLE-66)", async () => {
    const page = await open(seller, "/items/new")
    const typed = { Name: "Mail Sorter", Description: "Sorts mail by sender and by subject.", Price: "5" }
    await fill(page, { ...typed, "Address to install from": "https://example.com/mail" })
    await server.kill()
    await button(page, "Submit").click()
    await page.getByText("look whether it was done before you send it again", { exact: false }).waitFor()
    await offline(page).waitFor()
    await assertKept(page, typed)
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await restart()
    await offline(page).waitFor({ state: "detached" })
    await assertKept(page, typed)
    await button(page, "Submit").dblclick()
    await page.getByRole("heading", { name: "Mail Sorter", exact: true }).waitFor()
    assert.deepStrictEqual(await listings(), ["Mail Sorter"])
    await page.context().close()
  })

  it("keeps a SOUL that is sent offline, and never sends it later by itself (CONSOLE-66)", async () => {
    const page = await open(seller, "/souls/new")
    const typed = { Name: "Patient Tutor", Description: "Explains in small steps.", "SOUL.md": soulMarkdown("Tutor") }
    await fill(page, typed)
    await page.context().setOffline(true)
    await button(page, "Publish").click()
    await page.getByText("You are offline. Nothing you typed is lost", { exact: false }).waitFor()
    await offline(page).waitFor()
    await page.context().setOffline(false)
    await offline(page).waitFor({ state: "detached" })
    await assertKept(page, typed)
    const souls = async () =>
      (await market.guest.get("/data/search?q=patient+tutor&sort=newest")).text.includes("Patient Tutor")
    assert.isFalse(await souls())
    await button(page, "Publish").click()
    await page.getByRole("heading", { name: "Patient Tutor", exact: true }).waitFor()
    assert.isTrue(await souls())
    await page.context().close()
  })

  it("asks to sign in again when the session was ended elsewhere, and goes on with what was typed (CONSOLE-63)", async () => {
    const member = await market.member()
    const page = await open(member, "/limits")
    const typed = { "Most for one purchase, in USDT": "7", "Most in any 24 hours, in USDT": "20" }
    await fill(page, typed)
    const [session] = dataOf<ReadonlyArray<{ id: string }>>(await member.get("/api/v1/sessions"))
    dataOf(await member.delete(`/api/v1/sessions/${session?.id ?? ""}`))
    await button(page, "Save limits")
      .click({ timeout: 5000 })
      .catch(() => undefined)
    await ended(page).waitFor()
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await page.getByLabel("API key or sign-in link").fill("amk_wrong")
    await button(page, "Sign in with the key").click()
    await ended(page).getByRole("alert").waitFor()
    await signIn(page, member)
    await ended(page).waitFor({ state: "detached" })
    await assertKept(page, typed)
    await button(page, "Save limits").click()
    await page.getByText("The limits are saved.").waitFor()
    const policy = dataOf<object>(await member.get("/api/v1/wallet/policy"))
    assert.deepInclude(policy, { perTransactionLimit: 7, dailyLimit: 20 })
    await page.context().close()
  })

  it("holds the keyboard while it asks to sign in again, and returns the focus to where it was (CONSOLE-63)", async () => {
    const member = await market.member()
    const page = await open(member, "/limits")
    const limit = field(page, "Most for one purchase, in USDT")
    const focusIsIn = (part: ReturnType<typeof ended>) => part.evaluate((box) => box.contains(document.activeElement))
    await limit.fill("7")
    const [session] = dataOf<ReadonlyArray<{ id: string }>>(await member.get("/api/v1/sessions"))
    dataOf(await member.delete(`/api/v1/sessions/${session?.id ?? ""}`))
    await limit.press("Enter")
    await ended(page).waitFor()
    await ended(page).and(page.locator(":focus-within")).waitFor()
    const reached = new Set<string | null>()
    for (const key of [...Array<string>(6).fill("Tab"), ...Array<string>(6).fill("Shift+Tab")]) {
      await page.keyboard.press(key)
      // Past either end of the dialog the focus reaches an element that moves it to the other end in the next frame.
      await page.evaluate(() => new Promise(requestAnimationFrame))
      assert.isTrue(await focusIsIn(ended(page)), key)
      reached.add(await page.evaluate(() => document.activeElement?.textContent ?? null))
    }
    assert.includeMembers([...reached], ["Sign in with a passkey", "Sign in with the key", "Leave the console"])
    // What the page shows stays covered until somebody has signed in.
    await page.keyboard.press("Escape")
    await page.waitForTimeout(300)
    assert.isTrue(await ended(page).isVisible())
    assert.isTrue(await focusIsIn(ended(page)))
    await page.getByLabel("API key or sign-in link").fill(member.key)
    await page.keyboard.press("Enter")
    await ended(page).waitFor({ state: "detached" })
    await assertKept(page, { "Most for one purchase, in USDT": "7" })
    await page.waitForFunction(() => document.activeElement !== document.body)
    assert.isTrue(await focusIsIn(limit))
    await page.context().close()
  })

  it("signing out in one tab covers the others, and another account sees nothing of the first (CONSOLE-64)", async () => {
    const [first, second] = [await market.member({ name: "Olu First" }), await market.member({ name: "Eve Second" })]
    const page = await open(first, "/limits")
    await field(page, "Most for one purchase, in USDT").fill("7")
    const tab = await page.context().newPage()
    await tab.goto(home)
    await button(tab, "Menu").click()
    await button(tab, "Sign out").click()
    await ended(page).waitFor()
    await signIn(page, first)
    await ended(page).waitFor({ state: "detached" })
    await assertKept(page, { "Most for one purchase, in USDT": "7" })
    await tab.goto(home)
    await button(tab, "Menu").click()
    await button(tab, "Sign out").click()
    await tab.waitForURL((url) => !url.pathname.startsWith("/console"))
    await tab.goto(home)
    await signIn(tab, second)
    await button(page, "Menu").click()
    await page.getByText("Eve Second").waitFor()
    assert.strictEqual(await page.getByText("Olu First").count(), 0)
    await assertKept(page, { "Most for one purchase, in USDT": "" })
    await page.context().close()
  })

  it("withdraws once although the answers were lost and the page was loaded again (CONSOLE-67)", async () => {
    const member = await market.fundedMember(100)
    const page = await open(member, "/wallet")
    const lost = await loseAnswers(page, "/api/v1/wallet/withdrawals")
    await fill(page, { "Amount that arrives, in USDT": "6", "TRON address": destination })
    await button(page, "Show the fee").click()
    await button(page, "Withdraw").click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).dblclick()
    const unanswered = page.getByText("Send it again to find out: it is paid only once.", { exact: false })
    await unanswered.waitFor()
    assert.isAbove(lost.count, 0)
    await page.reload()
    await unanswered.waitFor()
    assert.strictEqual(await button(page, "Show the fee").count(), 0)
    assert.deepStrictEqual(await accessibilityViolations(page), [])
    await button(page, "Send it again").click()
    await page.getByText("look whether it was done before you send it again", { exact: false }).waitFor()
    lost.losing = false
    await button(page, "Send it again").click()
    await page.getByText(`6.00 USDT are on their way to ${destination}.`).waitFor()
    assert.strictEqual((await market.balanceOf(member)).availableBalance, 93)
    await page.reload()
    await button(page, "Show the fee").waitFor()
    await page.context().close()
  })

  it("buys once although the answer was lost (CONSOLE-15)", async () => {
    const member = await market.fundedMember(20)
    const listing = await market.listing(seller, "Chart Maker", 5)
    const page = await open(member, `/buy/${listing}`)
    const lost = await loseAnswers(page, "/api/v1/skills/*/buy")
    const other = await loseAnswers(page, "/api/v1/purchases")
    await button(page, "Buy Chart Maker").click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByRole("button", { name: "Buy" }).dblclick()
    await dialog.getByRole("alert").waitFor()
    assert.isAbove(lost.count + other.count, 0)
    lost.losing = other.losing = false
    await dialog.getByRole("button", { name: "Buy" }).dblclick()
    await page.getByRole("heading", { name: "It is yours" }).waitFor()
    assert.strictEqual((await market.balanceOf(member)).availableBalance, 15)
    await page.context().close()
  })

  it("sends a double click once, also over a slow network (CONSOLE-61)", async () => {
    const member = await market.member()
    const page = await open(member, "/keys")
    await page.route("**/api/v1/keys", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByText("Make a key", { exact: true }).click()
    await field(page, "Name").fill("Laptop")
    await button(page, "Make the key").dblclick()
    await page.getByLabel("new key", { exact: true }).waitFor()
    const keys = dataOf<ReadonlyArray<{ name: string }>>(await member.get("/api/v1/keys"))
    assert.lengthOf(
      keys.filter(({ name }) => name === "Laptop"),
      1
    )
    await page.context().close()
  })

  it("signs up after the server was away, once (CONSOLE-20, CONSOLE-61)", async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${home}/sign-up`)
    const typed = { Name: "Grace Restarted", "E-mail (optional)": "grace@example.com" }
    await fill(page, typed)
    await server.kill()
    await button(page, "Make the account").click()
    await page.getByRole("alert").waitFor()
    await restart()
    await assertKept(page, typed)
    await button(page, "Make the account").dblclick()
    await page.getByRole("heading", { name: "Keep your key" }).waitFor()
    const found = dataOf<ReadonlyArray<unknown>>(
      await market.operator.get("/api/v1/admin/accounts?search=Grace+Restarted")
    )
    assert.lengthOf(found, 1)
    await page.context().close()
  })

  it("moves the focus to the first refused field, and keeps an edit of what is gone (CONSOLE-62)", async () => {
    const id = await market.listing(seller, "Log Reader", 5)
    const page = await open(seller, `/items/${id}/edit`)
    await fill(page, { Price: "0.5", "Documentation (optional)": "http://example.com/" })
    await button(page, "Save").click()
    await page.getByRole("alert").waitFor()
    assert.isTrue(await field(page, "Price").evaluate((input) => input === document.activeElement))
    assert.strictEqual(await field(page, "Documentation (optional)").getAttribute("aria-invalid"), "true")
    const typed = { Price: "6", Description: "Reads logs, and says what matters." }
    await fill(page, { ...typed, "Documentation (optional)": "" })
    assert.strictEqual((await seller.delete(`/api/v1/listings/${id}`)).status, 200)
    await button(page, "Save").click()
    await page.getByRole("alert").waitFor()
    await assertKept(page, typed)
    await page.context().close()
  })

  it("says that the account is frozen, and keeps what was typed (CONSOLE-62)", async () => {
    const member = await market.member()
    const page = await open(member, "/agents")
    await page.getByText("Make an agent", { exact: true }).click()
    await field(page, "Name").fill("Shopping agent")
    const account = `/api/v1/admin/accounts/${member.id}`
    dataOf(await market.operator.post(`${account}/freeze`, { reason: "A key was stolen." }))
    await button(page, "Make the agent").click()
    await page.getByRole("alert").getByText("frozen", { exact: false }).waitFor()
    await assertKept(page, { Name: "Shopping agent" })
    dataOf(await market.operator.post(`${account}/unfreeze`, {}))
    await button(page, "Make the agent").click()
    await page.getByRole("link", { name: "Shopping agent" }).waitFor()
    await page.context().close()
  })

  it("signs out everywhere else with one question (CONSOLE-17, CONSOLE-63)", async () => {
    const member = await market.member()
    const [here, there] = [await open(member, "/security"), await open(member, "/limits")]
    await field(there, "Most for one purchase, in USDT").fill("7")
    await here.reload()
    await button(here, "Sign out elsewhere").click()
    await here.getByRole("alertdialog").getByRole("button", { name: "Sign out elsewhere" }).click()
    await here.getByRole("alertdialog").waitFor({ state: "detached" })
    await ended(there).waitFor()
    assert.strictEqual(await ended(here).count(), 0)
    await Promise.all([here.context().close(), there.context().close()])
  })

  it("follows events again after the server was away (CONSOLE-65)", async () => {
    const member = await market.member()
    const { id } = dataOf<{ id: string }>(await member.post("/api/v1/agents", { name: "Shopping agent" }), 201)
    const page = await open(member, "/agents")
    await button(page, "Freeze Shopping agent").waitFor()
    await server.kill()
    await offline(page).waitFor()
    await restart()
    await offline(page).waitFor({ state: "detached" })
    // The stream opens again after its own pause; what happened before is read when it does.
    dataOf(await member.post(`/api/v1/agents/${id}/freeze`, {}))
    await button(page, "Unfreeze Shopping agent").waitFor()
    await page.context().close()
  })
})
