import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { reconcile } from "../../src/treasury/Reconciliation.ts"
import type { SweepEvent } from "../../src/treasury/Sweep.ts"
import { sweep } from "../../src/treasury/Sweep.ts"
import { surveySweep } from "../../src/treasury/SweepSurvey.ts"
import { hotWallet } from "../fixtures/keys.ts"
import { finalise, inMarket, moneyOf } from "../fixtures/market.ts"
import { startNode } from "../fixtures/tronMarket.ts"
import { connectionTo, depositors, keys, sweepAll, terms, timePasses } from "../fixtures/treasury.ts"

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

const setCold = (from: string | null, to: string | null) =>
  Effect.flatMap(TreasuryStore, (store) => store.setWallet("cold", { from, to }, action()))

const setCeiling = (ceiling: number | null) =>
  Effect.flatMap(TreasuryStore, (store) =>
    store.setLimits({ hotCeiling: ceiling === null ? null : usdt(ceiling) }, action())
  )

/** Accounts with deposits at addresses that have TRX, so that one round starts all sweeps. */
const rich = Effect.fnUntraced(function* (...amounts: ReadonlyArray<number>) {
  const market = yield* depositors(...amounts)
  for (const { address } of market.users) market.network.sun.set(bare(address), 100_000_000)
  return market
})

const balances = (network: TronNetwork) => [network.balance(bare(hotWallet)), network.balance(bare(cold))]

/** Sweeps; blocks are made only once so many sweeps have started. */
const sweepOnceStarted = Effect.fnUntraced(function* (
  network: TronNetwork,
  connection: ReturnType<typeof connectionTo>,
  count: number
) {
  const events: Array<SweepEvent> = []
  const mining = Effect.forever(
    Effect.andThen(
      Effect.sync(() => {
        if (events.filter(({ _tag }) => _tag === "Started").length >= count) network.mine()
      }),
      Effect.sleep("2 millis")
    )
  )
  yield* Effect.forkScoped(mining)
  const report = (event: SweepEvent) => Effect.sync(() => void events.push(event))
  return { events, run: sweep(connection, terms, keys, report) }
})

const agrees = Effect.fnUntraced(function* (connection: ReturnType<typeof connectionTo>) {
  const found = yield* reconcile(connection, { hotWallet, own: 0n })
  assert.deepStrictEqual(found.differences, [])
  yield* assertBooks
  return found.held
})

