import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, refusalOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { waiting } from "./approvalCases.ts"

const times = <A>(n: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length: n }, (_, i) => make(i))

const accepted = (outcomes: ReadonlyArray<Result.Result<unknown, unknown>>) => outcomes.filter(Result.isSuccess).length

export const concurrencyCases = (it: StoreIt): void => {
  it.effect("50 concurrent purchases of one item by one buyer sell it once (BUY-14)", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(1000))
      const outcomes = yield* settleAtOnce(times(50, () => Commands.buy(buyer, item)))
      assert.strictEqual(accepted(outcomes), 1)
      for (const one of outcomes) if (Result.isFailure(one)) refusalOf(one, "AlreadyPurchased")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(990))
      assert.strictEqual((yield* walletOf(seller)).available, usdt(9.5))
      yield* assertBooks
    })
  )

  it.effect("money for 10 of 40 concurrent purchases buys 10 (BUY-14)", () =>
    Effect.gen(function* () {
      const { buyer, seller } = yield* market(usdt(10.9))
      const items = yield* Effect.forEach(
        times(40, (i) => i),
        () => listingOnSale(seller, { price: usdt(1) })
      )
      const outcomes = yield* settleAtOnce(items.map((item) => Commands.buy(buyer, item)))
      assert.strictEqual(accepted(outcomes), 10)
      for (const one of outcomes) if (Result.isFailure(one)) refusalOf(one, "InsufficientBalance")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(0.9))
      assert.strictEqual((yield* walletOf(seller)).available, usdt(9.5))
      yield* assertBooks
    })
  )

  it.effect(
    "a daily limit for 7 allows 7 of 40 concurrent purchases, over all agents of the owner (POLICY-8, BUY-14)",
    () =>
      Effect.gen(function* () {
        const approvals = yield* ApprovalStore
        const { buyer, seller } = yield* market(usdt(1000))
        const agents = [yield* claimedAgent(buyer.id), yield* claimedAgent(buyer.id)]
        yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, dailyLimit: usdt(7) })
        const items = yield* Effect.forEach(
          times(40, (i) => i),
          () => listingOnSale(seller, { price: usdt(1) })
        )
        const commands = items.map((item, i) => {
          const agent = agents[i % 3]
          return Commands.buy(buyer, item, agent === undefined ? {} : { agentId: agent.id })
        })
        const outcomes = yield* settleAtOnce(commands)
        assert.strictEqual(accepted(outcomes), 7)
        for (const one of outcomes) {
          if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "SpendingLimitExceeded").limit, "daily")
        }
        assert.strictEqual((yield* walletOf(buyer)).available, usdt(993))
      })
  )

  it.effect("an agent's own limit also holds for concurrent purchases", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const { buyer, seller } = yield* market(usdt(1000))
      const agent = yield* claimedAgent(buyer.id)
      yield* approvals.setPolicy(agent.id, { ...defaultPolicy, monthlyLimit: usdt(3) })
      const items = yield* Effect.forEach(
        times(15, (i) => i),
        () => listingOnSale(seller, { price: usdt(1) })
      )
      const outcomes = yield* settleAtOnce(items.map((item) => Commands.buy(buyer, item, { agentId: agent.id })))
      assert.strictEqual(accepted(outcomes), 3)
    })
  )

  it.effect("a deposit that 20 workers see concurrently is credited once (DEPOSIT-5)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const command = Commands.deposit(account, usdt(5))
      const outcomes = yield* settleAtOnce(times(20, () => command))
      for (const outcome of outcomes) resultOf(outcome, "Done")
      assert.strictEqual((yield* walletOf(account)).available, usdt(5))
      assert.lengthOf(yield* subjectEvents(`${command.deposit.txid}:0`), 1)
    })
  )

  it.effect("concurrent withdrawals and purchases share one balance", () =>
    Effect.gen(function* () {
      const { buyer, seller } = yield* market(usdt(50))
      const items = yield* Effect.forEach(
        times(10, (i) => i),
        () => listingOnSale(seller, { price: usdt(10) })
      )
      const outcomes = yield* settleAtOnce([
        ...items.map((item) => Commands.buy(buyer, item)),
        ...times(10, () => Commands.withdraw(buyer, usdt(9), usdt(1)))
      ])
      assert.strictEqual(accepted(outcomes), 5)
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(0))
      yield* assertBooks
    })
  )

  it.effect("of 20 concurrent decisions on one approval one takes effect", () =>
    Effect.gen(function* () {
      const { approval, buyer, seller } = yield* waiting
      const outcomes = yield* settleAtOnce(
        times(20, (i) => Commands.decide(approval, i % 2 === 0 ? "approve" : "reject"))
      )
      assert.strictEqual(accepted(outcomes), 1)
      for (const one of outcomes) if (Result.isFailure(one)) refusalOf(one, "Conflict")
      const [wallet, earned] = [yield* walletOf(buyer), yield* walletOf(seller)]
      assert.strictEqual(wallet.locked, usdt(0))
      assert.strictEqual(wallet.available, earned.available === usdt(0) ? usdt(100) : usdt(90))
      yield* assertBooks
    })
  )

  it.effect("of 20 concurrent refunds of one purchase one pays", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(10))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      yield* fund(seller, usdt(100))
      const outcomes = yield* settleAtOnce(
        times(20, (i) => Commands.refund(purchase, i % 2 === 0 ? "seller" : "admin"))
      )
      assert.strictEqual(accepted(outcomes), 1)
      for (const one of outcomes) if (Result.isFailure(one)) refusalOf(one, "Conflict")
      assert.strictEqual((yield* walletOf(buyer)).available, usdt(10))
      assert.strictEqual((yield* walletOf(seller)).available, usdt(100))
    })
  )

  it.effect("a withdrawal that is concurrently cancelled and broadcast ends in one of the two states", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      yield* fund(account, usdt(100))
      const { withdrawal } = resultOf(yield* settle(Commands.withdraw(account, usdt(20), usdt(1))), "Withdrawal")
      const outcomes = yield* settleAtOnce(
        times(10, (i) =>
          Commands.move(
            withdrawal,
            i % 2 === 0
              ? { to: "cancelled" }
              : { to: "broadcasting", transaction: { txid: `${withdrawal.id}-${i}`, raw: "00", expiresAt: 1 } }
          )
        )
      )
      assert.strictEqual(accepted(outcomes), 1)
    })
  )

  it.effect(
    "concurrent purchases among all accounts in overlapping batches cause no deadlock, and the ledger balances",
    () =>
      Effect.gen(function* () {
        const store = yield* SettlementStore
        const accounts = yield* Effect.forEach(
          times(6, (i) => i),
          () => openAccount()
        )
        yield* Effect.forEach(accounts, (account) => fund(account, usdt(20)))
        const items = yield* Effect.forEach(
          accounts.flatMap((account) => [account, account]),
          (seller) => listingOnSale(seller, { price: usdt(3) })
        )
        const commands = accounts.flatMap((buyer) => items.map((item) => Commands.buy(buyer, item)))
        const batches = times(12, (i) => commands.filter((_, n) => n % 12 === i))
        const outcomes = yield* Effect.forEach(
          batches.map((batch, i) => (i % 2 === 0 ? batch : batch.toReversed())),
          (batch) => store.settle(batch),
          { concurrency: "unbounded" }
        )
        const refused = outcomes.flat().flatMap((one) => (Result.isFailure(one) ? [one.failure._tag] : []))
        assert.lengthOf(
          refused.filter((tag) => tag === "OwnListing"),
          12
        )
        assert.lengthOf(
          refused.filter((tag) => tag !== "OwnListing" && tag !== "InsufficientBalance"),
          0
        )
        for (const account of accounts) assert.isTrue((yield* walletOf(account)).available >= 0n)
        yield* assertBooks
      })
  )
}
