import { readFileSync } from "node:fs"
import { assert, beforeAll, describe, it } from "vitest"
import { dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { openRequest } from "./Application.ts"
import { consentOf } from "./Person.ts"

interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
}

interface Application {
  readonly connect: (market: string, clientId: string, openBrowser: (url: string) => void) => Promise<Tokens>
  readonly renew: (market: string, clientId: string, refreshToken: string) => Promise<Tokens>
  readonly buy: (
    market: string,
    token: string,
    skillId: string
  ) => Promise<{ readonly data?: { readonly status: string }; readonly error?: { readonly code: string } }>
}

const folder = new URL("../../../../docs/guides/", import.meta.url)

describe("the guide for applications that buy (OAUTH-14)", () => {
  let server: SharedServer
  let market: Market

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
  })

  it("its application gets access, buys within the limit, renews its token, and stops when the owner ends it", async () => {
    const { buy, connect, renew } = (await import(new URL("shoppingApplication.ts", folder).href)) as Application
    const seller = await market.member({ seller: true })
    const owner = await market.fundedMember(50)
    const [small, large] = [await market.listing(seller, "Small", 3), await market.listing(seller, "Large", 30)]
    const { client_id: clientId } = dataOf<{ client_id: string }>(
      await owner.post("/api/v1/oauth/clients", {
        client_name: "Shopping helper",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none"
      }),
      201
    )
    const person = await consentOf(server.baseUrl, owner)
    let browser: Promise<unknown> = Promise.resolve()
    const tokens = await connect(server.baseUrl, clientId, (url) => {
      browser = openRequest(new URL(url))
        .then((id) => person.decide(id, { approve: true, policy: { autoApprove: true, dailyLimit: 5 } }))
        .then((redirectTo) => fetch(redirectTo))
    })
    await browser
    assert.strictEqual((await buy(server.baseUrl, tokens.access_token, small)).data?.status, "completed")
    assert.strictEqual((await buy(server.baseUrl, tokens.access_token, large)).error?.code, "SPENDING_LIMIT_EXCEEDED")
    const renewed = await renew(server.baseUrl, clientId, tokens.refresh_token ?? "")
    const [grant] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/oauth/grants"))
    dataOf(await owner.delete(`/api/v1/oauth/grants/${grant?.id}`))
    assert.strictEqual((await buy(server.baseUrl, renewed.access_token, small)).error?.code, "INVALID_API_KEY")
  })

  it("shows the calls that its application has", () => {
    const text = readFileSync(new URL("let-an-application-buy.md", folder), "utf8")
    for (const call of [
      "connect(market, clientId, openBrowser)",
      "buy(market, tokens.access_token, skillId)",
      "renew(market, clientId, tokens.refresh_token)"
    ]) {
      assert.include(text, call)
    }
  })
})
