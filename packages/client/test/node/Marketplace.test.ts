import { Marketplace as PortableMarketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Marketplace } from "@agent-marketplace/client/node"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import type { Bought } from "./fixtures/boughtSkill.ts"
import { fetchOf } from "./fixtures/boughtSkill.ts"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

let sources: Sources
let installDir: string

beforeEach(async () => {
  sources = await startSources()
  installDir = join(await mkdtemp(join(tmpdir(), "buys-")), "skills")
})
afterEach(async () => {
  await sources.stop()
  await rm(join(installDir, ".."), { recursive: true })
})

/** Settings of the market, besides its responses. */
const optionsFor = (bought: Bought, bodies: Array<unknown> = []) => {
  const answer = fetchOf([bought])
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (init?.method === "POST") bodies.push(typeof init.body === "string" ? JSON.parse(init.body) : undefined)
    return answer(url, init)
  }
  return {
    apiKey: "amk_test",
    baseUrl: "https://market.example",
    maxRetries: 0,
    fetch,
    installs: { allowLoopback: true }
  }
}

const mailSorter = () => ({ slug: "mail-sorter", installUrl: `${sources.url}/SKILL.md` })

describe("skills.buy with autoInstall (CLIENT-9)", () => {
  it("returns installedPath and a message in addition to the result of every purchase (INSTALL-1)", async () => {
    sources.pages.set("/SKILL.md", { body: "# Mail Sorter\n" })
    const bodies: Array<unknown> = []
    const market = new Marketplace(optionsFor(mailSorter(), bodies))
    const { message, ...bought } = await market.skills.buy({ skillId: "lst_1", autoInstall: true, installDir })
    assert.deepStrictEqual(bought, {
      purchaseId: "pur_mail-sorter",
      skillId: "lst_1",
      licenseKey: "ABCDE-ABCDE-ABCDE-ABCDE-ABCDE",
      status: "completed",
      installedPath: join(installDir, "mail-sorter")
    })
    assert.match(message ?? "", /^mail-sorter sha256:[0-9a-f]{64} is installed$/)
    assert.strictEqual(await readFile(join(installDir, "mail-sorter/SKILL.md"), "utf8"), "# Mail Sorter\n")
    assert.deepStrictEqual(bodies, [{ skillId: "lst_1", autoInstall: true }])
  })

  it("a SOUL is installed as SOUL.md, with the version of its release (INSTALL-19)", async () => {
    const soul = { slug: "tutor", id: "soul_1", soul: { content: "# SOUL\n", version: 3 } }
    const market = new Marketplace({ ...optionsFor(soul), installDir })
    const { installedPath = "", message } = await market.skills.buy({ skillId: "soul_1", autoInstall: true })
    assert.deepStrictEqual([installedPath, message], [join(installDir, "tutor"), "tutor 3.0.0 is installed"])
    assert.strictEqual(await readFile(join(installedPath, "SOUL.md"), "utf8"), "# SOUL\n")
  })

  it("a failed install leaves the purchase unchanged: no installedPath, and the message has the reason (INSTALL-5)", async () => {
    const reasons: ReadonlyArray<readonly [Bought, RegExp]> = [
      [mailSorter(), /^bought, but not installed: "127\.0\.0\.1:\d+" responded with HTTP 404$/],
      [
        { slug: "x", installUrl: "ext::sh -c evil" },
        /^bought, but not installed: the source ".*" must be an HTTPS URL$/
      ],
      [{ slug: "x", installUrl: null }, /^bought, but not installed: its seller gives nothing to install it from$/]
    ]
    for (const [sold, reason] of reasons) {
      const { installedPath, message, status } = await new Marketplace(optionsFor(sold)).skills.buy({
        skillId: "lst_1",
        autoInstall: true,
        installDir
      })
      assert.deepStrictEqual([status, installedPath], ["completed", undefined])
      assert.match(message ?? "", reason)
      assert.deepStrictEqual(await readdir(installDir), [])
    }
  })

  it("an abort after the purchase ends the install, not the purchase", async () => {
    const controller = new AbortController()
    sources.pages.set("/SKILL.md", { answer: () => controller.abort(new Error("enough")) })
    const market = new Marketplace(optionsFor(mailSorter()))
    const order = { skillId: "lst_1", autoInstall: true, installDir }
    const { message, status } = await market.skills.buy(order, { signal: controller.signal })
    assert.deepStrictEqual([status, message], ["completed", "bought, but not installed: enough"])
    assert.deepStrictEqual(await readdir(installDir), [])
  })

  it("a purchase that awaits approval, or without autoInstall, is not installed", async () => {
    const waiting = { ...mailSorter(), purchase: { status: "pending" as const, licenseKey: null } }
    const order = { skillId: "lst_1", autoInstall: true, installDir }
    const { installedPath, status } = await new Marketplace(optionsFor(waiting)).skills.buy(order)
    assert.deepStrictEqual([status, installedPath], ["pending_approval", undefined])
    const bought = await new Marketplace(optionsFor(mailSorter())).skills.buy({ skillId: "lst_1", installDir })
    assert.notProperty(bought, "installedPath")
    assert.notProperty(bought, "message")
    assert.deepStrictEqual(sources.requests, [])
  })

  it("a failed purchase rejects as without autoInstall", async () => {
    const fetch = async () => Response.json({ success: false, error: { code: "LISTING_NOT_FOUND" } }, { status: 404 })
    const market = new Marketplace({ ...optionsFor(mailSorter()), fetch })
    const error = await market.skills.buy({ skillId: "lst_2", autoInstall: true }).catch((thrown: unknown) => thrown)
    assert.instanceOf(error, MarketplaceError)
  })

  it("the portable client buys, and reports that nothing was installed", async () => {
    const { message, status } = await new PortableMarketplace(optionsFor(mailSorter())).skills.buy({
      skillId: "lst_1",
      autoInstall: true
    })
    assert.strictEqual(status, "completed")
    assert.match(message ?? "", /not installed: autoInstall needs the client of @agent-marketplace\/client\/node/)
    assert.deepStrictEqual(sources.requests, [])
  })
})
