import { accessibilityViolations } from "@agent-marketplace/fixtures/browser/accessibilityViolations"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { consolePages, everyVisit, openReady, signedIn } from "@agent-marketplace/fixtures/console/everyPage"
import type { Role, Visit } from "@agent-marketplace/fixtures/console/everyPage"
import { fillMarket } from "@agent-marketplace/fixtures/console/fillMarket"
import type { FilledMarket } from "@agent-marketplace/fixtures/console/fillMarket"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>
type Faults = ReadonlyArray<string>

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of every page is skipped: this system has no Chromium")

const roles = ["visitor", "owner", "seller", "operator"] as const
const minutes = 60_000

/** Pages that stand for the others while they load and after an error: cards, a list, a record, a chart, a queue. */
const waiting = ["/", "/wallet", "/spending", "/purchases/$id", "/webhooks", "/items", "/operator/queue"]

/** Waits until nothing has changed for a quarter of a second, two seconds at most, and the colors are painted. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise<void>((resolve) => {
      const end = () => resolve()
      setTimeout(end, 2000)
      let quiet = setTimeout(end, 250)
      new MutationObserver(() => {
        clearTimeout(quiet)
        quiet = setTimeout(end, 250)
      }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
    })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

/** A theme changes nothing but colors, so the dark one is checked for contrast only. */
const inBothThemes = async (page: Page): Promise<Faults> => {
  await settled(page)
  const light = await accessibilityViolations(page)
  await page.emulateMedia({ colorScheme: "dark" })
  await settled(page)
  const dark = await accessibilityViolations(page, ["color-contrast"])
  await page.emulateMedia({ colorScheme: "light" })
  return [...light, ...dark.map((fault) => `dark: ${fault}`)]
}

const tooWide = async (page: Page, when: string): Promise<Faults> => {
  const outside = await page.evaluate(() =>
    document.documentElement.scrollWidth > innerWidth
      ? [...document.querySelectorAll("main *")]
          .filter((element) => element.getBoundingClientRect().right > innerWidth)
          .map((element) => element.outerHTML.slice(0, 160))
      : undefined
  )
  return outside === undefined ? [] : [`is too wide ${when}: ${outside.slice(0, 3).join(" ")}`]
}

/** Shows the page on a small screen and then with text of twice the size. */
const narrow = async (page: Page): Promise<Faults> => {
  await page.setViewportSize({ width: 320, height: 800 })
  const small = await tooWide(page, "at 320 px")
  await page.setViewportSize({ width: 640, height: 800 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%"
    document.body.style.fontSize = "30px"
  })
  const large = await tooWide(page, "with large text")
  await page.setViewportSize({ width: 1280, height: 800 })
  return [...small, ...large]
}

const moving = async (page: Page): Promise<Faults> => {
  const elements = await page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element)
        return [animationDuration, transitionDuration].some((text) => Number.parseFloat(text) > 0.01)
      })
      .map((element) => element.outerHTML.slice(0, 80))
  )
  return elements.map((element) => `moves: ${element}`)
}

/** Asks the first question of the page, and returns what is wrong with it, or nothing if the page asks none. */
const askedBy = async (page: Page): Promise<Faults | undefined> => {
  const button = page.locator("main button.button-bad:enabled:visible").first()
  if ((await button.count()) === 0) return undefined
  await button.focus()
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("alertdialog")
  await dialog.or(page.locator("main [aria-invalid=true]")).first().waitFor()
  const faults = await inBothThemes(page)
  // A decision that needs a reason says so instead of asking.
  if ((await dialog.count()) === 0) return faults
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
  const isBack = await button.evaluate((element) => element === document.activeElement)
  return isBack ? faults : [...faults, "the focus is lost"]
}

/** Opens the page while the market does not answer, and then lets it fail. */
const whileItFails = async (page: Page, address: string): Promise<Faults> => {
  const session = /\/api\/v1\/sessions\/current$/
  let release = () => undefined as void
  const answered = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\//, async (route) => {
    if (session.test(route.request().url())) return route.continue()
    await answered
    const error = { code: "SERVICE_UNAVAILABLE", message: "The store does not answer.", details: {} }
    return route.fulfill({ status: 503, json: { success: false, error } }).catch(() => undefined)
  })
  await page.goto(address)
  await page.locator("h1, [role=status]").first().waitFor()
  const loading = await inBothThemes(page)
  release()
  await page.getByRole("alert").first().waitFor()
  const failed = await inBothThemes(page)
  await page.unroute(/\/api\//)
  return [...loading.map((fault) => `loading: ${fault}`), ...failed.map((fault) => `failed: ${fault}`)]
}

