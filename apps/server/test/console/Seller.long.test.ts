import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { harmful, skillArchive } from "../fixtures/skillArchives.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of the seller's pages is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the pages of sellers in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let seller: Member
  let page: Page
  let listing: string

  const go = (path: string) => page.goto(`${server.baseUrl.replace("127.0.0.1", "localhost")}/console${path}`)
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
  const field = (name: string) => page.getByRole("textbox", { name, exact: true })
  const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor()
  const choose = (name: string, bytes: Uint8Array) =>
    page
      .getByLabel("Drop an archive here, or choose a file")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) })
  const detailOf = async (id: string) =>
    bodyOf<{ name: string; price: number; description: string; tags: ReadonlyArray<string>; installUrl: string }>(
      await seller.get(`/v1/listings/${id}`)
    )

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    seller = await market.member({ name: "Ada" })
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    await go("/items")
    await page.getByLabel("API key").fill(seller.key)
    await press("Sign in with the key")
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  it("lets an account start to sell, and teaches what belongs here (CONSOLE-22)", async () => {
    await heading("This account does not sell yet")
    await assertFitsAndAccessible(page)
    await press("Start selling")
    await heading("You have no items yet")
    await assertFitsAndAccessible(page)
    assert.isTrue(dataOf<{ seller: boolean }>(await seller.get("/api/v1/account")).seller)
  })

  it("makes a listing: a refused form keeps what was typed and names the field (CONSOLE-23)", async () => {
    await page.getByRole("link", { name: "New skill" }).click()
    await field("Name").fill("Mail Sorter")
    await field("Description").fill("Sorts mail by sender and by subject.")
    await field("Price").fill("0.5")
    await field("Tags").fill("mail, sorting")
    await field("Text (Markdown, optional)").fill("**Bold** <b>markup</b>")
    await field("Address to install from").fill("https://example.com/mail")
    await page.getByRole("region", { name: "Preview" }).getByText("Bold <b>markup</b>").waitFor()
    await press("Submit")
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await field("Price").getAttribute("aria-invalid"), "true")
    assert.strictEqual(await field("Name").inputValue(), "Mail Sorter")
    await assertFitsAndAccessible(page)
    await field("Price").fill("5")
    await press("Submit")
    await heading("Mail Sorter")
    listing = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    const { installUrl, price, tags } = await detailOf(listing)
    assert.deepStrictEqual(
      { installUrl, price, tags: [...tags] },
      { installUrl: "https://example.com/mail", price: 5, tags: ["mail", "sorting"] }
    )
    await assertFitsAndAccessible(page)
  })

  it("sends only the fields that changed (CONSOLE-23)", async () => {
    await page.getByRole("link", { name: "Edit" }).click()
    await field("Price").fill("6")
    const sent = page.waitForRequest((request) => request.method() === "PATCH")
    await press("Save")
    assert.deepStrictEqual((await sent).postDataJSON(), { price: "6" })
    await page.getByText("6.00 USDT").waitFor()
    assert.strictEqual((await detailOf(listing)).price, 6)
  })

  it("refuses a file that is no archive before it is sent (CONSOLE-24)", async () => {
    await choose("notes.txt", new TextEncoder().encode("text"))
    await page.getByRole("alert").getByText(".tar.gz, .tgz or .zip").waitFor()
    const { releases } = bodyOf<{ releases: ReadonlyArray<unknown> }>(
      await seller.get(`/v1/listings/${listing}/releases`)
    )
    assert.lengthOf(releases, 0)
  })

  it("uploads a release that is dropped, and shows its verdict by itself (CONSOLE-24, CONSOLE-25)", async () => {
    const base64 = Buffer.from(skillArchive("1.0.0")).toString("base64")
    const transfer = await page.evaluateHandle((text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], "skill.tar.gz"))
      return data
    }, base64)
    await page.getByText("Drop an archive here, or choose a file").dispatchEvent("drop", { dataTransfer: transfer })
    const release = page.getByRole("listitem", { name: "Version 1.0.0" })
    await release.getByText("On sale").waitFor()
    await release.getByText("Scanned: clean").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("shows each finding of a blocked release with its place, and appeals it (CONSOLE-25, CONSOLE-26)", async () => {
    await choose("skill.tgz", skillArchive("1.1.0", {}, harmful))
    const release = page.getByRole("listitem", { name: "Version 1.1.0" })
    await release.getByText("Quarantined").waitFor()
    const found = bodyOf<{
      verdict: { findings: ReadonlyArray<{ file: string; line: number; message: string; evidence: string }> }
    }>(await seller.get(`/v1/listings/${listing}/releases/1.1.0`)).verdict.findings
    const shown = await release.getByRole("list", { name: "Findings" }).getByRole("listitem").allTextContents()
    assert.lengthOf(shown, found.length)
    for (const [index, { evidence, file, line, message }] of found.entries())
      for (const part of [`${file}:${line}`, evidence, message]) assert.include(shown[index] ?? "", part)
    await assertFitsAndAccessible(page)
    await field("Appeal: version 1.1.0 was quarantined").fill("It is the example of a warning.")
    await press("Send the appeal")
    await page.getByText("An operator has not decided yet.").waitFor()
    assert.strictEqual(await field("Appeal: version 1.1.0 was quarantined").count(), 0)
    const [appeal] = dataOf<ReadonlyArray<{ text: string; version: string }>>(
      await seller.get(`/api/v1/items/${listing}/appeals`)
    )
    assert.deepInclude(appeal, { text: "It is the example of a warning.", version: "1.1.0" })
  })

  it("scans a release again at most once an hour, and takes it off sale after a question (CONSOLE-25)", async () => {
    const release = page.getByRole("listitem", { name: "Version 1.0.0" })
    await press("Take off sale: Version 1.0.0")
    const dialog = page.getByRole("alertdialog")
    await dialog.getByLabel("Reason, for those who have it").fill("A later version replaces it.")
    await assertFitsAndAccessible(page)
    await dialog.getByRole("button", { name: "Take off sale" }).click()
    await release.getByText("Off sale").waitFor()
    await release.getByText("A later version replaces it.").waitFor()
    const again = page.waitForResponse((response) => response.url().endsWith("/rescan"))
    await press("Scan again: Version 1.1.0")
    assert.strictEqual((await again).status(), 200)
    await press("Scan again: Version 1.1.0")
    await page.getByRole("listitem", { name: "Version 1.1.0" }).getByRole("alert").waitFor()
  })

  it("publishes a SOUL that the linter checks while it is typed (CONSOLE-23, CONSOLE-22)", async () => {
    await go("/souls/new")
    await field("SOUL.md").fill("No heading")
    await page.getByText("It cannot be published yet.").waitFor()
    await field("SOUL.md").fill("---\nname: Tutor\n---\n# SOUL\n\n## Identity\n\nA *patient* tutor.")
    await page.getByText("It can be published.").waitFor()
    await page.getByRole("region", { name: "Preview" }).getByText("A patient tutor.").waitFor()
    await assertFitsAndAccessible(page)
    await field("Name").fill("Patient Tutor")
    await field("Description").fill("Short")
    await press("Publish")
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await field("Description").getAttribute("aria-invalid"), "true")
    await field("Description").fill("Explains hard things in small steps.")
    await press("Publish")
    await heading("Patient Tutor")
    await page.getByRole("listitem", { name: "Version 1" }).getByText("Shown and sold").waitFor()
    await assertFitsAndAccessible(page)
    await page.getByRole("link", { name: "Edit" }).click()
    await field("SOUL.md").fill("# SOUL\n\n## Identity\n\nAnother text.")
    await press("Save")
    await page.getByRole("listitem", { name: "Version 2" }).getByText("Shown and sold").waitFor()
  })

  it("lists items in every state with the reason, and appeals a suspension (CONSOLE-22, CONSOLE-26)", async () => {
    const other = await market.listing(seller, "Menu Planner", 5)
    const reason = { reason: "It does not do what it says.", code: "misleading" }
    dataOf(await market.operator.post(`/api/v1/admin/listings/${other}/suspend`, reason))
    await go("/items")
    await page.getByText("It does not do what it says.").waitFor()
    await page.getByText("Suspended").waitFor()
    await page.getByRole("link", { name: "Patient Tutor" }).waitFor()
    await assertFitsAndAccessible(page)
    await page.getByRole("link", { name: "Menu Planner" }).click()
    await field("Appeal: this item was suspended").fill("It does, since yesterday.")
    await press("Send the appeal")
    await page.getByText("An operator has not decided yet.").waitFor()
  })

  it("lists sales and refunds one after a question with the amount; shows reviews (CONSOLE-27, CONSOLE-28)", async () => {
    await go("/sales")
    await heading("Nothing is sold yet")
    await assertFitsAndAccessible(page)
    await go("/reviews")
    await heading("No reviews yet")
    const buyer = await market.fundedMember(20)
    const item = await market.listing(seller, "Chart Maker", 5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: item }), 201)
    const opinion = { rating: 4, comment: "Draws what I meant." }
    const reviewed = await buyer.post(`/v1/listings/${item}/reviews`, opinion)
    assert.isBelow(reviewed.status, 300, reviewed.text)
    await go("/reviews")
    await page.getByText("Draws what I meant.").waitFor()
    await assertFitsAndAccessible(page)
    await go("/sales")
    await page.getByText("5.00 USDT less 0.25 USDT fee").waitFor()
    await assertFitsAndAccessible(page)
    await press("Refund 5.00 USDT for Chart Maker")
    const dialog = page.getByRole("alertdialog", { name: "Refund 5.00 USDT?" })
    await dialog.getByText("4.75 USDT are taken from your earnings").waitFor()
    await assertFitsAndAccessible(page)
    await dialog.getByRole("button", { name: "Refund" }).click()
    await page.getByText("Refunded", { exact: true }).waitFor()
    assert.strictEqual((await market.balanceOf(buyer)).availableBalance, 20)
  })

  it("adds a domain with the text to publish, checks it and removes it (CONSOLE-29)", async () => {
    await go("/domains")
    await heading("No domains yet")
    await field("Domain").fill("localhost")
    await press("Add")
    await page.locator("[aria-invalid]").waitFor()
    assert.strictEqual(await field("Domain").inputValue(), "localhost")
    await field("Domain").fill("ada-seller.shop")
    await press("Add")
    await heading("ada-seller.shop")
    const [{ token } = { token: "" }] = dataOf<ReadonlyArray<{ token: string }>>(
      await seller.get("/api/v1/account/domains")
    )
    assert.strictEqual(
      await page.getByLabel("Text for ada-seller.shop", { exact: true }).textContent(),
      `agent-marketplace=${token}`
    )
    await assertFitsAndAccessible(page)
    await press("Remove ada-seller.shop")
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
    await heading("No domains yet")
    assert.lengthOf(dataOf<ReadonlyArray<unknown>>(await seller.get("/api/v1/account/domains")), 0)
  })
})
