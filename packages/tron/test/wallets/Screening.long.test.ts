import { ScreeningStore } from "@agent-marketplace/core/screening/ScreeningStore"
import type { Screening } from "@agent-marketplace/core/screening/Screening"
import { ScreeningUnavailable } from "@agent-marketplace/core/screening/Screening"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { resultOf, settle, settleAtOnce } from "@agent-marketplace/testkit/fixtures/settle"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import type { StoreStep } from "../fixtures/market.ts"
import {
  depositor,
  finalise,
  inMarket,
  makeWorker,
  moneyOf,
  units,
  withdraw,
  withdrawalOf
} from "../fixtures/market.ts"
import { startNetwork } from "../fixtures/tronMarket.ts"

const thief = TronEncoding.nobody("a thief")
const stranger = TronEncoding.nobody("a stranger")
const evidence = { source: "deny list stolen.txt", reference: "line 4" }

/** Screening that a test switches. `screened` lists the addresses. */
const makeScreening = () => {
  const flagged = new Set([thief])
  const screened: Array<string> = []
  let down = false
  const service: Screening["Service"] = {
    screen: ({ address }) =>
      Effect.suspend(() => {
        screened.push(address)
        if (down) return Effect.fail(new ScreeningUnavailable({ reason: "screening.test: status 503" }))
        return Effect.succeed(flagged.has(address) ? evidence : null)
      })
  }
  return { service, flagged, screened, fail: (isDown: boolean) => void (down = isDown) }
}

/** A network, and workers that share the screening. */
const start = Effect.gen(function* () {
  const { network, url } = yield* startNetwork({})
  const screening = makeScreening()
  const worker = (step?: StoreStep) => makeWorker([url], {}, step, undefined, screening.service)
  const first = yield* worker()
  yield* first.catchUp
  return { network, screening, worker, first, user: yield* depositor(first.chain) }
})

const held = Effect.gen(function* () {
  const store = yield* ScreeningStore
  return (yield* store.list({}, { page: 1, limit: 100 })).items
})

describe("screening of deposits on TRON", () => {
  it.live("a flagged sender's deposit is held with the evidence, others are credited (SCREENING-3, SCREENING-5)", () =>
    Effect.gen(function* () {
      const { first, network, screening, user } = yield* start
      network.deposit(user.address, 30_000_000n, thief)
      network.deposit(user.address, 5_000_000n, stranger)
      finalise(network)
      yield* first.catchUp
      assert.sameMembers(screening.screened, [thief, stranger])
      assert.deepStrictEqual(yield* moneyOf(user), { available: 5_000_000n, locked: 0n, pending: 30_000_000n })
      const [deposit, ...more] = yield* held
      assert.lengthOf(more, 0)
      assert.deepInclude(deposit, { state: "held", sender: thief, evidence, accountId: user.id, amount: units(30) })
      const { id } = deposit ?? assert.fail()
      const release = () =>
        Commands.decideDeposit(user, id, { to: "released", action: actionDraft("deposit.release", id) })
      const outcomes = yield* settleAtOnce([release(), release()])
      assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
      yield* first.catchUp
      assert.deepStrictEqual(yield* moneyOf(user), { available: 35_000_000n, locked: 0n, pending: 0n })
      yield* assertBooks
    }).pipe(inMarket)
  )

  it.live(
    "while screening is down the scan continues and credits nothing; afterwards each deposit is credited once (SCREENING-4)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const store = yield* ScreeningStore
        const { first, network, screening, user } = yield* start
        screening.fail(true)
        for (const from of [stranger, thief, stranger, stranger]) network.deposit(user.address, 1_000_000n, from)
        finalise(network)
        yield* first.catchUp
        yield* first.catchUp
        assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 4_000_000n })
        for (let i = 0; i < 3; i++) {
          yield* first.screenDue
          yield* clock.advance(31)
        }
        const { failure, held: waiting, unscreened } = yield* store.standing
        assert.deepStrictEqual([failure, waiting], ["screening.test: status 503", 0])
        assert.isAtLeast(unscreened, 1)
        assert.deepStrictEqual(yield* moneyOf(user), { available: 0n, locked: 0n, pending: 4_000_000n })
        screening.fail(false)
        yield* first.screenDue
        yield* first.screenDue
        assert.deepStrictEqual(yield* moneyOf(user), { available: 3_000_000n, locked: 0n, pending: 1_000_000n })
        assert.deepInclude(yield* store.standing, { held: 1, unscreened: 0, failure: null })
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live("a worker that is killed between screening and crediting loses nothing and credits once (SCREENING-4)", () =>
    Effect.gen(function* () {
      for (const when of ["before", "after"] as const) {
        for (const isDown of [false, true]) {
          yield* Effect.gen(function* () {
            const { network, screening, user, worker } = yield* start
            screening.fail(isDown)
            network.deposit(user.address, 2_000_000n, stranger)
            network.deposit(user.address, 3_000_000n, thief)
            finalise(network)
            const dying = yield* worker((moment) => (moment === when ? Effect.die("killed") : Effect.void))
            assert.strictEqual((yield* Effect.exit(dying.catchUp))._tag, "Failure")
            assert.isNotEmpty(screening.screened)
            const next = yield* worker()
            yield* next.catchUp
            screening.fail(false)
            // The second worker dies while it decides what the first one has left.
            const dyingToo = yield* worker((moment) => (moment === when ? Effect.die("killed") : Effect.void))
            assert.strictEqual((yield* Effect.exit(dyingToo.screenDue))._tag, isDown ? "Failure" : "Success")
            yield* next.screenDue
            yield* next.catchUp
            assert.deepStrictEqual(
              yield* moneyOf(user),
              { available: 2_000_000n, locked: 0n, pending: 3_000_000n },
              `killed ${when} the transaction`
            )
            yield* assertBooks
          }).pipe(inMarket, Effect.scoped)
        }
      }
    })
  )
})

