import type { HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const users: HostUserSource = {
  recognise: ({ cookie = "" }) => {
    const name = /user=(\w+)/.exec(cookie)?.[1]
    const scope = /scope=(\w+)/.exec(cookie)?.[1] as "READ" | undefined
    return Effect.succeed(name === undefined ? null : { id: name, name, scope })
  }
}

const baseUrl = "http://market.test"
const document = "https://app.example.com/client.json"
const callback = "https://app.example.com/callback"

const market = startMarket({
  users,
  http: { baseUrl },
  documents: {
    [document]: { client_id: document, client_name: "Documented", redirect_uris: [callback], scope: "read buy" }
  }
})
const { send } = market
afterAll(market.stop)

const verifier = "v".repeat(43)

const authorize = async (clientId = document): Promise<string> => {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: "code",
    scope: "read buy",
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256"
  })
  const { headers, status } = await send("GET", `/oauth/authorize?${query}`)
  assert.strictEqual(status, 303)
  return new URL(headers.get("location") ?? "").searchParams.get("request") ?? ""
}

const as = (cookie: string) => ({ cookie, origin: baseUrl, "sec-fetch-site": "same-origin" })

const form = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
})

describe("a host's own users decide about applications (OAUTH-9, OAUTH-10, OAUTH-15, SESSION-19)", () => {
  it("a user with FULL decides by JSON, and the application acts for that user", async () => {
    const id = await authorize()
    const path = `/api/v1/oauth/requests/${id}`
    const seen = await send("GET", path, { headers: as("user=alice") })
    assert.deepInclude(seen.body.data.client, { id: document, name: "Documented", redirectHost: "app.example.com" })
    const refused = await send("POST", `${path}/decision`, {
      body: { approve: true },
      headers: as("user=alice; scope=READ")
    })
    assert.strictEqual(refused.status, 403)
    const foreign = await send("POST", `${path}/decision`, {
      body: { approve: true },
      headers: { ...as("user=alice"), origin: "https://evil.example.com", "sec-fetch-site": "cross-site" }
    })
    assert.strictEqual(foreign.status, 403)
    const decided = await send("POST", `${path}/decision`, { body: { approve: true }, headers: as("user=alice") })
    const code = new URL(decided.body.data.redirectTo).searchParams.get("code") ?? ""
    const tokens = await send(
      "POST",
      "/oauth/token",
      form({ grant_type: "authorization_code", client_id: document, code, code_verifier: verifier })
    )
    const account = await send("GET", "/api/v1/account", { key: tokens.body.access_token })
    assert.strictEqual(account.body.data.name, "alice")
  })

  it("the market has no page for approvals (APPROVAL-9)", async () => {
    for (const path of ["/approvals/apr_nothing", "/approvals/apr_nothing?again=1"]) {
      assert.strictEqual((await send("GET", path, { headers: as("user=alice") })).status, 404)
    }
  })

  it("on the market's page a user of the host decides, and there is no sign-in of the market", async () => {
    const id = await authorize()
    const stranger = await send("GET", `/oauth/consent?request=${id}&again=1`)
    assert.strictEqual(stranger.status, 401)
    assert.notInclude(stranger.text, "API key")
    const page = await send("GET", `/oauth/consent?request=${id}`, { headers: as("user=bob") })
    assert.strictEqual(page.status, 200, page.text)
    const token = /name="token"\s+value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const fields = { request: id, token, decision: "approve", scope: "read" }
    const forged = await send(
      "POST",
      "/oauth/consent",
      form(fields, { cookie: "user=bob", origin: "https://evil.example.com" })
    )
    assert.strictEqual(forged.status, 403)
    const decided = await send("POST", "/oauth/consent", form(fields, as("user=bob")))
    assert.strictEqual(decided.status, 303, decided.text)
    assert.match(decided.headers.get("location") ?? "", /^https:\/\/app\.example\.com\/callback\?code=amc_/)
    const signIn = await send("POST", "/oauth/sign-in", form({ request: id, credential: "x" }, as("")))
    assert.strictEqual(signIn.status, 403)
  })

  it("a client without a document is an error page", async () => {
    const { headers, status } = await send("GET", "/oauth/authorize?client_id=https://missing.example.com/client.json")
    assert.deepStrictEqual([status, headers.get("location")], [401, null])
  })
})
