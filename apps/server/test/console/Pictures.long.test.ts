import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { png, pngBomb } from "@agent-marketplace/fixtures/images/png"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

interface Stored {
  readonly kind: string
  readonly alt: string
}

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of pictures is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("pictures of a listing in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let seller: Member
  let page: Page
  let listing: string
  let slug: string

  const at = (path: string) => server.baseUrl.replace("127.0.0.1", "localhost") + path
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const press = (name: string) => button(name).click()
  const card = () => page.getByRole("region", { name: "Pictures", exact: true })
  const choose = (...files: ReadonlyArray<readonly [name: string, mimeType: string, bytes: Uint8Array]>) =>
    page
      .getByLabel("Drop pictures here, or choose files")
      .setInputFiles(files.map(([name, mimeType, bytes]) => ({ name, mimeType, buffer: Buffer.from(bytes) })))
  const chosen = (name: string) => page.getByRole("form", { name, exact: true })
  const said = (text: string) => card().getByRole("status").getByText(text).waitFor()
  const refusedFor = (text: string) => card().getByRole("alert").getByText(text).first().waitFor()
  const stored = async () =>
    bodyOf<{ readonly images: ReadonlyArray<Stored> }>(await seller.get(`/v1/listings/${listing}/images`), 200).images
  /** Whether the pictures of the page were loaded, after each was scrolled to. */
  const areLoaded = async () => {
    for (const image of await page.locator("img").all()) {
      await image.scrollIntoViewIfNeeded()
      await image.evaluate((element) => (element as unknown as { decode: () => Promise<void> }).decode())
    }
  }

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "off" })
    const market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true, name: "Ada" })
    listing = await market.listing(seller, "Mail Sorter", 5)
    ;({ slug } = dataOf<{ slug: string }>(await seller.get(`/api/v1/skills/${listing}`)))
    page = await (await browser.newContext({ viewport: { width: 320, height: 800 } })).newPage()
    await page.goto(at(`/console/items/${listing}`))
    await page.getByLabel("API key").fill(seller.key)
    await press("Sign in with the key")
    await card().getByText("No pictures yet.").waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  it("refuses files of another kind and of another size before they are sent (IMAGE-16)", async () => {
    await assertFitsAndAccessible(page)
    await choose(["notes.txt", "text/plain", Buffer.from("text")], ["big.png", "image/png", Buffer.alloc(5_242_881)])
    await refusedFor("notes.txt is not a PNG, a JPEG or a WebP")
    await refusedFor("big.png is larger than 5 MiB")
    assert.deepStrictEqual(await stored(), [])
  })

  it("shows a preview, and keeps the description of a picture that the market refuses (IMAGE-16)", async () => {
    await choose(["huge.png", "image/png", pngBomb(20_000, 20_000)])
    const form = chosen("huge.png")
    await form.getByLabel("Description").fill("A list of mails")
    await form.getByRole("button", { name: "Upload" }).click()
    await refusedFor("The picture is 20000 × 20000 pixels: each side must have at most 10000.")
    assert.strictEqual(await form.getByLabel("Description").inputValue(), "A list of mails")
    await assertFitsAndAccessible(page)
    await form.getByRole("button", { name: "Discard" }).click()
    await form.waitFor({ state: "detached" })
  })

  it("uploads a thumbnail and screenshots, of which one is dropped (IMAGE-16)", async () => {
    await choose(
      ["cover.png", "image/png", png(800, 450, [200, 90, 40])],
      ["one.png", "image/png", png(800, 450, [40, 90, 200])]
    )
    await chosen("cover.png").getByLabel("Used as").selectOption("thumbnail")
    await chosen("cover.png").getByRole("button", { name: "Upload" }).click()
    await said("cover.png is uploaded as a thumbnail.")
    await chosen("one.png").getByLabel("Description").fill("The first view")
    await chosen("one.png").getByLabel("Description").press("Enter")
    await said("one.png is uploaded as a screenshot.")
    const transfer = await page.evaluateHandle(
      (text) => {
        const data = new DataTransfer()
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
        data.items.add(new File([bytes], "two.png", { type: "image/png" }))
        return data
      },
      Buffer.from(png(450, 800, [40, 160, 90])).toString("base64")
    )
    await page.getByText("Drop pictures here, or choose files").dispatchEvent("drop", { dataTransfer: transfer })
    await chosen("two.png").getByRole("button", { name: "Upload" }).click()
    await said("two.png is uploaded as a screenshot.")
    assert.deepStrictEqual(
      (await stored()).map(({ alt, kind }) => [kind, alt]),
      [
        ["thumbnail", ""],
        ["screenshot", "The first view"],
        ["screenshot", ""]
      ]
    )
    await card().getByRole("img", { name: "The first view" }).waitFor()
    await areLoaded()
    await assertFitsAndAccessible(page)
  })

  it("describes and moves pictures with the keyboard, and the focus stays (IMAGE-16)", async () => {
    const description = page.getByLabel("Description of screenshot 2")
    await description.fill("The second view")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await said("Screenshot 2 is described.")
    await button("Move Screenshot 2 earlier").focus()
    await page.keyboard.press("Enter")
    await said("Screenshot 2 has place 1 of 2 now.")
    await button("Move Screenshot 1 earlier").and(page.locator(":focus")).waitFor()
    assert.deepStrictEqual(
      (await stored()).map(({ alt }) => alt),
      ["", "The second view", "The first view"]
    )
  })

  it("shows them in the shop, where each screenshot leads to its full size (IMAGE-15)", async () => {
    const wide = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    const console_ = page
    page = wide
    for (const [path, name] of [
      ["/", ""],
      [`/search`, ""],
      [`/creators/${seller.id}`, ""],
      [`/items/${slug}`, "The first view"]
    ] as const) {
      await page.goto(at(path))
      if (name !== "") await page.getByRole("link", { name, exact: true }).focus()
      assert.isAbove(await page.locator("img").count(), 0, path)
      await areLoaded()
      await assertFitsAndAccessible(page)
    }
    const opened = page.context().waitForEvent("page")
    await page.keyboard.press("Enter")
    const full = await opened
    await full.waitForLoadState()
    assert.strictEqual(
      await full.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      800
    )
    page = console_
    await wide.close()
  })

  it("says that a listing has the most screenshots, and removes one after a question (IMAGE-16)", async () => {
    for (let n = 1; n <= 6; n++) {
      const sent = await seller.post(`/v1/listings/${listing}/images`, png(100, 100, [n, n, n]), {
        "content-type": "image/png"
      })
      assert.strictEqual(sent.status, 201)
    }
    await choose(["ninth.png", "image/png", png(100, 100, [90, 90, 90])])
    await chosen("ninth.png").getByLabel("Description").fill("One more")
    await chosen("ninth.png").getByRole("button", { name: "Upload" }).click()
    await refusedFor("This item has 8 screenshots already. Remove one first.")
    await press("Remove Screenshot 1")
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click()
    assert.strictEqual((await stored()).length, 9)
    await press("Remove Screenshot 1")
    await page
      .getByRole("alertdialog", { name: "Remove screenshot 1?" })
      .getByRole("button", { name: "Remove" })
      .click()
    await said("Screenshot 1 is removed.")
    assert.strictEqual(await chosen("ninth.png").getByLabel("Description").inputValue(), "One more")
    await chosen("ninth.png").getByRole("button", { name: "Upload" }).click()
    await said("ninth.png is uploaded as a screenshot.")
    assert.strictEqual((await stored()).at(-1)?.alt, "One more")
  })
})
