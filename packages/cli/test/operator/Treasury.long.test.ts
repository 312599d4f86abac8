import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { depositAddresses } from "@agent-marketplace/tron/chain/DepositAddresses"
import { TronChain } from "@agent-marketplace/tron/chain/TronChain"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runCli } from "../../src/runCli.ts"

/** The account-level keys m/44'/195'/0' of the mnemonic "abandon" ×11 "about", and the private key 1: both are public knowledge. */
const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const xprv =
  "xprv9z1pB5qPNYGMVrGcyXt97Jwd9GBRoNFdhJfxqbHjzrBKeN1GMETuGFi1c73SQkP8kkKz5MVoMtLRcsDWggUcaPF32AXN4qNsNWBoJbaHcQ7"
const otherXprv =
  "xprv9z1pB5qPNYGMafyQUyYrZkGfMYp52xnpfvVHBPxwqtvKnoapW7wch3DaDTtYSgYTS7u4cBagLL788xUnUDo54zquy4Rf5g9cVv2LKQoGbMo"
const hotKey = `${"0".repeat(63)}1`
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

const network = new TronNetwork({ solidLag: 4 })
const node = new TronNode(network)
// A reconciliation reads every block, so there are only as many as the transactions need.
const clock = setInterval(() => {
  if (!network.isSettled) network.mine()
}, 20)

let market: Readonly<Record<string, string>> = {}

const noOthers = { coldWallet: null, formerWallets: null }

const cold = TronEncoding.nobody("the cold wallet")

const action = (): ActionDraft => ({
  id: freshId("act"),
  at: 1_700_000_000_000,
  actor: "grace",
  action: "treasury.set",
  subject: "cold",
  reason: null,
  requestId: "1"
})

/** Two more accounts whose addresses hold 100 and 50 USDT, both credited. */
const fill = (databaseUrl: string, url: string) => {
  const settings = { fullNodes: [url], solidityNodes: [url], contract: usdtContract, depositXpub: xpub, startBlock: 1 }
  const chain = TronChain.layer({ ...settings, apiKey: undefined, hotWallet })
  const services = DepositScanner.layer.pipe(
    Layer.provide([Conditions.layer, Settlement.layer, Screening.none, chain]),
    Layer.provideMerge(PostgresStores.withoutChain({ url: Redacted.make(databaseUrl) })),
    Layer.provideMerge(NodeCrypto.layer)
  )
  const derive = depositAddresses(xpub)
  return Effect.gen(function* () {
    yield* (yield* TreasuryStore).claim({ hot: hotWallet })
    const wallets = yield* WalletStore
    const { scan } = yield* DepositScanner
    for (const amount of [100_000_000n, 50_000_000n]) {
      const { id } = yield* openAccount()
      network.deposit(yield* wallets.assignAddress(id, derive), amount)
    }
    network.mine(network.solidLag + 1)
    while (yield* scan);
  }).pipe(Effect.provide(services), Effect.runPromise)
}

