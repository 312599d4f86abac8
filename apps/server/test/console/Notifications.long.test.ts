import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { pushSubscription } from "@agent-marketplace/fixtures/notifications/pushSubscription"
import { startMailServer } from "@agent-marketplace/fixtures/notifications/startMailServer"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { assertFitsAndAccessible } from "../fixtures/assertFitsAndAccessible.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

interface Channel {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly enabled: boolean
  readonly verified: boolean
  readonly digest: string
}

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of notifications is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("the notifications of the console in Chromium", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let owner: Member
  let mails: Awaited<ReturnType<typeof startMailServer>>
  let receiver: Receiver
  let page: Page
  let home: string

  beforeAll(async () => {
    mails = await startMailServer()
    receiver = await startReceiver()
    // Outside production, the simulated chain lets receivers be on loopback (WEBHOOK-11).
    const mail = { SMTP_URL: mails.url, SMTP_FROM: "market@shop.example" }
    server = await startServer({ DATABASE_URL: await createDatabase(), NODE_ENV: "development", ...mail })
    market = onMarket(server.baseUrl)
    owner = await market.member({ name: "Ada" })
    const context = await browser.newContext({ viewport: { width: 320, height: 800 } })
    page = await context.newPage()
    const origin = server.baseUrl.replace("127.0.0.1", "localhost")
    home = `${origin}/console`
    await context.grantPermissions(["notifications"], { origin })
    await page.goto(`${home}/notifications`)
    await page.getByLabel("API key").fill(owner.key)
    await page.getByRole("button", { name: "Sign in with the key" }).click()
    await page.getByRole("heading", { name: "You are not notified yet" }).waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await receiver.close()
    await mails.close()
    await server.stop()
  })

  /** The page has no accessibility violation in either theme, and is not wider than a small screen. */
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const dialog = () => page.getByRole("alertdialog")
  const channels = async () => dataOf<ReadonlyArray<Channel>>(await owner.get("/api/v1/account/notifications/channels"))

  /** A headless Chromium denies notifications and has no push service: the page gets a granted permission and a subscription whose endpoint is the test's receiver. */
  const replacePushService = async (subscription: object | "refused") => {
    await page.addInitScript((given) => {
      let present: object | null = null
      Object.assign(globalThis, { endSubscription: () => (present = null) })
      Object.defineProperty(Notification, "permission", { get: () => "granted" })
      Object.assign(PushManager.prototype, {
        getSubscription: () => Promise.resolve(present),
        subscribe: (options: { readonly applicationServerKey: Uint8Array; readonly userVisibleOnly: boolean }) => {
          if (given === "refused") return Promise.reject(new DOMException("push service error", "AbortError"))
          if (!options.userVisibleOnly || options.applicationServerKey.length !== 65)
            throw new TypeError("wrong options")
          present = {
            options: { applicationServerKey: options.applicationServerKey.buffer },
            expirationTime: null,
            toJSON: () => given,
            unsubscribe: () => Promise.resolve(((present = null), true))
          }
          return Promise.resolve(present)
        }
      })
    }, subscription)
    await page.reload()
    await page.getByRole("heading", { name: "Notifications", level: 1 }).waitFor()
  }

  it("adds an e-mail address with the keyboard alone; errors are beside their fields (CONSOLE-46, CONSOLE-47)", async () => {
    await assertFitsAndAccessible(page)
    await page.getByText("Add a channel", { exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Where").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.type("ada@b")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("E-mail address").getAttribute("aria-invalid"), "true")
    await assertFitsAndAccessible(page)
    await page.getByLabel("E-mail address").focus()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("ada@ada.dev")
    await page.keyboard.press("Enter")
    await page.getByLabel("Code sent to ada@ada.dev").focus()
    await assertFitsAndAccessible(page)
    await page.keyboard.type("00000000")
    await page.keyboard.press("Enter")
    await page.locator("[aria-invalid]").waitFor()
    await page.getByLabel("Code sent to ada@ada.dev").focus()
    await page.keyboard.press("ControlOrMeta+a")
    const [, code = ""] = /code is (\w{8})\./.exec(mails.received[0]?.text ?? "") ?? []
    await page.keyboard.type(code)
    await page.keyboard.press("Enter")
    await button("Send a test message: E-mail ada@ada.dev").waitFor()
    assert.deepInclude((await channels())[0], { kind: "email", verified: true, enabled: true })
    await button("Send a test message: E-mail ada@ada.dev").focus()
    await page.keyboard.press("Enter")
    await page.getByText("The test message was accepted.").waitFor()
    assert.strictEqual(mails.received.at(-1)?.header("Subject"), "This is a test of your notifications")
    await assertFitsAndAccessible(page)
  })

  it("adds a chat, refuses a private address beside its field, and changes when it is sent (CONSOLE-46, CONSOLE-47)", async () => {
    await page.getByLabel("Where").selectOption("Slack")
    await page.getByLabel("Webhook address").fill("https://10.0.0.1/hook")
    await button("Add the channel").click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Webhook address").getAttribute("aria-invalid"), "true")
    assert.strictEqual(await page.getByLabel("Webhook address").inputValue(), "https://10.0.0.1/hook")
    await page.getByLabel("Webhook address").fill(receiver.url)
    await button("Add the channel").click()
    const name = `Slack ${new URL(receiver.url).host}`
    await button(`Send a test message: ${name}`).click()
    await waitFor("the test message arrives", async () => receiver.received.length > 0)
    assert.include(receiver.received[0]?.body, "This channel works")
    await page.getByLabel(`When: ${name}`).selectOption("daily")
    await waitFor("the digest is saved", async () => (await channels())[0]?.digest === "daily")
    await button(`Turn off: ${name}`).click()
    await button(`Turn on: ${name}`).waitFor()
    assert.strictEqual(await button(`Send a test message: ${name}`).count(), 0)
    await assertFitsAndAccessible(page)
    await button(`Remove: ${name}`).click()
    await assertFitsAndAccessible(page)
    await dialog().getByRole("button", { name: "Remove" }).click()
    // The page behind an open dialog has no roles.
    await dialog().waitFor({ state: "detached" })
    await button(`Remove: ${name}`).waitFor({ state: "detached" })
    assert.lengthOf(await channels(), 1)
  })

  it("saves what the account is told (CONSOLE-48)", async () => {
    await page.getByLabel("A deposit arrived").focus()
    await page.keyboard.press("Space")
    await button("Save").click()
    await page.getByText("The choice is saved.").waitFor()
    const { preferences } = dataOf<{ preferences: Record<string, boolean> }>(
      await owner.get("/api/v1/account/notifications")
    )
    assert.deepInclude(preferences, { deposit: false, approval: true })
    await page.getByLabel("A deposit arrived").check()
    await button("Save").click()
    await page.getByText("The choice is saved.").waitFor()
    await assertFitsAndAccessible(page)
  })

  it("says in words that notifications are denied, or that the push service refuses; adds no channel (CONSOLE-50)", async () => {
    await page.getByText("This browser blocks notifications of this page.", { exact: false }).waitFor()
    assert.strictEqual(await button("Turn on in this browser").count(), 0)
    await replacePushService("refused")
    await button("Turn on in this browser").click()
    await page.getByRole("alert").getByText("did not accept the subscription", { exact: false }).waitFor()
    await assertFitsAndAccessible(page)
    assert.lengthOf(await channels(), 1)
  })

  it("turns push messages on and off, and says that a subscription has ended (CONSOLE-50)", async () => {
    const { auth, p256dh } = pushSubscription()
    await replacePushService({ endpoint: receiver.url, keys: { p256dh, auth } })
    await button("Turn on in this browser").click()
    await button("Turn off in this browser").waitFor()
    await assertFitsAndAccessible(page)
    assert.deepInclude((await channels())[0], { kind: "push", enabled: true, verified: true })
    const before = receiver.received.length
    await market.fund(owner, 5)
    await waitFor("a push message is sent", async () => receiver.received.length > before)
    // The link of an e-mail about the same deposit opens its page of the console (NOTIFY-8).
    await waitFor("an e-mail links to the wallet", async () =>
      mails.received.some(({ text }) => /http\S+\/console\/wallet\r?\n/.test(text))
    )
    await page.evaluate("endSubscription()")
    await page.reload()
    await page.getByText("The subscription of this browser has ended.", { exact: false }).waitFor()
    await assertFitsAndAccessible(page)
    await button("Turn on in this browser").click()
    await button("Turn off in this browser").click()
    await button("Turn on in this browser").waitFor()
    assert.deepStrictEqual(
      (await channels()).map(({ kind }) => kind),
      ["email"]
    )
  })

  it("the service worker shows each push message, and a click opens only pages of the market (CONSOLE-51)", async () => {
    const devtools = await page.context().newCDPSession(page)
    const scopes: Array<{ readonly registrationId: string; readonly scopeURL: string }> = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => scopes.push(...registrations))
    await devtools.send("ServiceWorker.enable")
    await waitFor("the worker is registered", async () => scopes.length > 0)
    const [{ registrationId, scopeURL } = assert.fail("no worker")] = scopes
    assert.strictEqual(scopeURL, `${home}/`)
    const deliver = (data: string) =>
      devtools.send("ServiceWorker.deliverPushMessage", { origin: new URL(home).origin, registrationId, data })
    // This Chromium shows no notifications, so the worker records what it would show and open.
    const worker = page.context().serviceWorkers()[0] ?? assert.fail("no worker")
    await worker.evaluate(() => {
      const record: { readonly shown: Array<object>; readonly opened: Array<string> } = { shown: [], opened: [] }
      Object.assign(globalThis, { record })
      const { clients, registration } = globalThis as unknown as { clients: object; registration: object }
      Object.assign(registration, {
        showNotification: (title: string, options: object) => Promise.resolve(record.shown.push({ title, ...options }))
      })
      Object.assign(clients, { openWindow: (url: string) => Promise.resolve(record.opened.push(url)) })
    })
    const recorded = () =>
      worker.evaluate(
        () =>
          (globalThis as unknown as { record: unknown }).record as {
            readonly shown: ReadonlyArray<{
              readonly title: string
              readonly body: string
              readonly tag: string
              readonly data: { readonly url: string }
            }>
            readonly opened: ReadonlyArray<string>
          }
      )
    const click = (data: unknown) =>
      worker.evaluate((given) => {
        const work: Array<Promise<unknown>> = []
        const notification = { data: given, close: () => undefined }
        const waitUntil = (each: Promise<unknown>) => work.push(each)
        const event = new Event("notificationclick")
        for (const [name, value] of Object.entries({ notification, waitUntil }))
          Object.defineProperty(event, name, { value })
        globalThis.dispatchEvent(event)
        return Promise.all(work).then(() => undefined)
      }, data)
    const message = (id: string, url: string) =>
      JSON.stringify({ id, urgent: false, title: "A deposit", body: "of 5.00 USDT has arrived", url })
    await deliver(message("ntc_1", `${home}/wallet`))
    await deliver(message("ntc_2", "https://evil.example/"))
    await deliver(message("ntc_3", "javascript:alert(1)"))
    await deliver("no JSON")
    await waitFor("all are shown", async () => (await recorded()).shown.length === 4)
    const { shown } = await recorded()
    assert.deepInclude(shown[0], { title: "A deposit", body: "of 5.00 USDT has arrived", tag: "ntc_1" })
    assert.deepStrictEqual(
      shown.map(({ data, tag }) => [tag, data.url]),
      [
        ["ntc_1", `${home}/wallet`],
        ["ntc_2", `${home}/`],
        ["ntc_3", `${home}/`],
        ["unreadable", `${home}/`]
      ]
    )
    await click({ url: `${home}/wallet` })
    await click({ url: "https://evil.example/" })
    await click(null)
    assert.deepStrictEqual((await recorded()).opened, [`${home}/wallet`, `${home}/`, `${home}/`])
  })
})
