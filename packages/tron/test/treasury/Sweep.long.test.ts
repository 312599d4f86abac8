import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { eventually } from "@agent-marketplace/testkit/fixtures/eventually"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import type { Fault } from "@agent-marketplace/fixtures/tron/TronNode"
import { assert, describe, it } from "@effect/vitest"
import { HDKey } from "@scure/bip32"
import { Effect, Redacted, Result } from "effect"
import { depositKeys } from "../../src/treasury/DepositKeys.ts"
import type { SweepEvent } from "../../src/treasury/Sweep.ts"
import { sweep } from "../../src/treasury/Sweep.ts"
import { surveySweep } from "../../src/treasury/SweepSurvey.ts"
import { hotWallet, otherXprv, receiver, xprv, xpub } from "../fixtures/keys.ts"
import { depositor, finalise, inMarket, makeWorker, moneyOf, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { connectionTo, depositors, keys, sweepAll, terms, timePasses } from "../fixtures/treasury.ts"
import { startNode } from "../fixtures/tronMarket.ts"

/** How many transactions each address has sent or received TRX with. */
const countOn = (network: TronNetwork, address: string) => {
  const infos = network.blocks.flatMap(({ infos: all }) => all)
  const sent = infos.filter(({ log }) => log?.some(({ topics }) => topics[1]?.endsWith(bare(address))))
  const funded = network.blocks.flatMap(({ sunMoved }) => sunMoved).filter(([to, by]) => to === bare(address) && by > 0)
  return { sent: sent.length, funded: funded.length }
}

describe("sweeping", () => {
  it.live("moves every deposit to the hot wallet, which pays each fee, and does not change the ledger (CHAIN-19)", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* depositors(100, 25.5, 10)
      yield* timePasses(network)
      const events = yield* sweepAll(connection)
      assert.strictEqual(network.balance(bare(hotWallet)), 135_500_000n)
      for (const { address } of users) {
        assert.strictEqual(network.balance(bare(address)), 0n)
        assert.deepStrictEqual(countOn(network, address), { sent: 1, funded: 1 })
      }
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "Started"),
        6
      )
      assert.lengthOf(
        events.filter((each) => each._tag === "Ended" && each.as === "done"),
        6
      )
      yield* worker.catchUp
      const held = yield* Effect.forEach(users, moneyOf)
      assert.deepStrictEqual(
        held.map(({ available, pending }) => [available, pending]),
        [
          [100_000_000n, 0n],
          [25_500_000n, 0n],
          [10_000_000n, 0n]
        ]
      )
      yield* assertBooks
      assert.deepStrictEqual(yield* sweepAll(connection), [], "a second sweep finds nothing to do")
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "a dry run reports each address's balance, the cost of moving it and the TRX it needs first, and changes nothing",
    () =>
      Effect.gen(function* () {
        const { connection, network, users } = yield* depositors(100, 9.99, 50)
        const [poor, , rich] = users
        assert.isDefined(poor)
        assert.isDefined(rich)
        network.sun.set(bare(rich.address), 20_000_000)
        const before = network.head.number
        const { items, open } = yield* surveySweep(connection, terms)
        const energy = Math.ceil(64_285 * 1.2)
        const fee = energy * 100 + 400_000
        assert.deepStrictEqual(open, [])
        assert.deepStrictEqual(items, [
          {
            index: 0,
            address: poor.address,
            usdt: usdt(100),
            sun: 0,
            energy,
            feeLimit: energy * 100,
            fee,
            missing: fee,
            fundingFee: 1_500_000,
            obstacle: null,
            destination: hotWallet
          },
          {
            index: 2,
            address: rich.address,
            usdt: usdt(50),
            sun: 20_000_000,
            energy,
            feeLimit: energy * 100,
            fee,
            missing: 0,
            fundingFee: 0,
            obstacle: null,
            destination: hotWallet
          }
        ])
        finalise(network)
        assert.isTrue(network.blocks.slice(before + 1).every(({ infos }) => infos.length === 0))
        assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
      }).pipe(inMarket)
  )

  it.live(
    "without the hot wallet's key an address without TRX is skipped and reported, and one with TRX is swept",
    () =>
      Effect.gen(function* () {
        const { connection, network, users } = yield* depositors(100, 50)
        const [poor, rich] = users
        network.sun.set(bare(rich?.address ?? ""), 20_000_000)
        yield* timePasses(network)
        const events = yield* sweepAll(connection, { keys: { ...keys, hotWallet: undefined } })
        assert.deepInclude(events[0], { _tag: "Skipped", address: poor?.address ?? "" })
        assert.strictEqual(network.balance(bare(hotWallet)), 50_000_000n)
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("TRX that open withdrawals may need are not used for sweeps", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* depositors(100)
      yield* withdraw(20)
      // Enough for eleven withdrawals of 13.9 TRX each, but not for a funding of 9.6 TRX in addition.
      network.sun.set(bare(hotWallet), 11 * 13_900_000 + 9_000_000)
      yield* timePasses(network)
      const [left] = yield* sweepAll(connection)
      assert.deepInclude(left, { _tag: "Skipped", address: users[0]?.address ?? "" })
      assert.strictEqual(network.trx(bare(hotWallet)), 11 * 13_900_000 + 9_000_000)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("TRX used for one funding are not available for the next one in the same round", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* depositors(100, 50)
      // Enough for ten expected withdrawals and one funding, but not for a second one.
      network.sun.set(bare(hotWallet), 10 * 13_900_000 + 15_000_000)
      yield* timePasses(network)
      const events = yield* sweepAll(connection)
      assert.deepStrictEqual(
        events.flatMap((each) => (each._tag === "Skipped" ? [each.address] : [])),
        [users[1]?.address ?? ""]
      )
      assert.strictEqual(network.balance(bare(hotWallet)), 100_000_000n)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "an address that another key issued is skipped and reported, also in a dry run, and the others are swept",
    () =>
      Effect.gen(function* () {
        const { connection, network, worker } = yield* depositors(100)
        const before = yield* makeWorker([], { depositXpub: HDKey.fromExtendedKey(otherXprv).publicExtendedKey })
        const foreign = yield* depositor(before.chain)
        const own = yield* depositor(worker.chain)
        for (const { address } of [foreign, own]) network.deposit(address, 40_000_000n)
        network.sun.set(bare(foreign.address), 20_000_000)
        finalise(network)
        yield* worker.catchUp
        const { items } = yield* surveySweep(connection, terms)
        assert.deepStrictEqual(
          items.map(({ obstacle }) => obstacle !== null),
          [false, true, false]
        )
        yield* timePasses(network)
        const events = yield* sweepAll(connection)
        assert.deepStrictEqual(
          events.flatMap((each) => (each._tag === "Skipped" ? [each.address] : [])),
          [foreign.address]
        )
        assert.strictEqual(network.balance(bare(hotWallet)), 140_000_000n)
        assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("old balances of a node that is behind cause no second sweep and no second funding", () =>
    Effect.gen(function* () {
      const { connection, network, node, url, users, worker } = yield* depositors(100, 50)
      const all = { ...terms, all: true }
      // One needs TRX, the other one has enough.
      network.sun.set(bare(users[1]?.address ?? ""), 20_000_000)
      const before = network.head.number
      yield* Effect.scoped(Effect.andThen(timePasses(network), sweepAll(connection)))
      yield* worker.catchUp
      const behind = yield* startNode(network, { behind: () => network.head.number - before })
      assert.strictEqual((yield* Effect.exit(sweepAll(connectionTo(behind.url), { terms: all })))._tag, "Failure")
      node.fault = ({ method }) => (method === "getblock" ? undefined : { kind: "away" })
      yield* Effect.exit(Effect.timeout(sweepAll(connectionTo(url, behind.url), { terms: all }), "300 millis"))
      assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("a frozen address is skipped and reported, and the others are swept", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* depositors(100, 50)
      const [frozen] = users
      network.frozen.add(bare(frozen?.address ?? ""))
      yield* timePasses(network)
      const events = yield* sweepAll(connection)
      assert.deepInclude(events[0], { _tag: "Skipped", address: frozen?.address ?? "" })
      assert.strictEqual(network.balance(bare(hotWallet)), 50_000_000n)
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "a transaction that is never included is proven dead and rebuilt; one that fails is reported and not repeated",
    () =>
      Effect.gen(function* () {
        const { connection, network, users } = yield* depositors(100)
        const address = users[0]?.address ?? ""
        const dropped = new Set<string>()
        network.mishap = (id) => (dropped.size < 2 || dropped.has(id) ? (dropped.add(id), "drop") : undefined)
        yield* timePasses(network)
        const events = yield* sweepAll(connection)
        assert.deepStrictEqual(
          events.flatMap((each) => (each._tag === "Ended" ? [`${each.transfer.kind} ${each.as}`] : [])),
          ["funding dead", "funding dead", "funding done", "sweep done"]
        )
        assert.deepStrictEqual(countOn(network, address), { sent: 1, funded: 1 })
        network.deposit(address, 60_000_000n)
        network.mishap = () => "OUT_OF_ENERGY"
        yield* eventually(
          "the deposit is final",
          Effect.sync(() => network.balance(bare(address), network.solid.number) === 60_000_000n)
        )
        const again = yield* sweepAll(connection, { terms: { ...terms, all: true } })
        assert.deepStrictEqual(
          again.flatMap((each) => (each._tag === "Ended" ? [`${each.transfer.kind} ${each.as}`] : [])),
          ["funding done", "sweep failed"]
        )
        assert.strictEqual(network.balance(bare(address)), 60_000_000n)
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("an address is skipped after three of its transactions were never included", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* depositors(100)
      network.mishap = () => "drop"
      yield* timePasses(network)
      const events = yield* sweepAll(connection)
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "Started"),
        3
      )
      assert.deepInclude(events.at(-1), { _tag: "Skipped", address: users[0]?.address ?? "" })
      assert.deepStrictEqual(yield* (yield* SweepStore).open, [])
    }).pipe(inMarket, Effect.scoped)
  )

  it.live(
    "if the node becomes unavailable when a transaction ends, only a round is lost: its address is still swept and reported",
    () =>
      Effect.gen(function* () {
        const { connection, network, node, users } = yield* depositors(100)
        let away = false
        node.fault = () => (away ? { kind: "away" } : undefined)
        yield* timePasses(network)
        const events: Array<SweepEvent> = []
        yield* sweep(connection, terms, keys, (each) =>
          Effect.sync(() => {
            events.push(each)
            away = each._tag === "Ended"
          })
        )
        assert.deepStrictEqual(
          events.flatMap((each) => (each._tag === "Ended" ? [`${each.transfer.kind} ${each.as}`] : [])),
          ["funding done", "sweep done"]
        )
        assert.deepStrictEqual(countOn(network, users[0]?.address ?? ""), { sent: 1, funded: 1 })
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("faults at every call cost rounds but no money: each address is swept and funded once", () =>
    Effect.gen(function* () {
      const { connection, network, node, users } = yield* depositors(...Array.from({ length: 5 }, () => 20))
      const faults: ReadonlyArray<Fault> = [
        { kind: "away" },
        { kind: "lost" },
        { kind: "truncated" },
        { kind: "status", status: 429 },
        { kind: "body", text: "{}" },
        { kind: "body", text: `{"Error":"class java.lang.NullPointerException : null"}` }
      ]
      const onBroadcast: ReadonlyArray<Fault> = ["SERVER_BUSY", "DUP_TRANSACTION_ERROR", "OTHER_ERROR"].flatMap(
        (code): ReadonlyArray<Fault> => [
          { kind: "refuse", code },
          { kind: "tell", code }
        ]
      )
      // The same sequence in every run, without a period that could coincide with the sequence of calls.
      let state = 7
      const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
      const pick = (some: ReadonlyArray<Fault>) => some[Math.floor(next() * some.length)]
      node.fault = ({ method }) => {
        if (method === "broadcasttransaction" && next() < 0.5) return pick(onBroadcast)
        return next() < 0.1 ? pick(faults) : undefined
      }
      yield* timePasses(network)
      let runs = 0
      while ((yield* Effect.exit(sweepAll(connection)))._tag === "Failure" && runs < 100) runs++
      node.fault = () => undefined
      yield* sweepAll(connection)
      assert.strictEqual(network.balance(bare(hotWallet)), 100_000_000n)
      for (const { address } of users) assert.deepStrictEqual(countOn(network, address), { sent: 1, funded: 1 })
      yield* assertBooks
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("swept money pays withdrawals", () =>
    Effect.gen(function* () {
      const { connection, network, worker } = yield* depositors(100)
      const withdrawal = yield* withdraw(80)
      yield* worker.process
      assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "queued")
      yield* timePasses(network)
      yield* sweepAll(connection)
      for (let i = 0; i < 500 && (yield* withdrawalOf(withdrawal)).state !== "completed"; i++) yield* worker.process
      assert.strictEqual(network.balance(bare(receiver)), 80_000_000n)
    }).pipe(inMarket, Effect.scoped)
  )
})

describe("the account's private key", () => {
  const refusal = (key: string) => {
    const made = depositKeys(Redacted.make(key), xpub)
    return Result.isFailure(made) ? made.failure : undefined
  }

  it("a key of another account, a public key, a child key and invalid text are refused, and the reason repeats none of them", () => {
    assert.strictEqual(refusal(otherXprv), "is not the private key of TRON_DEPOSIT_XPUB")
    assert.strictEqual(refusal(xpub), "is a public key: the account's private key (xprv…) is needed")
    for (const wrong of ["", "xprv", `${xprv.slice(0, -1)}1`, "0".repeat(64)])
      assert.strictEqual(refusal(wrong), "is not an extended private key (xprv…)")
    assert.isUndefined(refusal(xprv))
  })

  it("signs for the addresses that the public key issues", () => {
    const made = Result.getOrThrow(depositKeys(Redacted.make(xprv), xpub))
    assert.deepStrictEqual(
      [0, 1, 2].map((index) => made(index).address),
      ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK", "TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx"]
    )
  })

  it.live("a destination that the market does not know gets nothing (TREASURY-2)", () =>
    Effect.gen(function* () {
      const { connection, network } = yield* depositors(100)
      const astray = { ...terms, hotWallet: receiver }
      assert.strictEqual((yield* Effect.flip(surveySweep(connection, astray)))._tag, "ForeignDestination")
      assert.strictEqual((yield* Effect.flip(sweepAll(connection, { terms: astray })))._tag, "ForeignDestination")
      assert.strictEqual((yield* surveySweep(connection, terms)).treasury.hot, hotWallet)
      network.mine(10)
      assert.strictEqual(network.balance(bare(receiver)), 0n)
    }).pipe(inMarket)
  )

  it.live("none of three concurrent sweeps reports an address as left behind (CHAIN-19)", () =>
    Effect.gen(function* () {
      const { network, url } = yield* depositors(100, 50, 30, 20)
      // Just enough for one process: what another one has reserved is not missing.
      const [kept, each] = [10 * (135_000 * 100 + 400_000), 64_285 * 1.2 * 100 + 400_000 + 1_100_000 + 400_000]
      network.sun.set(bare(hotWallet), Math.ceil(kept + 4 * (each + 1_100_000)))
      yield* timePasses(network)
      const all = yield* Effect.forEach([1, 2, 3], () => sweepAll(connectionTo(url)), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        all.flat().filter(({ _tag }) => _tag === "Skipped"),
        []
      )
      assert.strictEqual(network.balance(bare(hotWallet)), 200_000_000n)
    }).pipe(inMarket)
  )
})