describe.skipIf(chromium === undefined)("every page of the console and the shop window", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let origin: string
  let market: FilledMarket
  let visits: ReadonlyArray<Visit>
  const titles = new Map<string, string>()
  let asked = 0

  beforeAll(async () => {
    server = await startServer({
      STORAGE: "memory",
      RATE_LIMITS: "off",
      TEST_CLOCK: "true",
      WITHDRAWAL_REVIEW_ABOVE: "100"
    })
    origin = server.baseUrl.replace("127.0.0.1", "localhost")
    market = await fillMarket(server.baseUrl, adminToken)
    visits = await everyVisit(browser, origin, market, adminToken)
  }, 10 * minutes)
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** Runs a check on these pages as one person, and collects what is wrong. */
  const onEach = async (
    role: Role,
    chosen: ReadonlyArray<Visit>,
    check: (page: Page, visit: Visit) => Promise<Faults>
  ): Promise<Faults> => {
    const faults: Array<string> = []
    // Without motion, the colors of a theme are there at once.
    const context = await signedIn(browser, origin, role, market, adminToken, { reducedMotion: "reduce" })
    const page = await context.newPage()
    for (const visit of chosen)
      for (const fault of await check(page, visit).catch((error: unknown) => [String(error)]))
        faults.push(`${visit.page}: ${fault}`)
    await context.close()
    return faults
  }

  const titled = async (page: Page, visit: Visit): Promise<Faults> => {
    const title = await page.title()
    const other = titles.get(title)
    titles.set(title, visit.page)
    const isNamed = /^\S.* · Agent Marketplace$/.test(title) || visit.page === "shop"
    return isNamed && (other === undefined || visit.page.includes("$"))
      ? []
      : [`has the title ${title}, also of ${other ?? "no other"}`]
  }

  it("is visited, also a page that is added to the table", async () => {
    const visited = new Set(visits.map(({ page }) => page))
    assert.deepStrictEqual(
      (await consolePages()).filter(({ path }) => !visited.has(path)),
      []
    )
  })

  it.each(roles)(
    "of a %s is accessible, light and dark, is titled, fits 320 pixels and large text, and can be still (CONSOLE-76, CONSOLE-77, CONSOLE-79, CONSOLE-80)",
    async (role) => {
      const own = visits.filter((visit) => visit.role === role)
      const faults = await onEach(role, own, async (page, visit) => {
        await openReady(page, origin + visit.address)
        const shown = [...(await titled(page, visit)), ...(await inBothThemes(page)), ...(await moving(page))]
        const question = await askedBy(page)
        if (question !== undefined) asked += 1
        return [...shown, ...(question ?? []).map((fault) => `question: ${fault}`), ...(await narrow(page))]
      })
      assert.deepStrictEqual(faults, [])
    },
    5 * minutes
  )

  // CONSOLE-78
  it("asks on eight pages at least", () => assert.isAtLeast(asked, 8))

  it(
    "is accessible when it is empty (CONSOLE-76)",
    async () => {
      const personal = visits.filter(({ page, role }) => !page.includes("$") && (role === "owner" || role === "seller"))
      const faults = await onEach("newcomer", personal, async (page, visit) => {
        await openReady(page, origin + visit.address)
        return accessibilityViolations(page)
      })
      assert.deepStrictEqual(faults, [])
    },
    5 * minutes
  )

  it(
    "is accessible while it loads and after the market did not answer (CONSOLE-76)",
    async () => {
      const faults: Array<string> = []
      for (const role of roles) {
        const own = visits.filter((visit) => visit.role === role && waiting.includes(visit.page))
        faults.push(...(await onEach(role, own, (page, { address }) => whileItFails(page, origin + address))))
      }
      assert.deepStrictEqual(faults, [])
    },
    5 * minutes
  )
})
