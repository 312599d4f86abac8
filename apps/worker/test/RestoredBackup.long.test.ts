import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { ownerOf } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { TreasuryControl } from "@agent-marketplace/core/wallets/TreasuryControl"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { WithdrawalProcessor } from "@agent-marketplace/core/wallets/WithdrawalProcessor"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { derivedSigningSeed } from "@agent-marketplace/settings/SigningSeed"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { fund } from "@agent-marketplace/testkit/fixtures/settle"
import { LocalSigner } from "@agent-marketplace/tron/chain/LocalSigner"
import { TronChain } from "@agent-marketplace/tron/chain/TronChain"
import { Effect, Layer, Redacted, References } from "effect"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotKey = Redacted.make(`${"0".repeat(63)}1`)
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const secret = Redacted.make("0123456789abcdef0123456789abcdef")

const twenty = Usdt.of(20_000_000n)
const operator = { name: "grace", requestId: "req_1", reason: "the database was restored" }

const network = new TronNetwork({ solidLag: 4 })
const node = new TronNode(network)
let url = ""

/** A market on this database, with one worker that remembers nothing. */
const onMarket = (databaseUrl: string) => {
  const timings = { timeout: 5000, restMin: 1, restMax: 2, fresh: 0, lifetime: 120_000, resend: 0 }
  const chain = TronChain.layer({
    fullNodes: [url],
    solidityNodes: [url],
    apiKey: undefined,
    contract: usdtContract,
    depositXpub: xpub,
    hotWallet: undefined,
    startBlock: 1,
    timings
  }).pipe(Layer.provide(LocalSigner.layer(hotKey)))
  return Effect.provide(
    Layer.merge(
      assembleMarket({
        config: {
          platformFeeBps: 500,
          withdrawalFee: Usdt.of(1_000_000n),
          withdrawalMinimum: Usdt.of(5_000_000n),
          withdrawalReviewAbove: null,
          coinRate: null,
          proceedsHoldDays: 0,
          refundCoverLimit: twenty,
          listingReview: "auto",
          soulContent: "open",
          baseUrl: "http://localhost:3000",
          secret
        },
        stores: chain.pipe(Layer.provideMerge(PostgresStores.withoutChain({ url: Redacted.make(databaseUrl) }))),
        secretKeys: [secret],
        signingKey: derivedSigningSeed(secret),
        receivers: "any"
      }),
      Layer.succeed(References.MinimumLogLevel, "None" as const)
    )
  )
}

const signUp = Effect.gen(function* () {
  const identity = yield* Identity
  const { apiKey } = yield* identity.signUp({ name: "Ada" })
  return yield* identity.authenticate(apiKey.token)
})

/** A withdrawal of 20 USDT to an address of its own. */
const request = Effect.fnUntraced(function* (name: string) {
  const caller = yield* signUp
  yield* fund({ id: yield* ownerOf(caller) }, Usdt.of(21_000_000n))
  const destinationAddress = TronEncoding.nobody(name)
  const { value } = yield* (yield* Wallets).withdraw(caller, { amount: twenty, destinationAddress })
  return { id: value.id, destinationAddress }
})

/** What the worker does while the chain makes blocks, until its scan has reached them. */
const work = Effect.fnUntraced(function* (rounds: number) {
  const { scan } = yield* DepositScanner
  const { process } = yield* WithdrawalProcessor
  for (let i = 0; i < rounds; i++) {
    while (yield* scan);
    yield* process
    network.mine(2)
  }
})

const statesOf = Effect.fnUntraced(function* (ids: ReadonlyArray<Effect.Success<ReturnType<typeof request>>>) {
  const wallets = yield* WalletStore
  const found = yield* Effect.forEach(ids, ({ id }) => wallets.findWithdrawal(id, null))
  return found.flatMap((one) => (one._tag === "Some" ? [one.value.state] : []))
})

/** A copy of a database that nobody uses, as a backup is. */
const copy = async (of: string): Promise<string> => {
  const target = new URL(await createDatabase())
  const client = new Client({ connectionString: new URL("/postgres", of).href })
  await client.connect()
  try {
    await client.query(`DROP DATABASE ${target.pathname.slice(1)}`)
    await client.query(`CREATE DATABASE ${target.pathname.slice(1)} TEMPLATE ${new URL(of).pathname.slice(1)}`)
  } finally {
    await client.end()
  }
  return target.href
}

const balance = (address: string) => network.balance(bare(address))

beforeAll(async () => {
  url = await node.listen()
})

afterAll(() => node.close())

describe("a market whose database is restored from a backup (TREASURY-3)", () => {
  it("in the middle of 30 payouts pays none of them twice", { timeout: 300_000 }, async () => {
    const database = await createDatabase()
    const run = <A, E, R>(effect: Effect.Effect<A, E, R>, on: string) =>
      Effect.runPromise(onMarket(on)(effect) as Effect.Effect<A, E>)

    // Ten are paid, ten are sent, ten wait for money.
    network.fund(hotWallet, 200_000_000n)
    const requested = await run(
      Effect.gen(function* () {
        yield* work(1)
        const all = yield* Effect.forEach(Array.from({ length: 30 }), (_, i) => request(`receiver ${i}`))
        yield* work(5)
        network.fund(hotWallet, 200_000_000n)
        yield* (yield* WithdrawalProcessor).process
        return all
      }),
      database
    )
    const backup = await copy(database)

    // After the backup the others are paid, one more is requested and paid, and an address is issued and used.
    network.fund(hotWallet, 220_000_000n)
    const later = await run(
      Effect.gen(function* () {
        yield* work(6)
        const lost = yield* request("a receiver that the backup does not know")
        yield* work(6)
        assert.deepStrictEqual([...new Set(yield* statesOf([...requested, lost]))], ["completed"])
        const { address } = yield* (yield* Wallets).deposit(yield* signUp)
        network.deposit(address, 7_000_000n)
        yield* work(4)
        return { lost, address }
      }),
      database
    )
    const paid = [...requested, later.lost]
    for (const { destinationAddress } of paid) assert.strictEqual(balance(destinationAddress), 20_000_000n)

    network.fund(hotWallet, 1_000_000_000n)
    await run(
      Effect.gen(function* () {
        const control = yield* TreasuryControl
        const wallets = yield* WalletStore
        assert.strictEqual((yield* statesOf(requested)).filter((state) => state === "queued").length, 10)
        yield* (yield* WithdrawalProcessor).process
        yield* work(12)
        for (const { destinationAddress } of paid) assert.strictEqual(balance(destinationAddress), 20_000_000n)
        const { unknownTransfers } = yield* control.overview
        assert.lengthOf(unknownTransfers, 11)
        assert.isTrue((yield* wallets.payoutPause)?.unknownTransfers)
        const matches = unknownTransfers.map(({ candidates: [withdrawalId], txid }) =>
          withdrawalId === undefined ? { txid, explanation: "paid after the backup" } : { txid, withdrawalId }
        )
        assert.deepStrictEqual((yield* control.resume(operator, matches)).unknownTransfers, [])
        assert.isNull(yield* wallets.payoutPause)
        const next = yield* request("somebody new")
        yield* work(8)
        assert.deepStrictEqual([...new Set(yield* statesOf([...requested, next]))], ["completed"])
        for (const each of [...paid, next]) assert.strictEqual(balance(each.destinationAddress), 20_000_000n)
        const { address } = yield* (yield* Wallets).deposit(yield* signUp)
        assert.notStrictEqual(address, later.address, "an address that was issued after the backup is not issued again")
        yield* assertBooks
      }),
      backup
    )
  })
})
