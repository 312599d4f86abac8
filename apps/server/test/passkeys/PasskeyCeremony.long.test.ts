import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import { callback, discover, exchangeCode, register, startUrl } from "../oauth/Application.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

interface Answer {
  readonly status: number
  readonly body: { readonly data?: Record<string, unknown>; readonly error?: { readonly code: string } }
}

/** One request of a page of the service. */
const call = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([verb, url, sent]) => {
      const response = await fetch(url as string, {
        method: verb as string,
        headers: { "x-requested-with": "console", "content-type": "application/json" },
        ...(sent === null ? {} : { body: sent as string })
      })
      return { status: response.status, body: await response.json() }
    },
    [method, path, body === undefined ? null : JSON.stringify(body)]
  )

/** Requests options, lets the browser's authenticator answer them, and sends the answer. */
const ceremony = (page: Page, kind: "create" | "get", optionsPath: string, path: string): Promise<Answer> =>
  page.evaluate(
    async ([method, from, to]) => {
      const post = async (url: string, body: unknown) => {
        const response = await fetch(url, {
          method: "POST",
          headers: { "x-requested-with": "console", "content-type": "application/json" },
          body: JSON.stringify(body)
        })
        return { status: response.status, body: await response.json() }
      }
      const options = await post(from as string, {})
      if (options.status !== 200) return options
      // The types of the project are Node's.
      const browser = globalThis as unknown as {
        readonly PublicKeyCredential: Record<string, (json: unknown) => unknown>
        readonly navigator: {
          readonly credentials: Record<string, (options: unknown) => Promise<{ toJSON: () => unknown }>>
        }
      }
      const parse = method === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON"
      const publicKey = browser.PublicKeyCredential[parse]?.(options.body.data)
      const credential = await browser.navigator.credentials[method as string]?.({ publicKey })
      return post(to as string, credential?.toJSON())
    },
    [kind, optionsPath, path]
  )

