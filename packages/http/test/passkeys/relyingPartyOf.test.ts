import { pagesUrl, relyingPartyOf } from "@agent-marketplace/http/passkeys/relyingPartyOf"
import { signInWarnings } from "@agent-marketplace/http/sessions/signInWarnings"
import { assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

describe("where passkeys work (PASSKEY-8)", () => {
  it.each([
    ["https://market.example", "market.example", "https://market.example"],
    ["https://market.example:8443/shop", "market.example", "https://market.example:8443"],
    ["http://localhost:3000", "localhost", "http://localhost:3000"],
    ["http://market.localhost:3000", "market.localhost", "http://market.localhost:3000"],
    ["http://127.0.0.1:3000", "localhost", "http://localhost:3000"],
    ["http://[::1]:3000", "localhost", "http://localhost:3000"]
  ])("%s: on", (baseUrl, id, origin) => {
    assert.deepStrictEqual(relyingPartyOf(baseUrl), { _tag: "On", id, origin })
  })

  it.each([
    ["https://192.0.2.7", /IP address/],
    ["https://[2001:db8::1]:8443", /IP address/],
    ["http://192.168.1.4:3000", /IP address/],
    ["http://market.example", /plain HTTP/],
    [undefined, /not set/]
  ])("%s: off, with the rule", (baseUrl, rule) => {
    const place = relyingPartyOf(baseUrl)
    assert.strictEqual(place._tag, "Off")
    if (place._tag === "Off") assert.match(place.rule, rule)
  })

  it("a server warns at its start where sessions or passkeys are off", () => {
    assert.deepStrictEqual(signInWarnings("https://market.example"), [])
    assert.match(signInWarnings("https://192.0.2.7").join(), /^Passkeys are off: .*IP address/)
    assert.match(
      signInWarnings("http://market.example").join(),
      /^Sessions and passkeys are off: BASE_URL must have https/
    )
  })

  it("links open a loopback address by the name localhost, below the path of BASE_URL", () => {
    assert.strictEqual(pagesUrl("http://127.0.0.1:3000"), "http://localhost:3000")
    assert.strictEqual(pagesUrl("https://market.example/shop/"), "https://market.example/shop")
  })

  it("every operation of passkeys is CONFLICT with the rule where they are off", async () => {
    const baseUrl = "https://192.0.2.7"
    const market = startMarket({ http: { baseUrl } })
    const { key } = await market.account()
    const started = await market.send("POST", "/api/v1/sessions", { body: { apiKey: key } })
    const cookie = started.headers.get("set-cookie")?.split(";")[0] ?? ""
    const headers = { cookie, host: "192.0.2.7", origin: baseUrl, "x-requested-with": "console" }
    for (const path of ["passkeys/options", "sessions/passkey/options", "sessions/current/step-up/options"]) {
      const { body, status } = await market.send("POST", `/api/v1/${path}`, { headers, body: {} })
      assert.deepStrictEqual([status, body.error.details.state], [409, "passkeys_off"])
      assert.match(body.error.details.reason, /IP address/)
    }
    await market.stop()
  })
})