describe("screening of withdrawals on TRON", () => {
  it.live(
    "a destination that was flagged since the request is not paid before the operator approves it (SCREENING-8)",
    () =>
      Effect.gen(function* () {
        const { first, network, screening } = yield* start
        network.fund(hotWallet, 1_000_000_000n)
        const withdrawal = yield* withdraw(20)
        screening.flagged.add(withdrawal.destinationAddress)
        for (let i = 0; i < 3; i++) {
          yield* first.process
          network.mine(8)
        }
        const waiting = yield* withdrawalOf(withdrawal)
        assert.deepInclude(waiting, { state: "in_review", attempts: 0, transaction: null })
        assert.deepStrictEqual(waiting.screening, { ...evidence, approved: false })
        assert.strictEqual(network.balance(bare(receiver)), 0n)
        const action = actionDraft("withdrawal.approve", withdrawal.id)
        resultOf(yield* settle(Commands.move(withdrawal, { to: "approved", action })), "Withdrawal")
        const screened = screening.screened.length
        for (let i = 0; i < 4; i++) {
          yield* first.process
          network.mine(8)
        }
        finalise(network)
        yield* first.process
        assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "completed")
        assert.strictEqual(screening.screened.length, screened, "it is not screened again")
        assert.strictEqual(network.balance(bare(receiver)), 20_000_000n)
        yield* assertBooks
      }).pipe(inMarket)
  )

  it.live("while screening is down no withdrawal is paid; afterwards each is paid once (SCREENING-4)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* ScreeningStore
      const { first, network, screening } = yield* start
      network.fund(hotWallet, 1_000_000_000n)
      screening.fail(true)
      const withdrawal = yield* withdraw(20)
      yield* first.process
      const screened = screening.screened.length
      yield* first.process
      assert.strictEqual(screening.screened.length, screened, "it waits before it is screened again")
      assert.deepInclude(yield* store.standing, { unscreened: 1, failure: "screening.test: status 503" })
      assert.deepInclude(yield* withdrawalOf(withdrawal), { state: "queued", attempts: 0 })
      screening.fail(false)
      yield* clock.advance(6)
      for (let i = 0; i < 4; i++) {
        yield* first.process
        network.mine(8)
      }
      finalise(network)
      yield* first.process
      assert.strictEqual((yield* withdrawalOf(withdrawal)).state, "completed")
      assert.strictEqual(network.balance(bare(receiver)), 20_000_000n)
      assert.deepInclude(yield* store.standing, { unscreened: 0 })
      yield* assertBooks
    }).pipe(inMarket)
  )
})
