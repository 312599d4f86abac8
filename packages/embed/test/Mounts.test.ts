import express from "express"
import { assert, describe, it } from "vitest"
import type { LogLine } from "../src/options/MarketplaceOptions.ts"
import { listen } from "./fixtures/listen.ts"
import { withMarket } from "./fixtures/market.ts"

const account = (url: string, type = "application/json") =>
  fetch(`${url}/api/v1/accounts`, { method: "POST", headers: { "content-type": type }, body: '{"name":"Ada"}' })

const statusOf = async (url: string) => (await fetch(url)).status

describe("a market inside Express", () => {
  it("can be mounted in nested routers, whatever path its baseUrl has", () =>
    withMarket(
      async (market) => {
        const app = express()
        const router = express.Router()
        router.use("/market", market.node)
        app.use("/shop", router)
        const { stop, url } = await listen(app)
        assert.strictEqual(await statusOf(`${url}/shop/market/healthz`), 200)
        assert.strictEqual((await account(`${url}/shop/market`)).status, 201)
        assert.strictEqual(await statusOf(`${url}/shop/healthz`), 404)
        await stop()
      },
      { baseUrl: "https://shop.example/shop/market" }
    ))

  it("can be mounted at the root, with a path in its baseUrl", () =>
    withMarket(
      async (market) => {
        const { stop, url } = await listen(express().use(market.node))
        assert.strictEqual(await statusOf(`${url}/market/healthz`), 200)
        assert.strictEqual(await statusOf(`${url}/healthz`), 404)
        await stop()
      },
      { baseUrl: "https://shop.example/market" }
    ))

  it("behind a body parser responds immediately with 500, and logs what the host has to do", async () => {
    const lines: Array<LogLine> = []
    await withMarket(
      async (market) => {
        const { stop, url } = await listen(express().use(express.json(), market.node))
        assert.strictEqual((await account(url)).status, 500)
        assert.strictEqual(
          (await account(url, "text/plain")).status,
          415,
          "a body that no parser reads is handled by the market"
        )
        assert.strictEqual(await statusOf(`${url}/healthz`), 200)
        await stop()
      },
      { log: (line) => lines.push(line) }
    )
    assert.include(lines.map(({ message }) => message).join(), "mount the market before any body parser")
  })

  it("accepts a forwarded address only from a trusted proxy", async () => {
    const left = async (trustedProxies: ReadonlyArray<string>) =>
      withMarket(
        async (market) => {
          const { stop, url } = await listen(market.node)
          const ask = async (forwarded: string) => {
            const { headers } = await fetch(`${url}/api/souls`, { headers: { "x-forwarded-for": forwarded } })
            return Number(headers.get("x-ratelimit-remaining"))
          }
          const seen = [await ask("203.0.113.1"), await ask("203.0.113.2")]
          await stop()
          return seen
        },
        { trustedProxies }
      )
    assert.deepStrictEqual(await left([]), [59, 58])
    assert.deepStrictEqual(await left(["127.0.0.1"]), [59, 59])
  })
})
