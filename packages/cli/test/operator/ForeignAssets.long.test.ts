import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import type { ForeignAsset } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../../src/runCli.ts"
import { adminToken, startTronServer } from "../running/startTronServer.ts"

/** The account-level keys m/44'/195'/0' of the mnemonic "abandon" ×11 "about": publicly known. */
const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const xprv =
  "xprv9z1pB5qPNYGMVrGcyXt97Jwd9GBRoNFdhJfxqbHjzrBKeN1GMETuGFi1c73SQkP8kkKz5MVoMtLRcsDWggUcaPF32AXN4qNsNWBoJbaHcQ7"
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const stranger = TronEncoding.nobody("stranger")
const token = TronEncoding.nobody("another token")

const network = new TronNetwork({ solidLag: 4 })
const node = new TronNode(network)
// Blocks are made only for transactions, so that a slow machine has few to read.
const clock = setInterval(() => {
  if (!network.isSettled) network.mine()
}, 20)

let server: Awaited<ReturnType<typeof startTronServer>>
let market: Readonly<Record<string, string>> = {}
let address = ""

const run = async (args: ReadonlyArray<string>, input = "") => {
  let [out, err] = ["", ""]
  const code = await Effect.runPromise(
    runCli(["operator", "foreign-assets", ...args], {
      env: market,
      page: { isTerminal: false, width: 80, canColor: false },
      canPrompt: false,
      write: (text) => void (out += text),
      writeError: (text) => void (err += text),
      readInput: Effect.succeed(input)
    }).pipe(Effect.provide(NodeServices.layer))
  )
  assert.notInclude(out + err, xprv)
  return { code, out, err }
}

const json = async <A>(args: ReadonlyArray<string>, input = "") => {
  const { code, err, out } = await run([...args, "--json"], input)
  assert.strictEqual(code, 0, err)
  return JSON.parse(out) as A
}

const request = async <A>(method: string, path: string, key: string, body?: object) => {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-operator": "grace" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, ...((await response.json()) as { readonly data: A; readonly error: object }) }
}

const list = (query = "") =>
  request<ReadonlyArray<ForeignAsset>>("GET", `/api/v1/admin/foreign-assets${query}`, adminToken)

const asset = async (kind: ForeignAsset["kind"]) => {
  const found = (await list()).data.find((each) => each.kind === kind)
  return found ?? assert.fail(`no ${kind} is recorded`)
}

const decide = (id: string, body: object) =>
  request<ForeignAsset>("POST", `/api/v1/admin/foreign-assets/${id}/return`, adminToken, body)

beforeAll(async () => {
  network.plenty = 0
  network.sun.set(bare(hotWallet), 1_000_000_000)
  network.sun.set(bare(stranger), 0)
  network.assets.contracts.set(bare(token), { symbol: "USDT" })
  const url = await node.listen()
  const chain = {
    DATABASE_URL: await createDatabase(),
    CHAIN: "tron",
    TRON_FULL_NODE_URL: url,
    TRON_DEPOSIT_XPUB: xpub,
    TRON_HOT_WALLET_ADDRESS: hotWallet,
    TRON_START_BLOCK: "1"
  }
  server = await startTronServer(chain)
  market = { ...chain, ADMIN_TOKEN: adminToken, MARKETPLACE_URL: server.baseUrl }
  const { data } = await request<{ apiKey: { key: string } }>("POST", "/api/v1/accounts", adminToken, { name: "Ada" })
  const deposit = await request<{ address: string }>("GET", "/api/v1/wallet/deposit", data.apiKey.key)
  address = deposit.data.address
}, 60_000)

afterAll(async () => {
  clearInterval(clock)
  await server?.stop()
  await node.close()
})