describe("sweeps above the ceiling of the hot wallet (TREASURY-4)", () => {
  it.live("go to the cold wallet once the balance and the sweeps under way reach the ceiling", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* rich(100, 100, 100, 100, 100)
      yield* setCold(null, cold)
      yield* setCeiling(250)
      const { items } = yield* surveySweep(connection, terms)
      const expected = [hotWallet, hotWallet, hotWallet, cold, cold]
      assert.deepStrictEqual(
        items.map(({ destination }) => destination),
        expected
      )
      const { events, run } = yield* sweepOnceStarted(network, connection, 5)
      yield* run
      assert.deepStrictEqual(
        events.flatMap((each) => (each._tag === "Started" ? [each.transfer.destination] : [])),
        expected
      )
      assert.deepStrictEqual(balances(network), [300_000_000n, 200_000_000n])
      assert.deepStrictEqual(yield* agrees(connection), {
        addresses: usdt(0),
        hotWallet: usdt(300),
        coldWallet: usdt(200),
        formerWallets: null
      })
      const [user] = users
      assert.strictEqual((yield* moneyOf(user ?? assert.fail())).available, 100_000_000n)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("go to the hot wallet without a ceiling or without a cold wallet; one that is set later gets the rest", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* rich(100, 50)
      const [one, two] = users.map(({ address }) => address)
      const mined = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.scoped(Effect.andThen(timePasses(network), effect))
      yield* setCeiling(10)
      yield* mined(sweepAll(connection))
      assert.deepStrictEqual(balances(network), [150_000_000n, 0n], "there is no cold wallet")
      const more = Effect.fnUntraced(function* (address: string | undefined, amount: bigint) {
        network.deposit(address ?? "", amount)
        finalise(network)
        yield* worker.catchUp
        yield* mined(sweepAll(connection, { terms: { ...terms, all: true } }))
      })
      yield* setCold(null, cold)
      yield* more(one, 30_000_000n)
      assert.deepStrictEqual(balances(network), [150_000_000n, 30_000_000n])
      yield* setCeiling(null)
      yield* more(two, 20_000_000n)
      assert.deepStrictEqual(balances(network), [170_000_000n, 30_000_000n], "there is no ceiling")
      assert.strictEqual((yield* agrees(connection)).coldWallet, usdt(30))
    }).pipe(inMarket)
  )

  it.live("keep their stored destination after a kill, even if the ceiling and the cold wallet have changed", () =>
    Effect.gen(function* () {
      const { network, url, users } = yield* rich(100, 60)
      const store = yield* SweepStore
      const other = TronEncoding.nobody("another cold wallet")
      yield* setCold(null, cold)
      /** Killed after the sweep is stored, before anything is sent. */
      const killed = Effect.suspend(() =>
        sweepAll(connectionTo(url)).pipe(
          Effect.provideService(SweepStore, {
            ...store,
            start: (transfer, hot) => Effect.andThen(store.start(transfer, hot), Effect.die("killed"))
          }),
          Effect.exit
        )
      )
      yield* setCeiling(500)
      yield* killed
      assert.deepStrictEqual(network.pool, [], "nothing was sent")
      yield* setCeiling(1)
      yield* killed
      const stored = (yield* store.open).map(({ address, destination }) => ({ address, destination }))
      assert.deepStrictEqual(stored, [
        { address: users[0]?.address ?? "", destination: hotWallet },
        { address: users[1]?.address ?? "", destination: cold }
      ])
      yield* setCold(cold, other)
      yield* timePasses(network)
      const connection = connectionTo(url)
      yield* sweepAll(connection)
      assert.deepStrictEqual(balances(network), [100_000_000n, 60_000_000n])
      const { coldWallet, formerWallets } = yield* agrees(connection)
      assert.deepStrictEqual([coldWallet, formerWallets], [usdt(0), usdt(60)])
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("are built again if the ceiling changes between their building and their storing", () =>
    Effect.gen(function* () {
      const { network, url } = yield* rich(100)
      const store = yield* SweepStore
      yield* setCold(null, cold)
      let starts = 0
      const treasury = yield* TreasuryStore
      const lower = Effect.provideService(Effect.orDie(setCeiling(0.000001)), TreasuryStore, treasury)
      // A hot wallet that holds anything at all is at its ceiling.
      network.fund(hotWallet, 1n)
      yield* timePasses(network)
      const connection = connectionTo(url)
      yield* Effect.provideService(sweepAll(connection), SweepStore, {
        ...store,
        start: (transfer, hot) => Effect.andThen(starts++ === 0 ? lower : Effect.void, store.start(transfer, hot))
      })
      assert.strictEqual(starts, 2)
      assert.deepStrictEqual(balances(network), [1n, 100_000_000n])
      const found = yield* reconcile(connection, { hotWallet, own: 1n })
      assert.deepStrictEqual(found.differences, [])
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("from two processes exceed the ceiling together by at most one sweep", () =>
    Effect.gen(function* () {
      const { network, url } = yield* rich(100, 100, 100, 100, 100, 100)
      yield* setCold(null, cold)
      yield* setCeiling(250)
      const [one, two] = [connectionTo(url), connectionTo(url)]
      const runs = yield* Effect.forEach([one, two], (each) => sweepOnceStarted(network, each, 3))
      yield* Effect.forEach(runs, ({ run }) => run, { concurrency: "unbounded" })
      const [hot = 0n, other = 0n] = balances(network)
      assert.strictEqual(hot + other, 600_000_000n)
      assert.isAtMost(Number(hot), 300_000_000)
      yield* agrees(one)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("wait while nodes disagree about the hot wallet's balance", () =>
    Effect.gen(function* () {
      const { network, url } = yield* rich(100)
      yield* setCold(null, cold)
      yield* setCeiling(50)
      network.fund(hotWallet, 60_000_000n)
      yield* timePasses(network)
      const { node, url: liar } = yield* startNode(network)
      node.reword = ({ body, method }, answer) =>
        method === "triggerconstantcontract" && String(body["parameter"]).endsWith(bare(hotWallet))
          ? { ...(answer as object), constant_result: ["0".repeat(64)] }
          : answer
      const connection = connectionTo(url, liar)
      yield* Effect.exit(Effect.timeout(sweepAll(connection), "300 millis"))
      assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
      node.reword = (_, answer) => answer
      yield* sweepAll(connection)
      assert.deepStrictEqual(balances(network), [60_000_000n, 100_000_000n])
    }).pipe(inMarket, Effect.scoped)
  )
})

describe("the cold wallet belongs to the market", () => {
  it.live("a transfer from it to a deposit address is not a deposit", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* depositors(100)
      const user = users[0] ?? assert.fail()
      yield* setCold(null, cold)
      network.fund(cold, 3_000_000n)
      network.deposit(user.address, 3_000_000n, cold)
      finalise(network)
      yield* worker.catchUp
      assert.strictEqual((yield* moneyOf(user)).available, 100_000_000n)
      const { differences } = yield* reconcile(connection, { hotWallet, own: 0n })
      assert.deepStrictEqual(differences, [
        { where: "deposit address", address: user.address, expected: 100_000_000n, found: 103_000_000n }
      ])
    }).pipe(inMarket)
  )

  it.live("money that the operator moves between the two wallets is no difference", () =>
    Effect.gen(function* () {
      const { connection, network } = yield* rich(100, 50)
      yield* setCold(null, cold)
      yield* setCeiling(100)
      const { run } = yield* sweepOnceStarted(network, connection, 2)
      yield* run
      network.outside([network.log(cold, hotWallet, 20_000_000n)])
      finalise(network)
      const held = yield* agrees(connection)
      assert.deepStrictEqual([held.hotWallet, held.coldWallet], [usdt(120), usdt(30)])
    }).pipe(inMarket, Effect.scoped)
  )
})
