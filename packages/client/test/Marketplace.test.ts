import { Marketplace } from "@agent-marketplace/client"
import { assert, describe, it } from "vitest"

describe("the options of the client (CLIENT-1)", () => {
  it.each([undefined, ""])("without a baseUrl (%j) the error names what to set, and no request is sent", (baseUrl) => {
    const fetch = () => assert.fail("a request was sent")
    assert.throws(
      () => new Marketplace({ apiKey: "amk_secret", baseUrl, fetch }),
      TypeError,
      "Marketplace needs a baseUrl: the market's address, such as https://market.example.com (is MARKETPLACE_URL set?)"
    )
  })

  it.each(["market.example.com", "ftp://market.example.com", "https://key@market.example.com", "https://x?y"])(
    "refuse the baseUrl %s without naming the key",
    (baseUrl) => {
      assert.throws(() => new Marketplace({ apiKey: "amk_secret", baseUrl }), /^(?!.*amk_secret)baseUrl must be/)
    }
  )
})