// Each test continues from the state that the previous one left.
describe("other assets at deposit addresses, over HTTP and on PostgreSQL", () => {
  it("the scan records another token, recheck and find record TRX, each once (CHAIN-29, CHAIN-31, CHAIN-33)", async () => {
    network.outsideToken(bare(token), stranger, address, 7n)
    const txid = network.outsideCoin(stranger, address, 25_000_000)
    await expect.poll(async () => (await list("?state=received")).data.length, { timeout: 30_000 }).toBe(1)
    for (let i = 0; i < 2; i++) {
      const [found, ...others] = await json<ReadonlyArray<ForeignAsset>>(["recheck", txid])
      assert.deepStrictEqual(others, [])
      assert.deepInclude(found, { kind: "trx", asset: "TRX", amount: "25000000", address, sender: stranger })
      assert.deepInclude(found, { txHash: txid, state: "received", unverifiedSymbol: "TRX", returnTxHash: null })
    }
    assert.deepInclude(await asset("trc20"), { asset: token, amount: "7", unverifiedSymbol: null })
    const { meta, status } = (await list("?limit=1")) as unknown as { status: number; meta: object }
    assert.deepStrictEqual([status, meta], [200, { page: 1, limit: 1, total: 2, leftOut: 0 }])
    const wrong = await request("POST", "/api/v1/admin/foreign-assets/recheck", adminToken, { txid: "x" })
    assert.strictEqual(wrong.status, 400)
    assert.strictEqual((await list("?state=lost")).status, 400)
    const { out } = await run(["list", "--state", "received"])
    assert.include(out, stranger)
    assert.deepStrictEqual(await json(["list", "--state", "returned"]), [])
    const found = await json<{ addresses: number; assets: ReadonlyArray<object> }>(["find", "--blocks", "100"])
    assert.deepStrictEqual([found.addresses, found.assets.length], [1, 1])
    assert.deepInclude(found.assets[0], { txHash: txid, state: "received" })
    assert.strictEqual((await run(["find", "--blocks", "0"])).code, 2)
  })

  it("a return goes to the sender or to an address that is not the market's, and is decided once (CHAIN-31)", async () => {
    const { id } = await asset("trx")
    for (const destination of [address, hotWallet, usdtContract, "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "T1", 5]) {
      const { error, status } = await decide(id, { destination, reason: "mistake" })
      assert.strictEqual(status, 400, JSON.stringify(error))
      assert.include(JSON.stringify(error), "destination")
    }
    assert.strictEqual((await decide(id, {})).status, 400, "the reason is required")
    assert.deepInclude((await decide("fas_unknown", { reason: "mistake" })).error, { code: "FOREIGN_ASSET_NOT_FOUND" })
    const token20 = await asset("trc20")
    assert.strictEqual((await decide(token20.id, { destination: token, reason: "mistake" })).status, 400)
    const all = await Promise.all(Array.from({ length: 5 }, () => decide(id, { reason: "Sent by mistake." })))
    for (const { data, status } of all) {
      assert.strictEqual(status, 200)
      assert.deepInclude(data, { id, state: "returning", destination: stranger })
    }
    const actions = await request<ReadonlyArray<object>>("GET", `/api/v1/admin/actions?subject=${id}`, adminToken)
    assert.lengthOf(actions.data, 1)
    assert.deepInclude(actions.data[0], { action: "foreign_asset.return", actor: "grace", reason: "Sent by mistake." })
  })

  it("send shows each destination and sends each asset once, also if it runs twice at the same time (CHAIN-32)", async () => {
    const { id } = await asset("trx")
    const dry = await run(["send"])
    assert.strictEqual(dry.code, 0)
    assert.include(dry.out, `${id}\t24.600000 TRX\t${stranger}`)
    assert.include(dry.err, "nothing was sent")
    const wrong = await run(["send", "--execute"], xpub)
    assert.strictEqual(wrong.code, 2)
    assert.strictEqual((await run(["send", "--max-fee", "0"])).code, 2)
    const runs = await Promise.all([
      run(["send", "--execute", "--json"], xprv),
      run(["send", "--execute", "--json"], xprv)
    ])
    for (const { code, err } of runs) {
      assert.strictEqual(code, 0, err)
      assert.include(err, `${id}: 24.600000 TRX from ${address} goes to ${stranger}.`)
    }
    assert.strictEqual(network.trx(bare(stranger)), 24_600_000)
    const { destination, returnTxHash, returnedAmount, state } = await asset("trx")
    assert.deepStrictEqual([state, destination, returnedAmount], ["returned", stranger, "24600000"])
    // Either run can be the one that sends; the other one reports nothing, or the transaction that it found.
    const entry = { id, destination: stranger, txHash: returnTxHash, amount: "24600000" }
    const reports = runs.map(({ out }) => (JSON.parse(out) as { returned: ReadonlyArray<object> }).returned)
    for (const returned of reports) assert.deepStrictEqual(returned, returned.length === 0 ? [] : [entry])
    assert.isAbove(reports.flat().length, 0, "at least one run reports the return")
    const elsewhere = await decide(id, { destination: TronEncoding.nobody("somebody else"), reason: "again" })
    assert.deepInclude(elsewhere.error, { code: "CONFLICT" })
    assert.include(JSON.stringify(elsewhere.error), `"state":"returned"`)
    assert.strictEqual((await decide(id, { reason: "again" })).status, 200)
    assert.deepStrictEqual(await json(["send", "--execute"], xprv), {
      executed: true,
      returned: [],
      failed: [],
      left: []
    })
  })
})
