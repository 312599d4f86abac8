import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import type { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connect } from "../../src/chain/TronConnection.ts"
import { reconcile } from "../../src/treasury/Reconciliation.ts"
import { hotWallet } from "../fixtures/keys.ts"
import { finalise, inMarket, units } from "../fixtures/market.ts"
import { depositors, sweepAll, timePasses } from "../fixtures/treasury.ts"
import { settingsOf, startNode, testTimings } from "../fixtures/tronMarket.ts"

const terms = { hotWallet, own: 0n }

const noOthers = { coldWallet: null, formerWallets: null }

const outside = TronEncoding.nobody("outside")

/** A transfer that is not in the books. */
const byHand = (network: TronNetwork, from: string, to: string, amount: bigint) => {
  network.outside([network.log(from, to, amount)])
  finalise(network)
}

describe("reconciliation", () => {
  it.live("agrees before and after sweeps and withdrawals, and reports what is owed and held (CHAIN-20)", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* depositors(100, 50)
      const before = yield* reconcile(connection, terms)
      assert.deepStrictEqual(before.differences, [])
      assert.deepStrictEqual(before.owed, {
        wallets: usdt(150),
        platform: 0n,
        held: usdt(0),
        unattributed: usdt(0),
        deposits: usdt(150),
        withdrawals: usdt(0)
      })
      assert.deepStrictEqual(before.held, { addresses: usdt(150), hotWallet: usdt(0), ...noOthers })

      const passing = yield* Effect.scoped(Effect.andThen(timePasses(network), Effect.as(sweepAll(connection), true)))
      assert.isTrue(passing)
      const [user] = users
      const command = Commands.withdraw(user ?? assert.fail(), units(20), units(1))
      resultOf(yield* settle(command), "Withdrawal")
      // Nothing is paid before the scan is close to the final block.
      yield* worker.catchUp
      yield* worker.process
      finalise(network)
      const paidNotBooked = yield* reconcile(connection, terms)
      assert.deepStrictEqual(paidNotBooked.differences, [])
      assert.strictEqual(paidNotBooked.underWay.withdrawals, usdt(20))
      yield* worker.process
      const after = yield* reconcile(connection, terms)
      assert.deepStrictEqual(after.differences, [])
      assert.deepStrictEqual(after.held, { addresses: usdt(0), hotWallet: usdt(130), ...noOthers })
      assert.deepStrictEqual([after.owed.wallets, after.owed.platform], [usdt(129), usdt(1) as bigint])
    }).pipe(inMarket)
  )

  it.live("a final deposit that is not credited yet is in progress, not a difference", () =>
    Effect.gen(function* () {
      const { connection, network, users } = yield* depositors(100)
      network.deposit(users[0]?.address ?? "", 7_000_000n)
      finalise(network)
      const found = yield* reconcile(connection, terms)
      assert.deepStrictEqual(found.differences, [])
      assert.strictEqual(found.underWay.deposits, usdt(7))
      assert.strictEqual(found.held.addresses, usdt(107))
    }).pipe(inMarket)
  )

  it.live("a final sweep that is not recorded as done yet is in progress, not a difference", () =>
    Effect.gen(function* () {
      const { connection, network } = yield* depositors(100)
      const store = yield* SweepStore
      const forgetful = Layer.succeed(SweepStore, {
        ...store,
        end: (txid, as) =>
          Effect.flatMap(store.open, ([first]) =>
            first?.kind === "sweep" ? Effect.die("killed") : store.end(txid, as)
          )
      })
      yield* Effect.scoped(
        Effect.andThen(timePasses(network), Effect.exit(Effect.provide(sweepAll(connection), forgetful)))
      )
      const found = yield* reconcile(connection, terms)
      assert.deepStrictEqual(found.differences, [])
      assert.deepStrictEqual(found.underWay.sweeps, usdt(100))
      assert.deepStrictEqual(found.held, { addresses: usdt(0), hotWallet: usdt(100), ...noOthers })
    }).pipe(inMarket)
  )

  it.live(
    "reports each difference: an address emptied manually, money that was not credited, a hot wallet that was topped up",
    () =>
      Effect.gen(function* () {
        const { connection, network, users, worker } = yield* depositors(100, 50, 20)
        const [emptied, helped] = users.map(({ address }) => address)
        byHand(network, emptied ?? "", outside, 40_000_000n)
        // A transfer from the service's own wallet to a deposit address is not a deposit.
        network.fund(hotWallet, 5_000_000n)
        byHand(network, hotWallet, helped ?? "", 3_000_000n)
        yield* worker.catchUp
        const { differences } = yield* reconcile(connection, terms)
        assert.deepStrictEqual(differences, [
          { where: "hot wallet", address: hotWallet, expected: 0n, found: 2_000_000n },
          { where: "deposit address", address: emptied ?? "", expected: 100_000_000n, found: 60_000_000n },
          { where: "deposit address", address: helped ?? "", expected: 50_000_000n, found: 53_000_000n }
        ])
        const own = yield* reconcile(connection, { hotWallet, own: 2_000_000n })
        assert.lengthOf(own.differences, 2)
      }).pipe(inMarket)
  )

  it.live("agrees at any time while deposits arrive, are swept and are paid out", () =>
    Effect.gen(function* () {
      const { connection, network, users, worker } = yield* depositors(100, 50, 20)
      yield* timePasses(network)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.exit(worker.scan), Effect.sleep("3 millis"))))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.exit(worker.process), Effect.sleep("5 millis"))))
      yield* Effect.forkScoped(Effect.forever(sweepAll(connection)))
      for (let i = 0; i < 6; i++) {
        const user = users[i % 3] ?? assert.fail()
        network.deposit(user.address, 30_000_000n)
        if (i > 2) yield* settle(Commands.withdraw(user, units(10), units(1)))
        assert.deepStrictEqual((yield* reconcile(connection, terms)).differences, [])
        assert.isTrue(network.balance(bare(hotWallet)) >= 0n)
      }
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("a chain that is behind the scan position is refused, instead of reporting missing money", () =>
    Effect.gen(function* () {
      const { connection, network, node } = yield* depositors(100, 50)
      node.behind = () => 6
      const { reason } = yield* Effect.flip(reconcile(connection, terms)) as Effect.Effect<ChainUnavailable>
      assert.include(reason, "is below the scan position")
      network.mine(6)
      assert.deepStrictEqual((yield* reconcile(connection, terms)).differences, [])
    }).pipe(inMarket)
  )

  it.live("old balances of a node that is behind are not differences if another node is up to date", () =>
    Effect.gen(function* () {
      const { network, node, url } = yield* depositors(100, 50)
      const behind = yield* startNode(network, { behind: () => 100 })
      // The node that is up to date fails every other request for a balance.
      let asked = 0
      node.fault = ({ method }) =>
        method === "triggerconstantcontract" && asked++ % 2 === 0 ? { kind: "away" } : undefined
      const connection = connect(settingsOf([url, behind.url], { timings: { ...testTimings, still: 0 } }))
      assert.deepStrictEqual((yield* reconcile(connection, terms)).differences, [])
    }).pipe(inMarket)
  )

  it.live(
    "a withdrawal whose call succeeded without its transfer is not counted as paid and does not stop the reconciliation",
    () =>
      Effect.gen(function* () {
        const { connection, network, users, worker } = yield* depositors(100)
        network.fund(hotWallet, 20_000_000n)
        const command = Commands.withdraw(users[0] ?? assert.fail(), units(20), units(1))
        resultOf(yield* settle(command), "Withdrawal")
        yield* worker.process
        finalise(network)
        network.fund(hotWallet, 20_000_000n)
        for (const { infos } of network.blocks)
          for (const info of infos)
            if (network.pool.length === 0 && info.log !== undefined) Object.assign(info, { log: [] })
        const found = yield* reconcile(connection, { hotWallet, own: 20_000_000n })
        assert.deepStrictEqual([found.differences, found.underWay.withdrawals], [[], usdt(0)])
      }).pipe(inMarket)
  )
})
