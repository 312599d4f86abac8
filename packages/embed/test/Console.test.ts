import { assert, describe, it } from "vitest"
import { withMarket } from "./fixtures/market.ts"

const baseUrl = "http://localhost:3000/market"

describe("the console of an embedded market (EMBED-12)", () => {
  it("is served below the market's path, with all that its pages load", () =>
    withMarket(
      async (market) => {
        const get = (path: string) => market.fetch(new Request(baseUrl + path))
        for (const path of ["/", "/console", "/console/wallet"]) {
          const response = await get(path)
          assert.strictEqual(response.status, 200, path)
          const page = await response.text()
          const assets = [...page.matchAll(/"\/market(\/assets\/[^"]+)"/g)].map(([, asset = ""]) => asset)
          assert.isAbove(assets.length, 2)
          assert.lengthOf(page.match(/(?:src|href)="\/(?!market\/)/g) ?? [], 0)
          for (const asset of assets) assert.strictEqual((await get(asset)).status, 200, asset)
        }
      },
      { console: true, baseUrl }
    ))

  it("has its push worker below the same path, which is the only one that the worker acts for (CONSOLE-51)", () =>
    withMarket(
      async (market) => {
        const response = await market.fetch(new Request(`${baseUrl}/console/push-worker.js`))
        assert.strictEqual(response.headers.get("content-type"), "text/javascript; charset=utf-8")
        assert.include(response.headers.get("content-security-policy"), "default-src 'none'")
        const script = await response.text()
        assert.include(script, "notificationclick")
        assert.notMatch(script, /^\s*(?:import|export)\b/m, "it is no module")
      },
      { console: true, baseUrl }
    ))

  it("is not served unless the host wants it", () =>
    withMarket(async (market) => {
      for (const path of ["/", "/console"]) {
        assert.strictEqual((await market.fetch(new Request(`http://localhost:3000${path}`))).status, 404)
      }
    }))
})
