import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import type { AddressInfo } from "node:net"
import { createServer } from "node:http"
import type { Server } from "node:http"
import * as oauth from "oauth4webapi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import {
  callback,
  connect,
  discover,
  exchangeCode,
  oauthErrorOf,
  openRequest,
  postForm,
  register,
  startUrl
} from "./Application.ts"
import type { Started } from "./Application.ts"
import { consentOf } from "./Person.ts"

/** The table of docs/security/oauth.md names each of these tests. */
describe("attacks on OAuth (RFC 9700)", () => {
  let server: RunningServer
  let market: Market
  let as: oauth.AuthorizationServer
  let owner: Member
  let documents: Server
  /** The responses of the server of metadata documents, by path. */
  const answers = new Map<
    string,
    { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  >()

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true", NODE_ENV: "development" })
    market = onMarket(server.baseUrl, { testClock: true })
    as = await discover(server.baseUrl)
    owner = await market.member({ name: "Owner" })
    documents = createServer(({ url }, response) => {
      const { body, headers, status } = answers.get(url ?? "") ?? { status: 404, headers: {}, body: "" }
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve))
  })
  afterAll(async () => {
    documents?.close()
    await server?.stop()
  })

  const documentUrl = (path: string): string => `http://127.0.0.1:${(documents.address() as AddressInfo).port}${path}`

  const serveDocument = (path: string, fields: object): string => {
    const url = documentUrl(path)
    const body = JSON.stringify({ client_id: url, client_name: "Documented", redirect_uris: [callback], ...fields })
    answers.set(path, { status: 200, headers: { "content-type": "application/json" }, body })
    return url
  }

  const approved = async (clientId: string): Promise<{ readonly started: Started; readonly code: string }> => {
    const started = await startUrl(as, clientId)
    const { decide } = await consentOf(server.baseUrl, owner)
    const redirectTo = new URL(await decide(await openRequest(started.url), { approve: true }))
    return { started, code: redirectTo.searchParams.get("code") ?? "" }
  }

  const exchange = (form: Readonly<Record<string, string>>) =>
    postForm(as.token_endpoint ?? "", { grant_type: "authorization_code", redirect_uri: callback, ...form })

  const isRefused = async (url: URL): Promise<string> => {
    const response = await fetch(url, { redirect: "manual" })
    assert.isNull(response.headers.get("location"))
    assert.isAtLeast(response.status, 400)
    return response.text()
  }

  /** The error that an application gets back at its redirect URI. */
  const sentBack = async (url: URL): Promise<URLSearchParams> => {
    const response = await fetch(url, { redirect: "manual" })
    assert.strictEqual(response.status, 303)
    const location = new URL(response.headers.get("location") ?? "")
    assert.strictEqual(location.origin + location.pathname, callback)
    return location.searchParams
  }

  it("code injection: a code works only with the verifier and the client that requested it (OAUTH-6)", async () => {
    const [mine, other] = [await register(owner), await register(owner)]
    const { code, started } = await approved(mine.client_id)
    const wrong = [
      { client_id: other.client_id, code, code_verifier: started.verifier },
      { client_id: mine.client_id, code, code_verifier: oauth.generateRandomCodeVerifier() },
      {
        client_id: mine.client_id,
        code,
        code_verifier: started.verifier,
        redirect_uri: "https://evil.example.com/callback"
      }
    ]
    for (const form of wrong) {
      const reply = await exchange(form)
      assert.deepStrictEqual([reply.status, oauthErrorOf(reply)], [400, "invalid_grant"])
    }
    assert.strictEqual(oauthErrorOf(await exchange({ client_id: mine.client_id, code })), "invalid_request")
    const right = await exchange({ client_id: mine.client_id, code, code_verifier: started.verifier })
    assert.strictEqual(right.status, 200)
  })

  it("code replay: the second use of a code ends the grant and every token of it (OAUTH-11)", async () => {
    const registered = await register(owner)
    const { code, started } = await approved(registered.client_id)
    const form = { client_id: registered.client_id, code, code_verifier: started.verifier }
    const first = await exchange(form)
    const { access_token: token } = first.body as { readonly access_token: string }
    assert.strictEqual((await makeClient(server.baseUrl, token).get("/api/v1/account")).status, 200)
    assert.strictEqual(oauthErrorOf(await exchange(form)), "invalid_grant")
    assert.strictEqual((await makeClient(server.baseUrl, token).get("/api/v1/account")).status, 401)
  })

  it("late codes: a code works for ten minutes (OAUTH-11)", async () => {
    const registered = await register(owner)
    const { code, started } = await approved(registered.client_id)
    await market.advance(601)
    const reply = await exchange({ client_id: registered.client_id, code, code_verifier: started.verifier })
    assert.strictEqual(oauthErrorOf(reply), "invalid_grant")
  })

  it("mix-up: every response names its issuer, and a client refuses another's (OAUTH-5)", async () => {
    assert.isTrue(as.authorization_response_iss_parameter_supported)
    const { client, redirectTo, started } = await connect(server.baseUrl, owner)
    const forged = new URL(redirectTo)
    forged.searchParams.set("iss", "https://evil.example.com")
    assert.throws(() => oauth.validateAuthResponse(as, client, forged, started.state))
    forged.searchParams.delete("iss")
    assert.throws(() => oauth.validateAuthResponse(as, client, forged, started.state))
    const { client_id } = client
    const error = await sentBack((await startUrl(as, client_id, { scope: "withdraw" })).url)
    assert.deepStrictEqual([error.get("error"), error.get("iss")], ["invalid_scope", server.baseUrl])
  })

  it("redirect tricks: only a registered URI gets a response, compared character by character (OAUTH-5)", async () => {
    const { client_id: id } = await register(owner)
    const tricks = [
      "https://evil.example.com/callback",
      `${callback}/`,
      `${callback}?next=https://evil.example.com`,
      `${callback}#fragment`,
      "https://app.example.com/callback/../other",
      "https://app.example.com.evil.example.com/callback",
      "https://app.example.com@evil.example.com/callback",
      "https://APP.example.com/callback",
      "http://app.example.com/callback",
      "https://app.example.com:8443/callback",
      "//app.example.com/callback",
      "javascript:alert(1)"
    ]
    for (const redirect of tricks) await isRefused((await startUrl(as, id, { redirect_uri: redirect })).url)
    await isRefused((await startUrl(as, "oac_unknown")).url)
    const twice = (await startUrl(as, id)).url
    twice.searchParams.append("redirect_uri", "https://evil.example.com/callback")
    await isRefused(twice)
  })

  it("redirect tricks: a loopback address may differ in its port alone (OAUTH-5)", async () => {
    const { client_id: id } = await register(owner, {
      redirect_uris: ["http://127.0.0.1/callback", "http://[::1]:1234/callback", "com.example.app:/callback"]
    })
    const opens = async (redirect: string) => (await startUrl(as, id, { redirect_uri: redirect })).url
    for (const redirect of [
      "http://127.0.0.1:51004/callback",
      "http://[::1]:9/callback",
      "com.example.app:/callback"
    ]) {
      assert.isNotEmpty(await openRequest(await opens(redirect)))
    }
    for (const redirect of [
      "http://127.0.0.1:51004/other",
      "https://127.0.0.1:51004/callback",
      "http://127.0.0.2:51004/callback",
      "http://localhost:51004/callback",
      "com.example.app:/other"
    ]) {
      await isRefused(await opens(redirect))
    }
  })

  it("open redirector: a URI that could run code or reach another program cannot be registered (OAUTH-5)", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://app.example.com/callback",
      "https://app.example.com/*",
      "https://user:password@app.example.com/",
      "https://app.example.com/#fragment",
      "file:///etc/passwd",
      "/callback"
    ]) {
      const reply = await owner.post("/api/v1/oauth/clients", { client_name: "Trick", redirect_uris: [uri] })
      const { issues } = failureOf(reply, 400, "VALIDATION_ERROR") as { issues: ReadonlyArray<{ path: string }> }
      assert.deepStrictEqual(
        issues.map(({ path }) => path),
        ["redirect_uris.0"],
        uri
      )
    }
  })

  it("PKCE downgrade: no challenge, the method plain and no method are refused (OAUTH-6)", async () => {
    const { client_id: id } = await register(owner)
    for (const parameters of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: "plain" },
      { code_challenge_method: null },
      { code_challenge: "short" }
    ]) {
      assert.strictEqual((await sentBack((await startUrl(as, id, parameters)).url)).get("error"), "invalid_request")
    }
    assert.deepStrictEqual(as.code_challenge_methods_supported, ["S256"])
  })

  it("other flows: a redirect never contains a token, and request objects are refused (OAUTH-5)", async () => {
    const { client_id: id } = await register(owner)
    for (const [parameters, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ request_uri: "https://evil.example.com/request" }, "request_not_supported"],
      [{ resource: "https://other.example.com" }, "invalid_target"],
      [{ scope: "read withdraw" }, "invalid_scope"]
    ] as const) {
      assert.strictEqual((await sentBack((await startUrl(as, id, parameters)).url)).get("error"), error)
    }
    const password = await postForm(as.token_endpoint ?? "", {
      grant_type: "password",
      client_id: id,
      username: "a",
      password: "b"
    })
    assert.strictEqual(oauthErrorOf(password), "unsupported_grant_type")
  })

  it("refresh theft: the second use of a refresh token ends the family, by the client or by a thief (OAUTH-11)", async () => {
    const { api, client, tokens } = await connect(server.baseUrl, owner)
    const refresh = (token: string) =>
      postForm(as.token_endpoint ?? "", {
        grant_type: "refresh_token",
        refresh_token: token,
        client_id: client.client_id
      })
    const stolen = tokens.refresh_token ?? ""
    const next = (await refresh(stolen)).body as { readonly access_token: string; readonly refresh_token: string }
    assert.strictEqual(oauthErrorOf(await refresh(stolen)), "invalid_grant")
    for (const each of [api, makeClient(server.baseUrl, next.access_token)]) {
      assert.strictEqual((await each.get("/api/v1/account")).status, 401)
    }
    assert.strictEqual(oauthErrorOf(await refresh(next.refresh_token)), "invalid_grant")
  })

  it("refresh theft: a refresh token works for its own client only, and not as an access token (OAUTH-11)", async () => {
    const { tokens } = await connect(server.baseUrl, owner)
    const other = await register(owner)
    const reply = await postForm(as.token_endpoint ?? "", {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token ?? "",
      client_id: other.client_id
    })
    assert.strictEqual(oauthErrorOf(reply), "invalid_grant")
    assert.strictEqual((await makeClient(server.baseUrl, tokens.refresh_token).get("/api/v1/account")).status, 401)
  })

  it("client impersonation: a client with a secret must send it, and a client without one has none (OAUTH-4)", async () => {
    const secret = await register(owner, { token_endpoint_auth_method: "client_secret_basic" })
    const { code, started } = await approved(secret.client_id)
    const form = { client_id: secret.client_id, code, code_verifier: started.verifier }
    for (const more of [{}, { client_secret: "wrong" }, { client_secret: "" }]) {
      const reply = await exchange({ ...form, ...more })
      assert.deepStrictEqual([reply.status, oauthErrorOf(reply)], [401, "invalid_client"])
    }
    const client = { client_id: secret.client_id }
    const redirectTo = new URL(
      `${callback}?code=${code}&state=${started.state}&iss=${encodeURIComponent(server.baseUrl)}`
    )
    const right = await exchangeCode(
      as,
      client,
      redirectTo,
      started,
      oauth.ClientSecretPost(secret.client_secret ?? "")
    )
    assert.strictEqual(right.status, 200)
    const open = await register(owner)
    const invented = await exchange({ ...form, client_id: open.client_id, client_secret: "invented" })
    assert.strictEqual(oauthErrorOf(invented), "invalid_client")
  })

  it("resource confusion: a token for the MCP server opens nothing else, and cannot be widened (OAUTH-8)", async () => {
    const mcp = `${server.baseUrl}/mcp`
    const { api, client, tokens } = await connect(server.baseUrl, owner, { parameters: { resource: mcp } })
    assert.strictEqual((await api.get("/api/v1/account")).status, 401)
    const widened = await postForm(as.token_endpoint ?? "", {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token ?? "",
      client_id: client.client_id,
      resource: server.baseUrl
    })
    assert.strictEqual(oauthErrorOf(widened), "invalid_target")
    const scopes = await postForm(as.token_endpoint ?? "", {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token ?? "",
      client_id: client.client_id,
      scope: "read buy sell"
    })
    assert.strictEqual(oauthErrorOf(scopes), "invalid_scope")
  })

  it("leakage: no code, token, secret or state is in the log, and no page sends a referrer (OAUTH-7)", async () => {
    const registered = await register(owner, { token_endpoint_auth_method: "client_secret_basic" })
    const { redirectTo, started, tokens } = await connect(server.baseUrl, owner, { registered })
    await postForm(as.revocation_endpoint ?? "", { token: tokens.access_token, client_id: registered.client_id })
    const secrets = [
      redirectTo.searchParams.get("code"),
      started.state,
      started.verifier,
      tokens.access_token,
      tokens.refresh_token,
      registered.client_secret
    ]
    for (const secret of secrets) assert.notInclude(server.output(), secret ?? "")
    const response = await fetch((await startUrl(as, registered.client_id)).url, { redirect: "manual" })
    assert.strictEqual(response.headers.get("referrer-policy"), "no-referrer")
    const exchanged = await exchange({ client_id: registered.client_id, code: "x", code_verifier: "y" })
    assert.strictEqual(exchanged.headers.get("cache-control"), "no-store")
    const asQuery = await makeClient(server.baseUrl).get(`/api/v1/account?access_token=${tokens.access_token}`)
    assert.strictEqual(asQuery.status, 401)
  })

  it("SSRF: a metadata document is read with the checks of webhooks, and only from its own URL (OAUTH-15)", async () => {
    const good = serveDocument("/good.json", {})
    const { api } = await connect(server.baseUrl, owner, { registered: { client_id: good } })
    assert.strictEqual((await api.get("/api/v1/account")).status, 200)

    answers.set("/redirect.json", { status: 302, headers: { location: good }, body: "" })
    answers.set("/huge.json", {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_id: documentUrl("/huge.json"), padding: "x".repeat(9000) })
    })
    answers.set("/text.json", {
      status: 200,
      headers: { "content-type": "text/html" },
      body: answers.get("/good.json")?.body ?? ""
    })
    const refused = [
      "http://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/client.json",
      "https://metadata.internal/client.json",
      "http://example.com/client.json",
      "https://user:password@example.com/client.json",
      `${documentUrl("/")}`,
      documentUrl("/redirect.json"),
      documentUrl("/huge.json"),
      documentUrl("/text.json"),
      documentUrl("/missing.json"),
      serveDocument("/foreign.json", { client_id: good }),
      serveDocument("/secret.json", { token_endpoint_auth_method: "client_secret_basic" }),
      serveDocument("/script.json", { redirect_uris: ["javascript:alert(1)"] })
    ]
    for (const url of refused) await isRefused((await startUrl(as, url)).url)
  })

  it("clickjacking: a page runs no script, escapes names and cannot be shown in a frame (OAUTH-22)", async () => {
    const response = await fetch((await startUrl(as, "https://evil.example.com/<script>")).url, { redirect: "manual" })
    const policy = response.headers.get("content-security-policy") ?? ""
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) assert.include(policy, rule)
    assert.notInclude(policy, "script-src")
    assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
    assert.notInclude(await response.text(), "<script")
  })

  it("denial of service: an unknown client, a huge body and a body of another type are refused early (OAUTH-21)", async () => {
    const huge = await postForm(as.token_endpoint ?? "", { grant_type: "authorization_code", code: "x".repeat(70_000) })
    assert.strictEqual(huge.status, 413)
    const json = await fetch(as.token_endpoint ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}"
    })
    assert.strictEqual(json.status, 400)
    const unknown = await exchange({ client_id: "oac_unknown", code: "x", code_verifier: "y" })
    assert.deepStrictEqual([unknown.status, oauthErrorOf(unknown)], [401, "invalid_client"])
    const closed = await makeClient(server.baseUrl).post("/oauth/register", {
      client_name: "x",
      redirect_uris: [callback]
    })
    assert.strictEqual(oauthErrorOf(closed), "access_denied")
    assert.isUndefined(as.registration_endpoint)
  })

  it("lost control: freezing, retiring, recovering and erasing stop an application (OAUTH-18)", async () => {
    const seller = await market.member({ seller: true })
    const item = await market.listing(seller, "Wanted", 2)
    const one = await market.fundedMember(10)
    const { api } = await connect(server.baseUrl, one, { decision: { policy: { autoApprove: true } } })
    const [grant] = dataOf<ReadonlyArray<{ id: string; agentId: string }>>(await one.get("/api/v1/oauth/grants"))
    assert.isDefined(grant)
    await one.post(`/api/v1/agents/${grant.agentId}/freeze`, { reason: "odd" })
    failureOf(await api.post("/api/v1/purchases", { skillId: item }), 403, "AGENT_FROZEN")
    assert.strictEqual((await api.get("/api/v1/account")).status, 200)
    await one.post(`/api/v1/agents/${grant.agentId}/unfreeze`)
    dataOf(await one.delete(`/api/v1/agents/${grant.agentId}`))
    assert.strictEqual((await api.get("/api/v1/account")).status, 401)
    failureOf(await one.delete(`/api/v1/oauth/grants/${grant.id}`), 404, "GRANT_NOT_FOUND")

    const two = await market.member()
    const second = await connect(server.baseUrl, two)
    dataOf(await market.operator.post(`/api/v1/admin/accounts/${two.id}/recover`))
    assert.strictEqual((await second.api.get("/api/v1/account")).status, 401)

    const three = await market.member()
    const third = await connect(server.baseUrl, three)
    dataOf(await three.delete("/api/v1/account"))
    assert.strictEqual((await third.api.get("/api/v1/account")).status, 401)
  })
})