interface Context {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** A command with the market's variables. */
const run = async (args: ReadonlyArray<string>, { env = {}, input = "" }: Context = {}) => {
  let [out, err] = ["", ""]
  const code = await Effect.runPromise(
    runCli(args, {
      env: { ...market, ...env },
      page: { isTerminal: false, width: 80, canColor: false },
      canPrompt: false,
      write: (text) => void (out += text),
      writeError: (text) => void (err += text),
      readInput: Effect.succeed(input)
    }).pipe(Effect.provide(NodeServices.layer))
  )
  for (const secret of [xprv, otherXprv, hotKey]) assert.notInclude(out + err, secret)
  return { code, out, err }
}

beforeAll(async () => {
  network.plenty = 0
  network.sun.set(bare(hotWallet), 1_000_000_000)
  const url = await node.listen()
  const databaseUrl = await createDatabase()
  market = {
    DATABASE_URL: databaseUrl,
    CHAIN: "tron",
    TRON_FULL_NODE_URL: url,
    TRON_DEPOSIT_XPUB: xpub,
    TRON_HOT_WALLET_ADDRESS: hotWallet
  }
  await fill(databaseUrl, url)
})

afterAll(async () => {
  clearInterval(clock)
  await node.close()
})

// Each test continues from the state that the previous one left.
describe("the operator's money on TRON", () => {
  it("reconcile finds no difference, prints the sums, and exits with 0 (CLI-13)", async () => {
    const { code, out } = await run(["operator", "reconcile", "--json"])
    assert.strictEqual(code, 0)
    assert.deepInclude(JSON.parse(out), {
      agrees: true,
      owed: { wallets: "150.00", platform: "0.00", held: "0.00", unattributed: "0.00", total: "150.00" },
      held: { addresses: "150.00", hotWallet: "0.00", ...noOthers, total: "150.00" },
      differences: []
    })
    const text = await run(["operator", "reconcile"])
    assert.include(text.out, "owed to wallets\t150.00\n")
  })

  it("sweep moves nothing to a wallet that the market does not know, and shows where the money goes (TREASURY-2)", async () => {
    const stranger = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
    for (const args of [
      ["operator", "sweep"],
      ["operator", "sweep", "--execute"]
    ]) {
      const { code, err } = await run(args, { env: { TRON_HOT_WALLET_ADDRESS: stranger }, input: xprv })
      assert.strictEqual(code, 2)
      assert.include(err, `${stranger} is not the hot wallet of this market, which is ${hotWallet}`)
    }
    assert.strictEqual(network.balance(bare(stranger)), 0n)
    const { out } = await run(["operator", "sweep"])
    assert.include(out, `to\t${hotWallet} (the hot wallet)\n`)
  })

  it("sweep without --execute shows each address and its cost, needs no key and moves nothing (CLI-13)", async () => {
    const { code, err, out } = await run(["operator", "sweep", "--json"])
    assert.strictEqual(code, 0)
    const { addresses, executed, total } = JSON.parse(out) as Record<string, ReadonlyArray<unknown>>
    assert.isFalse(executed)
    assert.lengthOf(addresses ?? [], 2)
    assert.deepInclude(addresses?.[0], { index: 0, usdt: "100.00", trx: "0.000000", missingTrx: "8.114200" })
    assert.deepStrictEqual(total as unknown, { usdt: "150.00", burntTrx: "19.228400", missingTrx: "16.228400" })
    assert.include(err, "nothing was moved")
    const text = await run(["operator", "sweep", "--minimum", "60"])
    assert.match(text.out, /^0\tT\w{33}\t100\.00\t0\.000000\t/)
    assert.strictEqual(network.balance(bare(hotWallet)), 0n)
  })

  const refusals: Readonly<Record<string, readonly [ReadonlyArray<string>, Context, RegExp]>> = {
    "no key": [["--execute"], {}, /TRON_DEPOSIT_XPRV must be set/],
    "another account's key": [["--execute"], { env: { TRON_DEPOSIT_XPRV: otherXprv } }, /not the private key of/],
    "the public key": [["--execute"], { input: xpub }, /is a public key/],
    "a key of another hot wallet": [
      [],
      { env: { TRON_HOT_WALLET_KEY: "02".repeat(32) } },
      /TRON_HOT_WALLET_ADDRESS is not the address of TRON_HOT_WALLET_KEY/
    ],
    "no hot wallet": [[], { env: { TRON_HOT_WALLET_ADDRESS: "" } }, /TRON_HOT_WALLET_ADDRESS must be set/],
    "the simulated chain": [[], { env: { CHAIN: "simulated" } }, /CHAIN must be tron/],
    "no database": [[], { env: { DATABASE_URL: "" } }, /DATABASE_URL must be set for an operator's command/],
    "a minimum that is not an amount": [["--minimum", "1e3"], {}, /--minimum must be a plain decimal number/]
  }
  for (const [name, [args, context, message]] of Object.entries(refusals)) {
    it(`sweep refuses ${name}, and moves nothing`, async () => {
      const { code, err } = await run(["operator", "sweep", ...args], context)
      assert.strictEqual(code, 2)
      assert.match(err, message)
      assert.strictEqual(network.balance(bare(hotWallet)), 0n)
    })
  }

  it("without the hot wallet's key the fees cannot be paid: each address is reported as not swept, and the exit code is 1", async () => {
    const { code, err } = await run(["operator", "sweep", "--execute"], { env: { TRON_DEPOSIT_XPRV: xprv } })
    assert.strictEqual(code, 1)
    assert.match(err, /T\w{33}: left, needs 8\.1142 TRX more for the fee/)
    assert.include(err, "2 addresses were not swept")
  })

  it("sweep --execute moves everything, with the key from standard input; reconcile still finds no difference", async () => {
    const { code, out } = await run(["operator", "sweep", "--execute", "--json"], {
      env: { TRON_HOT_WALLET_KEY: hotKey },
      input: `${xprv}\n`
    })
    assert.strictEqual(code, 0)
    const { swept } = JSON.parse(out) as { readonly swept: ReadonlyArray<unknown> }
    assert.lengthOf(swept, 2)
    assert.strictEqual(network.balance(bare(hotWallet)), 150_000_000n)
    const after = await run(["operator", "reconcile", "--json"])
    assert.deepInclude(JSON.parse(after.out), {
      agrees: true,
      held: { addresses: "0.00", hotWallet: "150.00", ...noOthers, total: "150.00" }
    })
  })

  it("reconcile names a difference and exits with 1; the operator's own money is not a difference", async () => {
    network.outside([network.log(hotWallet, TronEncoding.nobody("somewhere"), 30_000_000n)])
    network.mine(network.solidLag + 1)
    const { code, err, out } = await run(["operator", "reconcile", "--json"])
    assert.strictEqual(code, 1)
    assert.include(err, "differ in 1 place")
    const { differences } = JSON.parse(out) as { readonly differences: unknown }
    assert.deepStrictEqual(differences, [
      { where: "hot wallet", address: hotWallet, expected: "150.00", found: "120.00", difference: "-30.00" }
    ])
    assert.strictEqual((await run(["operator", "reconcile", "--own=-30"])).code, 0)
  })

  it("above the ceiling the rest goes to the cold wallet; dry run, result and reconcile show it (TREASURY-4)", async () => {
    const databaseUrl = market["DATABASE_URL"] ?? ""
    await fill(databaseUrl, market["TRON_FULL_NODE_URL"] ?? "")
    const limited = Effect.gen(function* () {
      const treasury = yield* TreasuryStore
      yield* treasury.setWallet("cold", { from: null, to: cold }, action())
      yield* treasury.setLimits({ hotCeiling: usdt(130) }, action())
    })
    const stores = PostgresStores.withoutChain({ url: Redacted.make(databaseUrl) }).pipe(
      Layer.provide(NodeCrypto.layer)
    )
    await Effect.runPromise(Effect.provide(limited, stores))
    const text = await run(["operator", "sweep"])
    assert.include(
      text.out,
      `${hotWallet} (the hot wallet), and from its ceiling of 130.00 USDT on to ${cold} (the cold wallet)`
    )
    assert.include(text.out, "of them to the cold wallet\t50.00\n")
    const { code, err, out } = await run(["operator", "sweep", "--execute", "--json"], {
      env: { TRON_HOT_WALLET_KEY: hotKey },
      input: xprv
    })
    assert.strictEqual(code, 0)
    assert.include(err, `to ${cold} in `)
    const { swept, ...wallets } = JSON.parse(out) as Record<string, ReadonlyArray<{ readonly destination: string }>>
    assert.deepInclude(wallets as object, { hotWallet, coldWallet: cold, ceiling: "130.00" })
    assert.deepStrictEqual(swept?.map(({ destination }) => destination).sort(), [hotWallet, cold].sort())
    const moved = network.balance(bare(cold))
    assert.include([50_000_000n, 100_000_000n], moved)
    const found = JSON.parse((await run(["operator", "reconcile", "--own=-30", "--json"])).out) as {
      readonly agrees: boolean
      readonly held: { readonly coldWallet: string }
    }
    assert.isTrue(found.agrees)
    assert.strictEqual(found.held.coldWallet, `${moved / 1_000_000n}.00`)
    assert.include((await run(["operator", "reconcile", "--own=-30"])).out, "held by the cold wallet\t")
  })

  it("an unavailable node or database is reported with what to do; the exit code is 4", async () => {
    const unavailable = { TRON_FULL_NODE_URL: "http://127.0.0.1:1" }
    const { code, err } = await run(["operator", "reconcile"], { env: unavailable })
    assert.strictEqual(code, 4)
    assert.match(err, /error: TRON: 127\.0\.0\.1:1 getblock: not reached \(ECONNREFUSED\)\nNothing is lost/)
    const database = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
    assert.strictEqual((await run(["operator", "sweep"], { env: database })).code, 4)
  })
})
