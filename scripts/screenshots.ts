/**
 * Takes a picture of every page of the console and the shop window at three widths, light and dark, in `screenshots/`, and renews the
 * pictures of the documents in `docs/images`: `npm run screenshots [-- <part of a page's path, or docs>]`.
 */
import { spawn } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import {
  consolePages,
  everyVisit,
  openReady,
  plainVisits,
  signedIn
} from "@agent-marketplace/fixtures/console/everyPage"
import type { Role, Visit } from "@agent-marketplace/fixtures/console/everyPage"
import { fillMarket } from "@agent-marketplace/fixtures/console/fillMarket"
import type { FilledMarket } from "@agent-marketplace/fixtures/console/fillMarket"
import { repository } from "./packages/publicPackages.ts"

const adminToken = "operator-token-for-screenshots-0123456789"
const folder = join(repository, "screenshots")
const widths = [390, 834, 1440] as const
const themes = ["light", "dark"] as const

/** The pictures of README and docs: a page, the size of the window and the theme. */
const shown = [
  { file: "shop", page: "shop", width: 1280, height: 800, colorScheme: "light" },
  { file: "inbox", page: "/", width: 390, height: 720, colorScheme: "dark" },
  { file: "limits", page: "/limits", width: 1280, height: 800, colorScheme: "light" }
] as const

const startServer = async (): Promise<{ readonly origin: string; readonly stop: () => void }> => {
  const env = {
    PATH: process.env["PATH"],
    STORAGE: "memory",
    DATA_DIR: await mkdtemp(join(tmpdir(), "screenshots-")),
    HOST: "127.0.0.1",
    PORT: "0",
    ADMIN_TOKEN: adminToken,
    RATE_LIMITS: "off",
    TEST_CLOCK: "true",
    WITHDRAWAL_REVIEW_ABOVE: "100",
    SOUL_CONTENT: "licensed"
  }
  const server = spawn(process.execPath, [join(repository, "apps/server/src/main.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const stop = () => void server.kill("SIGKILL")
  process.once("exit", stop)
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ""
    server.once("exit", () => reject(new Error(`the server ended: ${said}`)))
    server.stdout.on("data", (chunk) => {
      said = (said + String(chunk)).slice(-65_536)
      const [, found] = /is ready at (https?:\/\/\S+)\n/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  return { origin: origin.replace("127.0.0.1", "localhost"), stop }
}

const nameOf = (page: string): string => page.replaceAll(/^\/|\$/g, "").replaceAll("/", "-") || "inbox"

/** Takes the pictures of what one person sees; returns the pages. */
const picture = async (
  browser: Chromium,
  origin: string,
  market: FilledMarket,
  role: Role,
  visits: ReadonlyArray<Visit>
): Promise<ReadonlyArray<string>> => {
  const taken: Array<string> = []
  for (const colorScheme of themes) {
    const context = await signedIn(browser, origin, role, market, adminToken, { colorScheme, locale: "en-GB" })
    const page = await context.newPage()
    await page.clock.setSystemTime(market.now)
    for (const visit of visits) {
      await page.setViewportSize({ width: widths[0], height: 844 })
      await openReady(page, origin + visit.address)
      for (const width of widths) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        const path = join(folder, `${role}-${nameOf(visit.page)}-${width}-${colorScheme}.png`)
        await page.screenshot({ path, fullPage: true, animations: "disabled" })
      }
      taken.push(visit.page)
    }
    await context.close()
  }
  return taken
}

const renewShown = async (
  browser: Chromium,
  origin: string,
  market: FilledMarket,
  visits: ReadonlyArray<Visit>
): Promise<void> => {
  await mkdir(join(repository, "docs/images"), { recursive: true })
  for (const { colorScheme, file, height, page: path, width } of shown) {
    const visit = visits.find(({ page }) => page === path)
    if (visit === undefined) throw new Error(`no page ${path} for the picture ${file}`)
    const options = { colorScheme, locale: "en-GB", viewport: { width, height } }
    const context = await signedIn(browser, origin, visit.role, market, adminToken, options)
    const page = await context.newPage()
    await page.clock.setSystemTime(market.now)
    await openReady(page, origin + visit.address)
    await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => undefined)
    await page.screenshot({ path: join(repository, "docs/images", `${file}.png`), animations: "disabled" })
    await context.close()
  }
}

const pictureAll = async (browser: Chromium, origin: string, market: FilledMarket, part: string): Promise<void> => {
  const all = await everyVisit(browser, origin, market, adminToken)
  const visits = all.filter(({ page }) => page.includes(part))
  if (part === "") await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const taken: Array<string> = []
  for (const role of ["visitor", "owner", "seller", "operator"] as const) {
    const own = visits.filter((visit) => visit.role === role)
    taken.push(...(await picture(browser, origin, market, role, own)))
  }
  // A newcomer sees how empty lists teach.
  const empty = visits.filter(({ page, role }) => !page.includes("$") && (role === "owner" || role === "seller"))
  if (part === "") await picture(browser, origin, market, "newcomer", empty)
  const missing = (await consolePages()).filter(({ path }) => path.includes(part) && !taken.includes(path))
  if (missing.length > 0) throw new Error(`no picture of ${missing.map(({ path }) => path).join(", ")}`)
  console.log(`${new Set(taken).size} pages are in ${folder}`)
}

const browser = await openChromium()
if (browser === undefined) throw new Error("this system has no Chromium")
const { origin, stop } = await startServer()
const market = await fillMarket(origin, adminToken)
const [part = ""] = process.argv.slice(2)
if (part === "" || part === "docs") await renewShown(browser, origin, market, await plainVisits(market))
if (part !== "docs") await pictureAll(browser, origin, market, part)
await browser.close()
stop()
process.exit(0)
