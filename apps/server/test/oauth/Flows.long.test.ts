import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as oauth from "oauth4webapi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import type { Client } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import {
  connect,
  discover,
  exchangeCode,
  insecure,
  oauthErrorOf,
  openRequest,
  postForm,
  register,
  startUrl
} from "./Application.ts"
import { consentOf } from "./Person.ts"

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

interface Grant {
  readonly id: string
  readonly agentId: string
  readonly client: { readonly id: string; readonly name: string }
  readonly scopes: ReadonlyArray<string>
}

describe("an outside client runs every flow (OAUTH-1 to OAUTH-20)", () => {
  let server: RunningServer
  let market: Market
  let as: oauth.AuthorizationServer

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      TEST_CLOCK: "true",
      OAUTH_DYNAMIC_REGISTRATION: "true"
    })
    market = onMarket(server.baseUrl, { testClock: true })
    as = await discover(server.baseUrl)
  })
  afterAll(() => server?.stop())

  const person = (owner: Member) => consentOf(server.baseUrl, owner)

  const buy = (api: Client, skillId: string) => api.post("/api/v1/purchases", { skillId })

  const grantsOf = async (owner: Member) => dataOf<ReadonlyArray<Grant>>(await owner.get("/api/v1/oauth/grants"))

  it("the metadata lead from a refused request to the authorization server (OAUTH-1, OAUTH-2)", async () => {
    for (const [path, metadata] of [
      ["/api/v1/account", "/.well-known/oauth-protected-resource"],
      ["/mcp", "/.well-known/oauth-protected-resource/mcp"]
    ] as const) {
      const refused =
        path === "/mcp" ? await makeClient(server.baseUrl).post(path, {}) : await makeClient(server.baseUrl).get(path)
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(
        refused.headers.get("www-authenticate"),
        `Bearer resource_metadata="${server.baseUrl}${metadata}"`
      )
      const resource = new URL(path === "/mcp" ? `${server.baseUrl}/mcp` : server.baseUrl)
      const response = await oauth.resourceDiscoveryRequest(resource, insecure)
      const found = await oauth.processResourceDiscoveryResponse(resource, response)
      assert.deepStrictEqual(found.authorization_servers, [server.baseUrl])
    }
    assert.strictEqual(as.issuer, server.baseUrl)
    const openid = await makeClient(server.baseUrl).get("/.well-known/openid-configuration")
    assert.deepStrictEqual(openid.body, { ...as })
  })

  it("a person sets the limits of an application, which then buys within them (OAUTH-6, OAUTH-9, OAUTH-10, OAUTH-14)", async () => {
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(100)
    const [cheap, dear] = [await market.listing(seller, "Cheap", 4), await market.listing(seller, "Dear", 20)]
    const registered = await register(owner)
    const { started, requestId } = await startUrl(as, registered.client_id).then(async (url) => ({
      started: url,
      requestId: await openRequest(url.url)
    }))
    const { decide, request, tryDecide } = await person(owner)
    assert.deepInclude(dataOf<object>(await request(requestId)), {
      id: requestId,
      client: { id: registered.client_id, name: "Shopping helper", redirectHost: "app.example.com" },
      scopes: ["read", "buy"],
      resource: server.baseUrl
    })
    const policy = { autoApprove: true, perTransactionLimit: 5, dailyLimit: 10 }
    const redirectTo = new URL(await decide(requestId, { approve: true, policy }))
    assert.strictEqual(redirectTo.searchParams.get("iss"), server.baseUrl)
    failureOf(await tryDecide(requestId, { approve: false }), 409, "CONFLICT")
    const client = { client_id: registered.client_id }
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await exchangeCode(as, client, redirectTo, started)
    )
    assert.match(tokens.access_token, /^amt_[A-Za-z0-9_-]{43}$/)
    assert.deepStrictEqual([tokens.expires_in, tokens.scope], [3600, "read buy"])

    const api = makeClient(server.baseUrl, tokens.access_token)
    assert.strictEqual(dataOf<{ id: string }>(await api.get("/api/v1/account")).id, owner.id)
    assert.strictEqual((await buy(api, cheap)).status, 201)
    failureOf(await buy(api, dear), 403, "SPENDING_LIMIT_EXCEEDED")
    const [grant] = await grantsOf(owner)
    assert.deepInclude(grant, {
      client: { id: registered.client_id, name: "Shopping helper" },
      scopes: ["read", "buy"]
    })
    const agent = dataOf<object>(await owner.get(`/api/v1/agents/${grant?.agentId}`))
    assert.deepInclude(agent, { name: "Shopping helper", source: "oauth", claimed: true })
    const stored = dataOf<object>(await owner.get(`/api/v1/agents/${grant?.agentId}/policy`))
    assert.deepInclude(stored, { autoApprove: true, perTransactionLimit: 5, dailyLimit: 10 })
  })

  it("without a policy every paid purchase of the application waits for the owner (OAUTH-14)", async () => {
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(100)
    const { api } = await connect(server.baseUrl, owner)
    const bought = await buy(api, await market.listing(seller, "Small", 2))
    assert.strictEqual(dataOf<{ status: string }>(bought, 201).status, "pending_approval")
  })

  it("an application never withdraws, decides, changes policies, or makes keys (OAUTH-3)", async () => {
    const owner = await market.member()
    const { api } = await connect(server.baseUrl, owner, { parameters: { scope: "read buy sell" } })
    const refused = [
      await api.post("/api/v1/wallet/withdrawals", { address: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", amount: 5 }),
      await api.post("/api/v1/approvals/apr_1/approve"),
      await api.patch("/api/v1/wallet/policy", { dailyLimit: null }),
      await api.post("/api/v1/keys", { name: "mine", scope: "FULL" }),
      await api.post("/api/v1/oauth/clients", { client_name: "more" }),
      await api.get("/api/v1/oauth/grants")
    ]
    for (const reply of refused) {
      assert.deepStrictEqual(failureOf(reply, 403, "INSUFFICIENT_PERMISSIONS"), { required: ["owner"] })
    }
    failureOf(await api.post("/api/v1/keys/refresh"), 409, "CONFLICT")
  })

  it("a missing scope is named in the challenge (OAUTH-2)", async () => {
    const owner = await market.member({ seller: true })
    const { api } = await connect(server.baseUrl, owner, { parameters: { scope: "read" } })
    const reply = await buy(api, "lst_unknown")
    failureOf(reply, 403, "INSUFFICIENT_PERMISSIONS")
    const challenge = reply.headers.get("www-authenticate") ?? ""
    assert.match(challenge, /^Bearer error="insufficient_scope", scope="buy", resource_metadata="http/)
  })

  it("the owner may grant fewer scopes than requested, and no others (OAUTH-10)", async () => {
    const owner = await market.member()
    const { api, tokens } = await connect(server.baseUrl, owner, { decision: { scopes: ["read"] } })
    assert.strictEqual(tokens.scope, "read")
    assert.strictEqual((await buy(api, "lst_unknown")).status, 403)
    const registered = await register(owner)
    const id = await openRequest((await startUrl(as, registered.client_id)).url)
    const { tryDecide } = await person(owner)
    failureOf(await tryDecide(id, { approve: true, scopes: ["sell"] }), 400, "VALIDATION_ERROR")
  })

  it("a refusal goes back to the application (OAUTH-10)", async () => {
    const owner = await market.member()
    const registered = await register(owner)
    const started = await startUrl(as, registered.client_id)
    const { decide } = await person(owner)
    const redirectTo = new URL(await decide(await openRequest(started.url), { approve: false }))
    const refused = (() => {
      try {
        oauth.validateAuthResponse(as, { client_id: registered.client_id }, redirectTo, started.state)
        return undefined
      } catch (error) {
        return error
      }
    })()
    assert.instanceOf(refused, oauth.AuthorizationResponseError)
    assert.strictEqual(refused.error, "access_denied")
  })

  it("refresh tokens rotate and may ask for less (OAUTH-11)", async () => {
    const owner = await market.member()
    const { client, tokens } = await connect(server.baseUrl, owner)
    const refresh = async (token: string | undefined, more: Record<string, string> = {}) =>
      oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token ?? "", {
          additionalParameters: more,
          ...insecure
        })
      )
    const next = await refresh(tokens.refresh_token, { scope: "read" })
    assert.strictEqual(next.scope, "read")
    assert.notStrictEqual(next.refresh_token, tokens.refresh_token)
    assert.strictEqual((await refresh(next.refresh_token)).scope, "read buy")
    await market.advance(3601)
    const late = await makeClient(server.baseUrl, next.access_token).get("/api/v1/account")
    assert.strictEqual(late.status, 401)
    assert.match(late.headers.get("www-authenticate") ?? "", /error="invalid_token"/)
  })

  it("a device connects with a code that a person types (OAUTH-12)", async () => {
    const owner = await market.member()
    const registered = await register(owner, { redirect_uris: [], grant_types: [deviceGrant, "refresh_token"] })
    const client: oauth.Client = { client_id: registered.client_id }
    const started = await oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(as, client, oauth.None(), { scope: "read buy" }, insecure)
    )
    assert.match(started.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
    const poll = () =>
      postForm(as.token_endpoint ?? "", {
        grant_type: deviceGrant,
        device_code: started.device_code,
        client_id: registered.client_id
      })
    assert.strictEqual(oauthErrorOf(await poll()), "authorization_pending")
    assert.strictEqual(oauthErrorOf(await poll()), "slow_down")
    const { requestByCode, tryDecide } = await person(owner)
    const found = dataOf<{ id: string; client: object }>(
      await requestByCode(started.user_code.toLowerCase().replace("-", " "))
    )
    assert.deepInclude(found.client, { redirectHost: null })
    assert.deepStrictEqual(dataOf(await tryDecide(found.id, { approve: true })), { redirectTo: null })
    const tokens = await oauth.processDeviceCodeResponse(
      as,
      client,
      await oauth.deviceCodeGrantRequest(as, client, oauth.None(), started.device_code, insecure)
    )
    assert.strictEqual((await makeClient(server.baseUrl, tokens.access_token).get("/api/v1/account")).status, 200)
    failureOf(await requestByCode("BBBB-BBBB"), 404, "REQUEST_NOT_FOUND")
  })

  it("a client with a secret acts for the account that registered it, until the grant ends (OAUTH-13)", async () => {
    const owner = await market.member()
    const registered = await register(owner, {
      redirect_uris: [],
      grant_types: ["client_credentials"],
      token_endpoint_auth_method: "client_secret_basic",
      scope: "read buy"
    })
    const client: oauth.Client = { client_id: registered.client_id }
    const auth = oauth.ClientSecretBasic(registered.client_secret ?? "")
    const ask = () => oauth.clientCredentialsGrantRequest(as, client, auth, { scope: "read" }, insecure)
    const tokens = await oauth.processClientCredentialsResponse(as, client, await ask())
    assert.isUndefined(tokens.refresh_token)
    const api = makeClient(server.baseUrl, tokens.access_token)
    assert.strictEqual(dataOf<{ id: string }>(await api.get("/api/v1/account")).id, owner.id)
    const [grant] = await grantsOf(owner)
    dataOf(await owner.delete(`/api/v1/oauth/grants/${grant?.id}`))
    assert.strictEqual((await api.get("/api/v1/account")).status, 401)
    assert.strictEqual((await ask()).status, 400)
  })

  it("an application revokes and examines its own tokens only (OAUTH-19, OAUTH-20)", async () => {
    const owner = await market.member()
    const { api, client, tokens } = await connect(server.baseUrl, owner)
    const stranger = await register(owner)
    const examine = async (clientId: string, token: string) =>
      oauth.processIntrospectionResponse(
        as,
        { client_id: clientId },
        await oauth.introspectionRequest(as, { client_id: clientId }, oauth.None(), token, insecure)
      )
    const found = await examine(client.client_id, tokens.access_token)
    assert.deepInclude(found, {
      active: true,
      scope: "read buy",
      client_id: client.client_id,
      aud: server.baseUrl,
      sub: owner.id
    })
    assert.isFalse((await examine(stranger.client_id, tokens.access_token)).active)
    const revoke = async (clientId: string, token: string) =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(as, { client_id: clientId }, oauth.None(), token, insecure)
      )
    await revoke(stranger.client_id, tokens.access_token)
    assert.strictEqual((await api.get("/api/v1/account")).status, 200)
    await revoke(client.client_id, tokens.access_token)
    assert.strictEqual((await api.get("/api/v1/account")).status, 401)
    assert.isFalse((await examine(client.client_id, tokens.access_token)).active)
    assert.strictEqual((await grantsOf(owner)).length, 1)
    await revoke(client.client_id, tokens.refresh_token ?? "")
    assert.strictEqual((await grantsOf(owner)).length, 0)
  })

  it("an application registers itself where the operator allows it (OAUTH-16, CONFIG-17)", async () => {
    const owner = await market.member()
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        {
          client_name: "Self-made",
          redirect_uris: ["https://app.example.com/callback"],
          token_endpoint_auth_method: "none"
        },
        insecure
      )
    )
    const { api } = await connect(server.baseUrl, owner, { registered: { client_id: registered.client_id } })
    assert.strictEqual((await api.get("/api/v1/account")).status, 200)
    const refused = await makeClient(server.baseUrl).post("/oauth/register", { redirect_uris: ["javascript:alert(1)"] })
    assert.strictEqual(refused.status, 400)
    assert.strictEqual(oauthErrorOf(refused), "invalid_redirect_uri")
  })

  it("a token for the MCP server is accepted there alone (OAUTH-8)", async () => {
    const owner = await market.member()
    const { api } = await connect(server.baseUrl, owner, { parameters: { resource: `${server.baseUrl}/mcp` } })
    assert.strictEqual((await api.get("/api/v1/account")).status, 401)
    const listed = await api.post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wallet_balance", arguments: {} } },
      { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" }
    )
    assert.strictEqual(listed.status, 200, listed.text)
    assert.notInclude(listed.text, "INVALID_API_KEY")
    const everywhere = await connect(server.baseUrl, owner)
    const called = await everywhere.api.post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
      { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" }
    )
    assert.strictEqual(called.status, 200, called.text)
  })

  it("the list of applications shows no secret, and a foreign one is not found (OAUTH-16, OAUTH-17)", async () => {
    const owner = await market.member()
    const registered = await register(owner, { token_endpoint_auth_method: "client_secret_basic" })
    assert.match(registered.client_secret ?? "", /^amo_/)
    const listed = bodyOf(await owner.get("/api/v1/oauth/clients"))
    assert.notInclude(JSON.stringify(listed), "amo_")
    const path = `/api/v1/oauth/clients/${registered.client_id}`
    assert.strictEqual(dataOf<{ client_id: string }>(await owner.get(path)).client_id, registered.client_id)
    const stranger = await market.member()
    failureOf(await stranger.get(path), 404, "CLIENT_NOT_FOUND")
    failureOf(await stranger.delete(path), 404, "CLIENT_NOT_FOUND")
    dataOf(await owner.delete(path))
    assert.strictEqual((await fetch((await startUrl(as, registered.client_id)).url)).status, 401)
  })
})
