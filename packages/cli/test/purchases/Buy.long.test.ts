import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import { startLosingMarket } from "../running/startLosingMarket.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let home: string

const env = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: home,
  MARKETPLACE_URL: market.baseUrl,
  MARKETPLACE_API_KEY: market.keys.buyer,
  ...more
})

const run = (...args: ReadonlyArray<string>) => cli({ env: env() }, ...args)
const json = async (...args: ReadonlyArray<string>) => JSON.parse((await run(...args, "--json")).stdout)
const orders = () => join(home, ".local/state/agent-marketplace/idempotency-keys")

beforeAll(async () => {
  market = await startMarket()
  home = freshHome()
})

afterAll(() => market.stop())

describe("buy", () => {
  it("shows the price and prompts; declining buys nothing (CLI-4)", async () => {
    const no = await cli({ env: env(), terminal: 100, typed: "n" }, "buy", "mail-sorter")
    assert.include(no.shown, "Buy Mail Sorter from Harness Seller for 10.00 USDT?")
    assert.strictEqual(no.code, 1)
    assert.deepStrictEqual((await json("purchases")).purchases, [])
  })

  it("does not pay a price that changed during the prompt", async () => {
    const listing = JSON.parse((await run("show", "daily-digest", "--json")).stdout).listing
    const answer = (price: number) => JSON.stringify({ success: true, data: { ...skill, price: `${price}.00` } })
    const skill = {
      id: listing.id,
      slug: "daily-digest",
      title: "Daily Digest",
      currency: "USDT",
      creator: { name: "Eve" }
    }
    const methods: Array<string | undefined> = []
    const server = createServer((request, response) => {
      methods.push(request.method)
      if (request.url?.startsWith("/api/souls") === true) response.writeHead(404).end("{}")
      else response.end(answer(methods.length > 2 ? 99 : 10))
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const context = { env: env({ MARKETPLACE_URL: url }), terminal: 100, typed: "y" }
    const { code, stderr } = await cli(context, "buy", "daily-digest")
    assert.strictEqual(code, 1)
    assert.include(stderr, "nothing was bought: the price is now 99.00 USDT")
    assert.notInclude(methods, "POST")
    server.close()
  })

  it("does not buy without a terminal and without --yes (CLI-4)", async () => {
    const { code, stderr } = await run("buy", "mail-sorter")
    assert.strictEqual(code, 2)
    assert.include(stderr, "--yes")
    assert.deepStrictEqual((await json("purchases")).purchases, [])
  })

  it("buys once if the response was lost, however often it is repeated, and sends the terms that were shown (CLI-5, CLIENT-13)", async () => {
    const losing = await startLosingMarket(market.baseUrl)
    try {
      const context = { env: env({ MARKETPLACE_URL: losing.baseUrl }) }
      const lost = await cli(context, "buy", "mail-sorter", "--yes", "--max-price", "10")
      assert.strictEqual(lost.code, 4)
      assert.isAbove(losing.lost(), 0)
      const [order = ""] = readdirSync(orders())
      assert.strictEqual(statSync(join(orders(), order)).mode & 0o777, 0o600)
      losing.mend()
      const repeated = await cli(context, "buy", "mail-sorter", "--yes", "--json")
      assert.deepStrictEqual([repeated.code, JSON.parse(repeated.stdout).status], [0, "completed"])
      assert.include(repeated.stderr, "repeats it with the same idempotency key")
      assert.strictEqual(new Set(losing.keys).size, 1)
      for (const body of losing.bodies) {
        const { maxPrice, pricingModel } = JSON.parse(body) as Readonly<Record<string, unknown>>
        assert.deepStrictEqual([String(maxPrice), pricingModel], ["10.00", "one_time"])
      }
      assert.isNotEmpty(losing.bodies)
    } finally {
      losing.stop()
    }
    assert.deepStrictEqual(readdirSync(orders()), [])
    assert.lengthOf((await json("purchases")).purchases, 1)
    assert.strictEqual((await json("wallet", "balance")).balance, 990)
  })

  it("returns the same purchase for the same --idempotency-key", async () => {
    const order = ["buy", "unit-converter", "--idempotency-key", "order-1"]
    assert.strictEqual((await json(...order)).purchaseId, (await json(...order)).purchaseId)
  })

  it("refers to the existing purchase of an item that is already owned", async () => {
    const { code, stderr } = await run("buy", "mail-sorter", "--yes")
    assert.strictEqual(code, 1)
    assert.match(stderr, /already own a license\nSee `agent-marketplace purchases show pur_\w+`\./)
  })

  it("exits with 5 and explains how to fill the wallet if the balance is too low", async () => {
    const poor = { env: env({ MARKETPLACE_API_KEY: market.keys.seller }) }
    const soul = join(home, "dear.md")
    appendFileSync(soul, "---\nname: Dear Adviser\ndescription: Gives advice that costs.\nprice: 5000\n---\n# SOUL\n")
    assert.strictEqual((await run("publish", soul)).code, 0)
    const { code, stderr } = await cli(poor, "buy", "dear-adviser", "--yes")
    assert.include(stderr, "wallet deposit")
    assert.match(stderr, /: 5000\.00 USDT needed, \d+\.\d\d USDT available\n/)
    assert.strictEqual(code, 5)
  })

  it("reports missing items and ambiguous or wrong names before the prompt", async () => {
    const unknown = await run("buy", "no-such-thing", "--yes", "--json")
    assert.deepStrictEqual([unknown.code, JSON.parse(unknown.stderr).error.code], [1, "ITEM_NOT_FOUND"])
    assert.strictEqual((await run("buy", "soul_1", "--yes")).code, 2)
    assert.strictEqual((await run("buy")).code, 2)
  })

  it("buys nothing that costs more than --max-price", async () => {
    for (const [most, code] of [
      ["4.999999", 5],
      ["cheap", 2],
      ["-1", 2]
    ] as const) {
      const refused = await run("buy", "patient-tutor", "--yes", `--max-price=${most}`)
      assert.strictEqual(refused.code, code, most)
    }
    const { stderr } = await run("buy", "patient-tutor", "--yes", "--max-price", "4.5")
    assert.include(stderr, "Patient Tutor costs 5.00 USDC, more than --max-price 4.50")
  })
})

describe("a purchase above the owner's threshold", () => {
  it("waits, is listed, is approved, and is then completed", async () => {
    await run("wallet", "policy", "set", "--auto-approve-threshold", "1")
    const waiting = await json("buy", "patient-tutor", "--yes")
    assert.strictEqual(waiting.status, "pending_approval")
    const [approval] = await json("approvals")
    assert.strictEqual(approval.purchaseId, waiting.purchaseId)
    assert.include((await run("approve", approval.id)).stdout, "Patient Tutor for 5.00 USDT is approved")
    assert.strictEqual((await json("purchases", "show", waiting.purchaseId)).status, "completed")
    assert.deepStrictEqual(await json("approvals"), [])
  })

  it("can be rejected", async () => {
    await json("buy", "daily-digest", "--yes")
    const [approval] = await json("approvals")
    assert.strictEqual((await json("reject", approval.id)).status, "rejected")
    assert.strictEqual((await json("approvals", "--status", "rejected")).length, 1)
  })

  it("is refused beyond a limit, with exit code 5", async () => {
    await run("wallet", "policy", "set", "--reset", "--per-transaction-limit", "1")
    const { code, stderr } = await run("buy", "daily-digest", "--yes")
    assert.strictEqual(code, 5)
    assert.include(stderr, "wallet policy get")
    await run("wallet", "policy", "set", "--reset")
  })
})

describe("a purchased item", () => {
  it("is installed, verified and updated; a manual change is detected and kept (CLI-6)", async () => {
    const dir = join(home, "installed")
    const installed = await json("install", "patient-tutor", "--dir", dir)
    assert.include(readFileSync(join(installed.installedPath, "SOUL.md"), "utf8"), "never hurries")
    assert.strictEqual((await run("verify", "--dir", dir)).stdout, "patient-tutor\tas installed\tyes\n")
    assert.strictEqual((await json("update", "--dir", dir))[0].status, "unchanged")
    appendFileSync(join(installed.installedPath, "SOUL.md"), "mine")
    const changed = await run("verify", "--dir", dir)
    assert.deepStrictEqual([changed.code, changed.stdout], [1, "patient-tutor\tSOUL.md changed\tunverified\n"])
    assert.strictEqual((await run("update", "patient-tutor", "--dir", dir)).code, 1)
    assert.include(readFileSync(join(installed.installedPath, "SOUL.md"), "utf8"), "mine")
  })

  it("remains purchased if it cannot be installed, and nothing is written", async () => {
    const dir = join(home, "nothing")
    const { code, stderr } = await run("buy", "daily-digest", "--yes", "--install", "--dir", dir)
    assert.strictEqual(code, 1)
    assert.match(stderr, /bought as (pur_\w+), but not installed: .*\n`agent-marketplace install \1` tries again\./)
    assert.isTrue(!existsSync(dir) || readdirSync(dir).length === 0)
    assert.strictEqual((await run("install", "never-bought", "--dir", dir)).code, 1)
  })

  it("is refunded by its seller", async () => {
    const sold = { env: env({ MARKETPLACE_API_KEY: market.keys.seller }) }
    const [sale] = JSON.parse((await cli(sold, "purchases", "sales", "--json")).stdout)
    assert.strictEqual((await cli(sold, "purchases", "refund", sale.id)).code, 2)
    assert.include((await cli(sold, "purchases", "refund", sale.id, "--yes")).stdout, "Refunded 10.00 USDT.")
  })
})
