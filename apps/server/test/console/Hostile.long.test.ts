import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { failureOf } from "../fixtures/Client.ts"
import { makeHostileMarket } from "../fixtures/hostileMarket.ts"
import type { HostileMarket } from "../fixtures/hostileMarket.ts"
import { hostileTexts } from "../fixtures/hostileTexts.ts"
import { onMarket } from "../fixtures/Market.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

const widths = [1440, 320] as const

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of hostile data is skipped: this system has no Chromium")

/** What the page itself reports: scripts of strangers that ran, refused loads, dangerous attributes, and parts that are too wide. */
const inPage = () => {
  const state = globalThis as unknown as { __x?: unknown; __violations?: ReadonlyArray<string> }
  const found: Array<string> = []
  if (state.__x !== undefined) found.push("a script ran")
  if (({} as { x?: unknown }).x !== undefined) found.push("a prototype was changed")
  for (const each of state.__violations ?? []) found.push(`policy violated: ${each}`)
  for (const element of document.querySelectorAll("body *")) {
    for (const { name, value } of element.attributes) {
      if (/^on|^srcdoc$|^style$/.test(name) && name !== "style") found.push(`${element.tagName} has ${name}`)
      if (/^(?:href|src|action|formaction|data|poster)$/.test(name) && !/^(?:https?:|\/|#|data:image\/)/.test(value))
        found.push(`${element.tagName} leads to ${value}`)
    }
  }
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) {
    const widest = [...document.querySelectorAll("body *")]
      .filter((element) => element.scrollWidth > root.clientWidth && getComputedStyle(element).overflowX === "visible")
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`)
    found.push(`${root.scrollWidth} pixels wide instead of ${root.clientWidth}: ${widest.at(-1)}`)
  }
  return found
}

/** Records the violations of the page's policy, which no test could see afterwards. */
const watch = () => {
  const state = globalThis as unknown as { __violations: Array<string> }
  state.__violations = []
  document.addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
    state.__violations.push(`${violatedDirective} ${blockedURI}`)
  )
}

describe.skipIf(chromium === undefined)(
  "pages with the texts of an attacker, in Chromium (SHOP-13, CONSOLE-70)",
  () => {
    const browser = chromium as Chromium
    let server: RunningServer
    let hostile: HostileMarket
    let origin: string
    const visited = { pages: 0, shown: new Set<string>() }

    beforeAll(async () => {
      server = await startServer({
        DATABASE_URL: await createDatabase(),
        LISTING_REVIEW: "auto",
        OAUTH_DYNAMIC_REGISTRATION: "true"
      })
      origin = server.baseUrl.replace("127.0.0.1", "localhost")
      hostile = await makeHostileMarket(server.baseUrl)
    })
    afterAll(async () => {
      await browser.close()
      await server.stop()
      console.info(
        `${hostileTexts.length} texts, ${hostile?.stored} writes stored, ${visited.shown.size} texts shown on ${visited.pages} pages`
      )
    })

    /** A browser that counts what must not happen. */
    const openBrowser = async () => {
      const context = await browser.newContext({ viewport: { width: widths[0], height: 900 } })
      await context.addInitScript(watch)
      const page = await context.newPage()
      const found: Array<string> = []
      page.on("dialog", (dialog) => {
        found.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on("pageerror", (error) => found.push(`error: ${error.message}`))
      page.on("console", (message) => {
        // The operator's page of an item asks the shop for it, which does not show quarantined ones.
        const isKnown = /404 \(Not Found\)/.test(message.text()) && message.location().url.includes("/data/items/")
        if (message.type() === "error" && !isKnown) found.push(`console: ${message.text()} ${message.location().url}`)
      })
      page.on("request", (request) => {
        const url = request.url()
        if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) found.push(`request: ${url}`)
      })
      return { page, found }
    }
    /** Every problem of the page at both widths, after all rows are loaded. */
    const examine = async ({ found, page }: { readonly page: Page; readonly found: Array<string> }, at: string) => {
      const more = page.getByRole("button", { name: "Show more" })
      for (let n = 0; n < 4 && (await more.count()) > 0; n += 1) {
        // A list that is read again meanwhile may have become complete.
        await more
          .first()
          .click({ timeout: 5000 })
          .catch(async (error: unknown) => {
            if ((await more.count()) > 0) throw error
          })
        await page.waitForFunction(() => !document.body.innerText.includes("Loading…"))
      }
      for (const summary of await page.locator("main summary").all()) await summary.click()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        for (const each of await page.evaluate(inPage)) found.push(`${width}: ${each}`)
      }
      await page.setViewportSize({ width: widths[0], height: 900 })
      const shown = ((await page.locator("body").textContent()) ?? "").replace(/\s+/g, "")
      for (const each of hostileTexts) if (shown.includes(each.replace(/\s+/g, ""))) visited.shown.add(each)
      visited.pages += 1
      return found.splice(0).map((each) => `${at}: ${each}`)
    }
    const visit = async (opened: { readonly page: Page; readonly found: Array<string> }, path: string) => {
      await opened.page.goto(origin + path, { waitUntil: "load" })
      await opened.page.getByRole("heading", { level: 1 }).waitFor()
      await opened.page.waitForFunction(() => !document.body.innerText.includes("Loading…"))
      return examine(opened, path)
    }
    const visitAll = async (
      opened: { readonly page: Page; readonly found: Array<string> },
      paths: Iterable<string>
    ) => {
      const problems: Array<string> = []
      for (const path of new Set(paths)) problems.push(...(await visit(opened, path)))
      return problems
    }
    const signIn = async (page: Page, secret: string) => {
      await page.goto(`${origin}/console`)
      await page.getByLabel("API key or sign-in link").fill(secret)
      await page.getByRole("button", { name: "Sign in with the key" }).click()
      await page.getByRole("navigation", { name: "Console" }).waitFor()
    }
    /** The pages that the console's navigation and these pages lead to. */
    const linked = (page: Page): Promise<ReadonlyArray<string>> =>
      page
        .locator("a[href^='/console']")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))

    it("notices a page that runs, loads, breaks its policy or is too wide", async () => {
      const opened = await openBrowser()
      const policy = { "content-security-policy": "font-src 'none'" }
      const body = `<h1>x</h1><script>window.__x=1;alert(1);fetch("https://foreign.example/");console.error(1);new FontFace("a","url(/f)").load()</script>
      <p style="width:2000px">wide</p><img src=x onerror="0"><a href="javascript:0">x</a>`
      await opened.page.route(`${origin}/bad`, (route) =>
        route.fulfill({ body, headers: { ...policy, "content-type": "text/html" } })
      )
      await opened.page.goto(`${origin}/bad`)
      const found = (await examine(opened, "bad")).join("\n")
      for (const part of ["dialog", "a script ran", "request: https://foreign", "console:", "policy violated", "wide"])
        assert.include(found, part)
      assert.include(found, "IMG has onerror")
      assert.include(found, "A leads to javascript:0")
      await opened.page.context().close()
    })

    it("refuses texts that no page could show: NUL and halves of characters (TEXT-1)", async () => {
      for (const text of ["a\u0000b", "a\ud800b"])
        failureOf(
          await onMarket(server.baseUrl).operator.post("/api/v1/accounts", { name: text }),
          400,
          "VALIDATION_ERROR"
        )
    })

    it("shop window", async () => {
      const opened = await openBrowser()
      const searches = [3, 40, 99, 151, 207, 301, 420, 555].map(
        (n) =>
          `/search?q=${encodeURIComponent(hostileTexts[n] ?? "")}&sort=${encodeURIComponent(hostileTexts[n + 1] ?? "")}`
      )
      const paths = [
        "/",
        "/search",
        `/creators/${hostile.seller.id}`,
        ...searches,
        ...hostile.shown.map((id) => `/items/${id}`),
        ...hostile.souls.map((slug) => `/items/${slug}`)
      ]
      assert.deepStrictEqual(await visitAll(opened, paths), [])
      await opened.page.context().close()
    })

    it("console of the owner, and consent", async () => {
      const opened = await openBrowser()
      await signIn(opened.page, hostile.owner.key)
      opened.found.splice(0)
      const paths = new Set(await linked(opened.page))
      for (const path of ["/console/agents", "/console/purchases"]) {
        await visitAll(opened, [path])
        for (const each of (await linked(opened.page)).filter((link) => link.startsWith(`${path}/`)).slice(0, 8))
          paths.add(each)
      }
      const consent = hostile.requests.map((id) => `/console/consent?request=${id}`)
      const buy = hostile.listings.slice(20, 23).map((id) => `/console/buy/${id}`)
      assert.deepStrictEqual(await visitAll(opened, [...paths, ...consent, ...buy]), [])
      await opened.page.context().close()
    })

    it("console of the seller", async () => {
      const opened = await openBrowser()
      await signIn(opened.page, hostile.seller.key)
      opened.found.splice(0)
      const paths = [
        ...(await linked(opened.page)),
        ...hostile.listings.slice(0, 8).flatMap((id) => [`/console/items/${id}`, `/console/items/${id}/edit`]),
        ...hostile.souls.slice(0, 4).flatMap((slug) => [`/console/souls/${slug}`, `/console/souls/${slug}/edit`])
      ]
      assert.deepStrictEqual(await visitAll(opened, paths), [])
      await opened.page.context().close()
    })

    it("console of the operator", async () => {
      const opened = await openBrowser()
      const { operator } = onMarket(server.baseUrl)
      const account = `/api/v1/admin/accounts/${hostile.seller.id}`
      assert.strictEqual((await operator.post(`${account}/freeze`, { reason: hostileTexts[7] })).status, 200)
      await signIn(opened.page, adminToken)
      opened.found.splice(0)
      const paths = [
        ...(await linked(opened.page)),
        `/console/operator/accounts/${hostile.seller.id}`,
        `/console/operator/accounts/${hostile.owner.id}`,
        ...hostile.listings.slice(0, 4).map((id) => `/console/operator/items/${id}`)
      ]
      assert.deepStrictEqual(await visitAll(opened, paths), [])
      await opened.page.context().close()
    })

    it("at least 500 of the texts were seen on a page as they were written", () => {
      assert.isAtLeast(hostileTexts.length, 500)
      assert.isAtLeast(visited.shown.size, 500)
    })
  }
)
