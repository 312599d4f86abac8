import type * as oauth from "oauth4webapi"
import { assert, beforeAll, describe, it } from "vitest"
import { signIn } from "../fixtures/Browser.ts"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { callback, discover, exchangeCode, openRequest, postForm, register, startUrl } from "./Application.ts"

/** How a page breaks its lines does not matter. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ")

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

describe("the pages where people decide (OAUTH-9, OAUTH-10, OAUTH-12, OAUTH-22)", () => {
  let server: SharedServer
  let market: Market
  let as: oauth.AuthorizationServer
  let owner: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    as = await discover(server.baseUrl)
    owner = await market.member({ name: "Ada <b>" })
  })

  const own = () => ({ origin: new URL(server.baseUrl).origin, "sec-fetch-site": "same-origin" })

  const load = async (path: string, cookie?: string) => {
    const response = await fetch(server.baseUrl + path, {
      redirect: "manual",
      headers: cookie === undefined ? {} : { cookie }
    })
    return { status: response.status, headers: response.headers, text: oneLine(await response.text()) }
  }

  /** The hidden fields of the form on a page. */
  const hiddenOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
        name,
        value
      ])
    )

  const submit = async (
    path: string,
    fields: ReadonlyArray<readonly [string, string]>,
    headers: Record<string, string>
  ) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value]))
    const response = await fetch(server.baseUrl + path, { method: "POST", redirect: "manual", body, headers })
    return { status: response.status, headers: response.headers, text: oneLine(await response.text()) }
  }

  const asked = async (metadata: object = {}) => {
    const registered = await register(owner, metadata)
    const started = await startUrl(as, registered.client_id)
    return { id: await openRequest(started.url), started, client: { client_id: registered.client_id } }
  }

  it("leads a person from the application over the sign-in to the decision and back, without a script", async () => {
    const { client, id, started } = await asked()
    const first = await load(`/oauth/consent?request=${id}`)
    assert.match(first.text, /http-equiv="refresh"/)
    const again = await load(`/oauth/consent?request=${id}&again=1`)
    assert.include(again.text, "Sign in")
    const wrong = await submit(
      "/oauth/sign-in",
      [
        ["request", id],
        ["credential", "amk_wrong"]
      ],
      own()
    )
    assert.strictEqual(wrong.status, 401)
    const signedIn = await submit(
      "/oauth/sign-in",
      [
        ["request", id],
        ["credential", owner.key]
      ],
      own()
    )
    assert.strictEqual(signedIn.status, 303)
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    assert.match(signedIn.headers.get("set-cookie") ?? "", /HttpOnly; SameSite=Strict/)
    const page = await load(new URL(signedIn.headers.get("location") ?? "").pathname + `?request=${id}`, cookie)
    for (const text of ["Shopping helper", "app.example.com", "Ada &lt;b&gt;"]) assert.include(page.text, text)
    for (const text of ["<script", "Ada <b>"]) assert.notInclude(page.text, text)
    assert.include(page.headers.get("content-security-policy") ?? "", "form-action 'self' https://app.example.com")

    const fields = [
      ...Object.entries(hiddenOf(page.text)),
      ["scope", "read"],
      ["scope", "buy"],
      ["decision", "approve"]
    ] as const
    const tooMuch = await submit("/oauth/consent", [...fields, ["perTransactionLimit", "9"], ["dailyLimit", "5"]], {
      ...own(),
      cookie
    })
    assert.strictEqual(tooMuch.status, 400)
    assert.include(tooMuch.text, "dailyLimit must be at least perTransactionLimit")
    const limits = [
      ["autoApprove", "true"],
      ["perTransactionLimit", "5"],
      ["dailyLimit", "10"]
    ] as const
    const decided = await submit("/oauth/consent", [...fields, ...limits], { ...own(), cookie })
    assert.strictEqual(decided.status, 303, decided.text)
    const redirectTo = new URL(decided.headers.get("location") ?? "")
    assert.strictEqual(redirectTo.origin + redirectTo.pathname, callback)
    assert.strictEqual((await exchangeCode(as, client, redirectTo, started)).status, 200)
    const [grant] = dataOf<ReadonlyArray<{ agentId: string }>>(await owner.get("/api/v1/oauth/grants"))
    const policy = dataOf<object>(await owner.get(`/api/v1/agents/${grant?.agentId}/policy`))
    assert.deepInclude(policy, { autoApprove: true, perTransactionLimit: 5, dailyLimit: 10, monthlyLimit: null })
  })

  it("a device's user types the code, and sees which application requests access", async () => {
    const registered = await register(owner, { redirect_uris: [], grant_types: [deviceGrant] })
    const started = (
      await postForm(as.device_authorization_endpoint ?? "", { client_id: registered.client_id, scope: "read" })
    ).body as { readonly user_code: string; readonly device_code: string }
    assert.strictEqual((await load("/oauth/code")).status, 200)
    assert.strictEqual((await load("/oauth/code?user_code=BBBB-BBBB")).status, 404)
    const found = await load(`/oauth/code?user_code=${started.user_code.toLowerCase()}`)
    const location = new URL(found.headers.get("location") ?? "")
    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const page = await load(location.pathname + location.search, cookie)
    assert.include(page.text, "Continue only if you have just started this")
    const fields = [...Object.entries(hiddenOf(page.text)), ["scope", "read"], ["decision", "approve"]] as const
    const done = await submit("/oauth/consent", fields, { ...own(), cookie })
    assert.include(done.text, "The device is connected")
    const tokens = await postForm(as.token_endpoint ?? "", {
      grant_type: deviceGrant,
      device_code: started.device_code,
      client_id: registered.client_id
    })
    assert.strictEqual(tokens.status, 200)
  })

  it("CSRF: a form of another site, another request or another session decides nothing (OAUTH-22)", async () => {
    const { id } = await asked()
    const other = await asked()
    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const stranger = await signIn(server.baseUrl, { apiKey: (await market.member()).key })
    const page = await load(`/oauth/consent?request=${id}`, cookie)
    const fields = [...Object.entries(hiddenOf(page.text)), ["scope", "read"], ["decision", "approve"]] as const
    const { token = "" } = hiddenOf(page.text)
    const forged: ReadonlyArray<readonly [ReadonlyArray<readonly [string, string]>, Record<string, string>]> = [
      [fields, { cookie }],
      [fields, { cookie, origin: "https://evil.example.com" }],
      [fields, { cookie, origin: "null" }],
      [fields, { cookie, origin: own().origin, "sec-fetch-site": "cross-site" }],
      [fields, { cookie, origin: own().origin, "sec-fetch-site": "same-site" }],
      [fields.filter(([name]) => name !== "token"), { ...own(), cookie }],
      [
        [
          ["request", other.id],
          ["token", token],
          ["scope", "read"],
          ["decision", "approve"]
        ],
        { ...own(), cookie }
      ],
      [fields, { ...own(), cookie: stranger.cookie }]
    ]
    for (const [form, headers] of forged) {
      const reply = await submit("/oauth/consent", form, headers)
      assert.strictEqual(reply.status, 403, JSON.stringify(headers))
    }
    const signedOut = await submit("/oauth/consent", fields, own())
    assert.strictEqual(signedOut.status, 401)
    const loginByOthers = await submit(
      "/oauth/sign-in",
      [
        ["request", id],
        ["credential", owner.key]
      ],
      {
        origin: "https://evil.example.com",
        "sec-fetch-site": "cross-site"
      }
    )
    assert.strictEqual(loginByOthers.status, 403)
    assert.isNull(loginByOthers.headers.get("set-cookie"))
    // The request still waits: nothing of the above decided it.
    assert.strictEqual((await load(`/oauth/consent?request=${id}`, cookie)).status, 200)
    const json = await fetch(`${server.baseUrl}/api/v1/oauth/requests/${id}/decision`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", origin: own().origin },
      body: JSON.stringify({ approve: true })
    })
    assert.strictEqual(json.status, 403)
  })

  it("deception: names are escaped and cut, and hidden characters cannot be registered (OAUTH-22)", async () => {
    const long = `<img src=x onerror=alert(1)>${"A".repeat(60)}`
    const { id } = await asked({ client_name: long })
    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const { text } = await load(`/oauth/consent?request=${id}`, cookie)
    assert.notInclude(text, "<img")
    assert.include(text, "&lt;img")
    assert.notInclude(text, "A".repeat(60))
    for (const name of ["Your\u202ebank", "Line\nbreak", " "]) {
      const reply = await owner.post("/api/v1/oauth/clients", { client_name: name, redirect_uris: [callback] })
      assert.strictEqual(reply.status, 400)
    }
  })

  it("a request ends after an hour, and a key cannot decide (OAUTH-9)", async () => {
    const { id } = await asked()
    const byKey = await owner.post(`/api/v1/oauth/requests/${id}/decision`, { approve: true })
    assert.strictEqual(byKey.status, 403)
    await market.advance(3601)
    assert.strictEqual((await load(`/oauth/consent?request=${id}`)).status, 404)
  })
})
