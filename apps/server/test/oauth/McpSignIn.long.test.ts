import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { callback, openRequest } from "./Application.ts"
import { consentOf } from "./Person.ts"

/** What an agent that knows only the address of the MCP server stores. */
const makeProvider = () => {
  let information: OAuthClientInformationMixed | undefined
  let stored: OAuthTokens | undefined
  let verifier = ""
  let opened: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: "An agent",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none"
    },
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved
    },
    tokens: () => stored,
    saveTokens: (tokens) => {
      stored = tokens
    },
    redirectToAuthorization: (url) => {
      opened = url
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier
  }
  return { provider, opened: () => opened, tokens: () => stored }
}

describe("the MCP SDK's own client signs in from nothing (OAUTH-1, OAUTH-2, OAUTH-8)", () => {
  let server: RunningServer
  let market: Market

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      TEST_CLOCK: "true",
      OAUTH_DYNAMIC_REGISTRATION: "true"
    })
    market = onMarket(server.baseUrl, { testClock: true })
  })
  afterAll(() => server?.stop())

  it("metadata, client, consent, token, and a purchase within the owner's limit", async () => {
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(20)
    const item = await market.listing(seller, "Found by an agent", 3)
    const { opened, provider, tokens } = makeProvider()
    const address = new URL(`${server.baseUrl}/mcp`)
    const refused = new StreamableHTTPClientTransport(address, { authProvider: provider })
    const first: unknown = await new Client({ name: "agent", version: "1" }).connect(refused).catch((error) => error)
    assert.instanceOf(first, UnauthorizedError)

    const url = opened()
    assert.isDefined(url)
    assert.strictEqual(url.searchParams.get("resource"), address.href)
    const person = await consentOf(server.baseUrl, owner)
    const policy = { autoApprove: true, dailyLimit: 5 }
    const redirectTo = new URL(await person.decide(await openRequest(url), { approve: true, policy }))
    await refused.finishAuth(redirectTo.searchParams.get("code") ?? "")

    const client = new Client({ name: "agent", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }))
    const bought = await client.callTool({
      name: "buy",
      arguments: { itemId: item, maxPrice: 3, idempotencyKey: "one-intention" }
    })
    assert.notStrictEqual(bought.isError, true, JSON.stringify(bought.content))
    await client.close()
    const purchases = dataOf<{ purchases: ReadonlyArray<object> }>(await owner.get("/api/v1/purchases"))
    assert.strictEqual(purchases.purchases.length, 1)
    // The token is for the MCP server alone.
    const elsewhere = await makeClient(server.baseUrl, tokens()?.access_token).get("/api/v1/account")
    assert.strictEqual(elsewhere.status, 401)
  })
})
