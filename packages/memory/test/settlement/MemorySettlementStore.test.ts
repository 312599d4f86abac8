import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { resultOf, fund, refusalOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { walletOf } from "@agent-marketplace/testkit/fixtures/walletOf"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { ConstraintViolated } from "../../src/ConstraintViolated.ts"
import { MemoryMarket } from "../../src/MemoryMarket.ts"
import { testStores } from "../testStores.ts"

describe("MemorySettlementStore", () => {
  it.effect("writes nothing of a batch that breaks a constraint", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const store = yield* SettlementStore
      const [seller, buyer] = [yield* openAccount(), yield* openAccount()]
      const [first, second] = [yield* listingOnSale(seller), yield* listingOnSale(seller)]
      yield* fund(buyer, usdt(100))
      const command = Commands.buy(buyer, first)
      resultOf(yield* settle(command), "Bought")
      const before = yield* log.read(undefined, 100)
      const wallet = yield* walletOf(buyer)

      const sameLicense = { ...Commands.buy(buyer, second), licenseKey: command.licenseKey }
      const exit = yield* Effect.exit(store.settle([Commands.deposit(buyer, usdt(5)), sameLicense]))
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof ConstraintViolated)
      assert.deepStrictEqual(yield* log.read(undefined, 100), before)
      assert.deepStrictEqual(yield* walletOf(buyer), wallet)
      assert.isFalse(yield* Effect.flatMap(PurchaseStore, ({ isLicensed }) => isLicensed(buyer.id, second.id)))
      assert.isTrue((yield* Effect.flatMap(WalletStore, ({ audit }) => audit)).balanced)
    }).pipe(Effect.provide(testStores))
  )

  it.effect("an account without a wallet is a fault, never one without money (LEDGER-4)", () =>
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const [seller, buyer, other] = [yield* openAccount(), yield* openAccount(), yield* openAccount()]
      const item = yield* listingOnSale(seller)
      for (const account of [buyer, other]) yield* fund(account, usdt(50))
      const isFault = (exit: Exit.Exit<unknown, unknown>) =>
        Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof ConstraintViolated
      for (const { id } of [buyer, seller]) {
        const wallet = yield* walletOf({ id })
        tables.wallets.delete(id)
        assert.isTrue(isFault(yield* Effect.exit(settle(Commands.buy(buyer, item)))), id)
        assert.isTrue(isFault(yield* Effect.exit(settle(Commands.deposit({ id }, usdt(5))))), id)
        assert.isTrue(isFault(yield* Effect.exit(identity.eraseAccount(id, yield* clock.now, null))), id)
        tables.wallets.set(id, wallet)
      }
      resultOf(yield* settle(Commands.buy(other, item)), "Bought")
      assert.isTrue((yield* Effect.flatMap(WalletStore, ({ audit }) => audit)).balanced)
    }).pipe(Effect.provide(testStores))
  )

  it.effect("settles 3,000 purchases of one buyer with a monthly limit quickly, and keeps the ledger balanced", () =>
    Effect.gen(function* () {
      const approvals = yield* ApprovalStore
      const store = yield* SettlementStore
      const [seller, buyer] = [yield* openAccount(), yield* openAccount()]
      yield* fund(buyer, usdt(3000))
      yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, monthlyLimit: usdt(3000) })
      for (let i = 0; i < 3000; i++) {
        const item = yield* listingOnSale(seller, { name: "A name that all have", price: usdt(1) })
        const [outcome] = yield* store.settle([Commands.buy(buyer, item)])
        if (outcome === undefined) return assert.fail("no outcome")
        resultOf(outcome, "Bought")
      }
      const more = yield* listingOnSale(seller, { price: usdt(1) })
      refusalOf(yield* settle(Commands.buy(buyer, more)), "SpendingLimitExceeded")
      assert.strictEqual((yield* walletOf(buyer)).available, 0n)
      assert.strictEqual((yield* walletOf(seller)).available, usdt(2850))
      assert.isTrue((yield* Effect.flatMap(WalletStore, ({ audit }) => audit)).balanced)
    }).pipe(Effect.provide(testStores))
  )
})