const chromium = await openChromium()
if (chromium === undefined) console.warn("The passkey ceremony is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("a passkey in Chromium, with its virtual authenticator", () => {
  const browser = chromium as Chromium
  let server: RunningServer
  let market: Market
  let base: string

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" })
    base = server.baseUrl
    market = onMarket(server.baseUrl)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** A browser with an empty profile and an authenticator that has no passkey. */
  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true
      }
    })
    return page
  }

  it("a link signs in, a passkey is registered, signs in, confirms, and approves a purchase (PASSKEY-1, PASSKEY-3, PASSKEY-4, SESSION-6, SESSION-17)", async () => {
    const seller = await market.member({ seller: true })
    const buyer = await market.fundedMember(50)
    const item = await market.listing(seller, "Needs approval", 10)
    dataOf(await buyer.patch("/api/v1/wallet/policy", { autoApprove: false }))
    dataOf(await buyer.post("/api/v1/purchases", { skillId: item }), 201)
    const [approval] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/approvals?status=pending"))
    const { url } = dataOf<{ url: string }>(await buyer.post("/api/v1/sessions/links"), 201)
    assert.isTrue(url.startsWith(`${base}/sign-in#`))

    const page = await openPage()
    await page.goto(url)
    await page.getByRole("button", { name: "Sign in with this link" }).click()
    await page.getByText(`You are signed in as ${buyer.name}.`).waitFor()
    assert.notInclude(page.url(), "aml_")
    assert.strictEqual((await call(page, "GET", "/api/v1/account")).body.data?.["id"], buyer.id)

    const registered = await ceremony(page, "create", "/api/v1/passkeys/options", "/api/v1/passkeys")
    assert.strictEqual(registered.status, 201, JSON.stringify(registered.body))
    assert.strictEqual((await call(page, "DELETE", "/api/v1/sessions/current")).status, 200)
    assert.strictEqual((await call(page, "GET", "/api/v1/account")).status, 401)

    await page.goto(`${base}/sign-in`)
    await page.getByRole("button", { name: "Use a passkey" }).click()
    await page.getByText(`You are signed in as ${buyer.name}.`).waitFor()
    const approve = () => call(page, "POST", `/api/v1/approvals/${approval?.id}/approve`)
    assert.strictEqual((await approve()).body.error?.code, "STEP_UP_REQUIRED")
    const path = "/api/v1/sessions/current/step-up"
    const confirmed = await ceremony(page, "get", `${path}/options`, path)
    assert.strictEqual(confirmed.status, 200, JSON.stringify(confirmed.body))
    assert.isString(confirmed.body.data?.["elevatedUntil"])
    assert.strictEqual((await approve()).body.data?.["status"], "approved")

    // A second registration on the same authenticator is refused by the browser itself.
    const again = ceremony(page, "create", "/api/v1/passkeys/options", "/api/v1/passkeys")
    await again.then(
      () => assert.fail("the authenticator has a passkey of this account already"),
      (error: unknown) => assert.include(String(error), "InvalidStateError")
    )
  })

  /** A page that is signed in with a passkey of the account; the session is not elevated. */
  const signedInWithPasskey = async (member: Member): Promise<Page> => {
    const page = await openPage()
    const { url } = dataOf<{ url: string }>(await member.post("/api/v1/sessions/links"), 201)
    await page.goto(url)
    await page.getByRole("button", { name: "Sign in with this link" }).click()
    await page.getByText(`You are signed in as ${member.name}.`).waitFor()
    assert.strictEqual((await ceremony(page, "create", "/api/v1/passkeys/options", "/api/v1/passkeys")).status, 201)
    return page
  }

  it("an account with a passkey approves on the page of an approval, after a confirmation on /step-up that leads back (PASSKEY-10, APPROVAL-9)", async () => {
    const seller = await market.member({ seller: true })
    const buyer = await market.fundedMember(50)
    dataOf(await buyer.patch("/api/v1/wallet/policy", { autoApprove: false }))
    dataOf(await buyer.post("/api/v1/purchases", { skillId: await market.listing(seller, "Sorter", 10) }), 201)
    const [approval] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/approvals?status=pending"))
    const address = `${base}/approvals/${approval?.id}`
    const page = await signedInWithPasskey(buyer)
    await page.goto(address)
    assert.strictEqual(await page.getByRole("button", { name: "Approve" }).count(), 0)
    await page.getByRole("link", { name: "Confirm with a passkey" }).click()
    assert.strictEqual(page.url(), `${base}/step-up?approval=${approval?.id}`)
    await page.getByRole("button", { name: "Confirm with a passkey" }).click()
    await page.waitForURL(address)
    await page.getByRole("button", { name: "Approve" }).click()
    await page.getByText("The purchase was approved").waitFor()
  })

  it("an account with a passkey gives an application access on the consent page, signed in and confirmed with it (PASSKEY-10, OAUTH-10)", async () => {
    const owner = await market.member()
    const page = await signedInWithPasskey(owner)
    assert.strictEqual((await call(page, "DELETE", "/api/v1/sessions/current")).status, 200)
    const as = await discover(base)
    const registered = await register(owner)
    const started = await startUrl(as, registered.client_id)
    await page.goto(started.url.href)
    await page.getByRole("link", { name: "Use a passkey instead" }).click()
    await page.getByRole("button", { name: "Use a passkey" }).click()
    await page.getByRole("heading", { name: "Allow access?" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Allow" }).count(), 0)
    await page.getByRole("link", { name: "Confirm with a passkey" }).click()
    await page.getByRole("button", { name: "Confirm with a passkey" }).click()
    // The application does not exist, but the browser goes to it with the code.
    const arrival = page.waitForRequest((request) => request.url().startsWith(callback))
    await page.getByRole("button", { name: "Allow" }).click()
    const redirected = new URL((await arrival).url())
    assert.strictEqual(redirected.origin + redirected.pathname, callback)
    const client = { client_id: registered.client_id }
    assert.strictEqual((await exchangeCode(as, client, redirected, started)).status, 200)
  })

  it("/step-up leads to no other address, whatever its own address says (PASSKEY-10)", async () => {
    const page = await signedInWithPasskey(await market.member())
    for (const query of [
      "?approval=https://evil.example",
      "?approval=//evil.example",
      "?approval=apr_1/../../evil",
      "?request=oar_1%0a//evil.example",
      "?return=https://evil.example",
      "?request=javascript:alert(1)"
    ]) {
      await page.goto(`${base}/step-up${query}`)
      await page.getByRole("button", { name: "Confirm with a passkey" }).click()
      await page.getByText("Confirmed.").waitFor()
      assert.strictEqual(new URL(page.url()).pathname, "/step-up")
    }
  })
})
