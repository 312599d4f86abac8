import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import { emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result, Stream } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { resultOf, fund, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const pendingDeposit = (account: Account, network: string, amount: number): Deposit => ({
  network,
  txid: freshText(),
  logIndex: 0,
  accountId: account.id,
  address: `T${freshText()}`,
  amount: usdt(amount),
  block: 7,
  at: 1_700_000_000_000
})

const withdrawn = Effect.fnUntraced(function* (account: Account, amount: number) {
  const clock = yield* MarketClock
  yield* clock.advance(1)
  return resultOf(yield* settle(Commands.withdraw(account, usdt(amount), usdt(1))), "Withdrawal").withdrawal
})

const lineCases = (it: StoreIt): void => {
  it.effect("a missing account has no wallet and no transactions", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const nobody = freshId("usr")
      assert.deepStrictEqual(yield* wallets.find(nobody), Option.none())
      assert.deepStrictEqual(yield* wallets.transactions(nobody, { page: 1, limit: 10 }), { items: [], total: 0 })
    })
  )

  it.effect("transactions are newest first, signed, each with the available balance after it (LEDGER-1, MONEY-6)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const wallets = yield* WalletStore
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
      yield* clock.advance(60)
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      yield* clock.advance(60)
      const withdrawal = yield* withdrawn(buyer, 20)
      resultOf(yield* settle(Commands.move(withdrawal, { to: "cancelled" })), "Withdrawal")
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      const { items, total } = yield* wallets.transactions(buyer.id, { page: 1, limit: 10 })
      assert.strictEqual(total, 5)
      assert.deepStrictEqual(
        items.map(({ amount, balanceAfter, reference, type }) => [type, amount, balanceAfter, reference]),
        [
          ["refund", usdt(10), usdt(100), purchase.id],
          ["release", usdt(21), usdt(90), withdrawal.id],
          ["hold", -usdt(21), usdt(69), withdrawal.id],
          ["purchase", -usdt(10), usdt(90), purchase.id],
          ["deposit", usdt(100), usdt(100), items[4]?.reference ?? ""]
        ]
      )
      assert.strictEqual(new Set(items.map(({ id }) => id)).size, 5, "ids are unique")
      const times = items.map(({ createdAt }) => createdAt)
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => b - a)
      )
      assert.strictEqual(items[3]?.createdAt, purchase.purchasedAt)
      const sold = yield* wallets.transactions(seller.id, { page: 1, limit: 10 })
      assert.deepStrictEqual(
        sold.items.map(({ amount, balanceAfter, type }) => [type, amount, balanceAfter]),
        [
          ["refund", -usdt(10), usdt(0)],
          ["fee", usdt(0.5), usdt(10)],
          ["fee", -usdt(0.5), usdt(9.5)],
          ["sale", usdt(10), usdt(10)]
        ]
      )
    })
  )

  it.effect("pages and the export contain the same transactions, each exactly once", () =>
    Effect.gen(function* () {
      const settlement = yield* SettlementStore
      const wallets = yield* WalletStore
      const account = yield* openAccount()
      for (let batch = 0; batch < 5; batch++) {
        yield* settlement.settle(
          Array.from({ length: 50 }, (_, n) => Commands.deposit(account, Usdt.of(BigInt(n + 1))))
        )
      }
      const exported = yield* Stream.runCollect(wallets.exportTransactions(account.id))
      assert.lengthOf(exported, 250)
      const paged = yield* Effect.forEach([1, 2, 3, 4], (page) =>
        wallets.transactions(account.id, { page, limit: 100 })
      )
      assert.deepStrictEqual(
        paged.flatMap(({ items }) => items),
        [...exported]
      )
      for (const { total } of paged) assert.strictEqual(total, 250)
      let balance = 0n
      for (const { amount, balanceAfter } of [...exported].toReversed()) {
        balance += amount
        assert.strictEqual(balanceAfter, Usdt.of(balance))
      }
      assert.strictEqual((yield* walletOf(account)).available, Usdt.of(balance))
      const none = yield* openAccount()
      assert.lengthOf(yield* Stream.runCollect(wallets.exportTransactions(none.id)), 0)
    })
  )

  it.effect("new earnings are in the wallet immediately, however they were credited", () =>
    Effect.gen(function* () {
      const { buyer, item, seller } = yield* market(usdt(100), { price: usdt(10) })
      const others = yield* Effect.forEach([1, 2, 3], () => openAccount())
      for (const other of others) yield* fund(other, usdt(10))
      for (const one of [buyer, ...others]) resultOf(yield* settle(Commands.buy(one, item)), "Bought")
      const wallet = yield* walletOf(seller)
      assert.deepStrictEqual([wallet.available, wallet.totalEarned, wallet.locked], [usdt(38), usdt(38), usdt(0)])
      yield* withdrawn(seller, 10)
      const after = yield* walletOf(seller)
      assert.deepStrictEqual([after.available, after.locked, after.totalEarned], [usdt(27), usdt(11), usdt(38)])
      yield* assertBooks
    })
  )

  it.effect("the audit counts wallets and postings", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const before = yield* wallets.audit
      yield* fund(yield* openAccount(), usdt(1))
      const after = yield* wallets.audit
      assert.deepStrictEqual([after.wallets - before.wallets, after.entries - before.entries], [1, 1])
      assert.deepStrictEqual([after.balanced, after.differences], [true, []])
      assert.deepStrictEqual([after.entriesRead, after.since], [after.entries, null])
    })
  )

  it.effect("an audit since the checkpoint reads each line once and covers all of them (OPERATOR-31)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const now = yield* (yield* MarketClock).now
      const first = yield* wallets.auditSinceCheckpoint(now)
      const { buyer, item } = yield* market(usdt(10), { price: usdt(4) })
      resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const second = yield* wallets.auditSinceCheckpoint(now + 1)
      const added = second.entries - first.entries
      assert.isAbove(added, 2)
      assert.deepStrictEqual([second.entriesRead, second.since, second.balanced], [added, now, true])
      assert.deepStrictEqual(second.wallets, (yield* wallets.audit).wallets)
      const third = yield* wallets.auditSinceCheckpoint(now + 2)
      assert.deepStrictEqual([third.entriesRead, third.since, third.entries], [0, now + 1, second.entries])
      assert.isTrue((yield* wallets.auditSinceCheckpoint(now + 3)).balanced)
      assert.deepStrictEqual((yield* wallets.audit).entriesRead, second.entries)
    })
  )
}

const addressCases = (it: StoreIt): void => {
  it.effect("a wallet's address is created on the first call and does not change (DEPOSIT-2)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const account = yield* openAccount()
      const tag = freshText()
      const seen: Array<number> = []
      const assign = wallets.assignAddress(account.id, (index) => {
        seen.push(index)
        return Effect.succeed(`T${tag}${index}`)
      })
      const address = yield* assign
      assert.strictEqual(yield* assign, address)
      assert.strictEqual(address, `T${tag}${seen[0]}`)
      assert.strictEqual((yield* walletOf(account)).depositAddress, address)
    })
  )

  it.effect("20 concurrent first calls give one wallet one address, and 20 wallets 20 indexes", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const tag = freshText()
      const assign = (account: Account) =>
        wallets.assignAddress(account.id, (index) => Effect.succeed(`T${tag}-${index}`))
      const account = yield* openAccount()
      const same = yield* Effect.forEach(Array.from({ length: 20 }), () => assign(account), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(same).size, 1)
      const accounts = yield* Effect.forEach(Array.from({ length: 20 }), () => openAccount())
      const own = yield* Effect.forEach(accounts, assign, { concurrency: "unbounded" })
      assert.strictEqual(new Set([...own, ...same]).size, 21)
      const owners = yield* wallets.ownersOf([...own, "Tnobody"])
      assert.deepStrictEqual(
        new Map(owners),
        new Map(own.map((address, i) => [address, accounts[i]?.id ?? account.id]))
      )
      assert.strictEqual((yield* wallets.ownersOf([])).size, 0)
    })
  )

  it.effect("a failed derivation leaves the wallet without an address, and the next call succeeds", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const account = yield* openAccount()
      const failed = yield* Effect.result(wallets.assignAddress(account.id, () => Effect.fail("down" as const)))
      assert.deepStrictEqual(failed, Result.fail("down" as const))
      assert.isNull((yield* walletOf(account)).depositAddress)
      const address = `T${freshText()}`
      assert.strictEqual(yield* wallets.assignAddress(account.id, () => Effect.succeed(address)), address)
    })
  )
}

const pendingCases = (it: StoreIt): void => {
  it.effect(
    "pending deposits are separate from the balance and are replaced for each network (WALLET-2, DEPOSIT-5)",
    () =>
      Effect.gen(function* () {
        const wallets = yield* WalletStore
        const [one, two] = [yield* openAccount(), yield* openAccount()]
        const [first, second] = [`test:${freshText()}`, `test:${freshText()}`]
        const pending = Effect.gen(function* () {
          return [(yield* walletOf(one)).pending, (yield* walletOf(two)).pending]
        })
        const kept = pendingDeposit(one, first, 5)
        yield* wallets.replacePending(first, [kept, pendingDeposit(one, first, 2), pendingDeposit(two, first, 1)])
        yield* wallets.replacePending(second, [pendingDeposit(two, second, 10)])
        assert.deepStrictEqual(yield* pending, [usdt(7), usdt(11)])
        yield* wallets.replacePending(first, [kept])
        assert.deepStrictEqual(yield* pending, [usdt(5), usdt(10)])
        yield* wallets.replacePending(first, [])
        yield* wallets.replacePending(second, [])
        assert.deepStrictEqual(yield* pending, [usdt(0), usdt(0)])
        const { depositAddress: _address, escrow, pending: _pending, ...balance } = yield* walletOf(one)
        assert.deepStrictEqual(escrow, [])
        assert.deepStrictEqual(balance, { ...emptyBalance })
      })
  )
}

const withdrawalCases = (it: StoreIt): void => {
  it.effect("lists only the account's withdrawals, newest first, page by page", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const [account, stranger] = [yield* openAccount(), yield* openAccount()]
      yield* fund(account, usdt(100))
      const made: Array<Withdrawal> = []
      for (const amount of [5, 6, 7]) made.unshift(yield* withdrawn(account, amount))
      const [newest] = made
      assert.isDefined(newest)
      assert.deepStrictEqual(yield* wallets.findWithdrawal(newest.id, account.id), Option.some(newest))
      assert.deepStrictEqual(yield* wallets.findWithdrawal(newest.id, stranger.id), Option.none())
      const list = (page: number) => wallets.listWithdrawals(account.id, { page, limit: 2 })
      assert.deepStrictEqual(yield* list(1), { items: made.slice(0, 2), total: 3 })
      assert.deepStrictEqual(yield* list(2), { items: made.slice(2), total: 3 })
      assert.deepStrictEqual(yield* wallets.listWithdrawals(stranger.id, { page: 1, limit: 2 }), {
        items: [],
        total: 0
      })
    })
  )

  it.effect("queued and sent withdrawals of all accounts are found oldest first", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const [one, two] = [yield* openAccount(), yield* openAccount()]
      for (const account of [one, two]) yield* fund(account, usdt(100))
      const made = [
        yield* withdrawn(one, 5),
        yield* withdrawn(two, 6),
        yield* withdrawn(one, 7),
        yield* withdrawn(two, 8)
      ]
      const [, second, third, fourth] = made
      if (second === undefined || third === undefined || fourth === undefined) return assert.fail()
      const transaction = { txid: freshText(), raw: "00", expiresAt: 5 }
      const sent = resultOf(yield* settle(Commands.move(third, { to: "broadcasting", transaction })), "Withdrawal")
      resultOf(yield* settle(Commands.move(fourth, { to: "cancelled" })), "Withdrawal")
      const own = (found: ReadonlyArray<Withdrawal>) =>
        found.filter(({ accountId }) => accountId === one.id || accountId === two.id)
      assert.deepStrictEqual(own(yield* wallets.withdrawalsIn("queued", 1000)), made.slice(0, 2))
      assert.deepStrictEqual(own(yield* wallets.withdrawalsIn("broadcasting", 1000)), [sent.withdrawal])
      assert.lengthOf(yield* wallets.withdrawalsIn("queued", 1), 1)
    })
  )

  it.effect("the load is the sum of queued withdrawals, and the number of those completed since a time", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const clock = yield* MarketClock
      const account = yield* openAccount()
      yield* fund(account, usdt(100))
      const start = yield* clock.now
      const before = yield* wallets.payoutLoad(start)
      const [queued, paid, cancelled] = [
        yield* withdrawn(account, 5),
        yield* withdrawn(account, 6),
        yield* withdrawn(account, 7)
      ]
      resultOf(yield* settle(Commands.move(cancelled, { to: "cancelled" })), "Withdrawal")
      const transaction = { txid: freshText(), raw: "00", expiresAt: 5 }
      resultOf(yield* settle(Commands.move(paid, { to: "broadcasting", transaction })), "Withdrawal")
      const during = yield* wallets.payoutLoad(start)
      assert.strictEqual(during.queued, before.queued + 1)
      assert.strictEqual(during.needed - before.needed, queued.amount)
      const done = Commands.move(paid, { to: "completed", txid: transaction.txid, tokenFee: null })
      const { completedAt } = resultOf(yield* settle(done), "Withdrawal").withdrawal
      assert.strictEqual((yield* wallets.payoutLoad(start)).completed, before.completed + 1)
      assert.strictEqual((yield* wallets.payoutLoad((completedAt ?? 0) + 1)).completed, 0)
    })
  )

  it.effect("payouts take turns over accounts; deferred ones and those of frozen accounts wait (WITHDRAWAL-22)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const accounts = yield* Effect.all([openAccount(), openAccount(), openAccount()])
      const [one, two, three] = accounts
      for (const account of accounts) yield* fund(account, usdt(100))
      const [a1, a2, a3, b1, b2, c1] = [
        yield* withdrawn(one, 5),
        yield* withdrawn(one, 6),
        yield* withdrawn(one, 7),
        yield* withdrawn(two, 5),
        yield* withdrawn(two, 6),
        yield* withdrawn(three, 5)
      ]
      const made = new Set([a1, a2, a3, b1, b2, c1].map(({ id }) => id))
      const payable = Effect.gen(function* () {
        const found = yield* wallets.payableWithdrawals(yield* clock.now, 10_000)
        return found.filter(({ withdrawal }) => accounts.some(({ id }) => id === withdrawal.accountId))
      })
      const ids = Effect.map(payable, (found) => found.map(({ withdrawal }) => withdrawal.id))
      assert.deepStrictEqual(yield* ids, [a1.id, b1.id, c1.id, a2.id, b2.id, a3.id])
      const transaction = { txid: freshText(), raw: "00", expiresAt: 5 }
      resultOf(yield* settle(Commands.move(a1, { to: "broadcasting", transaction })), "Withdrawal")
      assert.deepStrictEqual(yield* ids, [b1.id, c1.id, a2.id, b2.id, a3.id], "a payment in progress is a turn")
      yield* wallets.deferPayouts([b1.id, a1.id], (yield* clock.now) + 60_000, "refused")
      assert.deepStrictEqual(yield* ids, [b2.id, c1.id, a2.id, a3.id])
      yield* clock.advance(61)
      yield* wallets.deferPayouts([b1.id], yield* clock.now, "refused")
      yield* wallets.deferPayouts([b1.id], yield* clock.now, null)
      yield* clock.advance(1)
      const again = yield* payable
      assert.deepStrictEqual(
        again.map(({ refusals, withdrawal }) => [withdrawal.id, refusals]),
        [b2, c1, a2, b1, a3].map(({ id }) => [id, id === b1.id ? 2 : 0])
      )
      const refused = yield* wallets.refusedPayouts(1000)
      assert.deepStrictEqual(
        refused.filter(({ id }) => made.has(id)),
        [{ id: b1.id, reason: "refused" }]
      )
      assert.isTrue(yield* identity.setFrozen(two.id, { since: yield* clock.now, reason: null }))
      assert.deepStrictEqual(yield* ids, [c1.id, a2.id, a3.id])
      assert.lengthOf(yield* wallets.payableWithdrawals(yield* clock.now, 1), 1)
    })
  )
}

const reckoningCases = (it: StoreIt): void => {
  it.effect("the totals include all postings: balances and earnings equal deposits less withdrawals", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const before = yield* wallets.totals
      const { buyer, item } = yield* market(usdt(100), { price: usdt(10) })
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, item)), "Bought")
      const withdrawal = yield* withdrawn(buyer, 20)
      const transaction = { txid: freshText(), raw: "00", expiresAt: 5 }
      resultOf(yield* settle(Commands.move(withdrawal, { to: "broadcasting", transaction })), "Withdrawal")
      resultOf(yield* settle(Commands.move(withdrawal, { to: "completed", txid: transaction.txid })), "Withdrawal")
      const after = yield* wallets.totals
      assert.deepStrictEqual(
        [after.wallets - before.wallets, after.platform - before.platform].map(BigInt),
        [usdt(78.5), usdt(1.5)].map(BigInt)
      )
      assert.strictEqual(after.deposits - before.deposits, usdt(100) as bigint)
      assert.strictEqual(after.withdrawals - before.withdrawals, usdt(20) as bigint)
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      const refunded = yield* wallets.totals
      assert.strictEqual(refunded.platform - before.platform, usdt(1) as bigint)
      assert.strictEqual(refunded.wallets + refunded.platform, refunded.deposits - refunded.withdrawals)
    })
  )

  it.effect("every issued address is listed with its index and its credited deposits on a network", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const settlement = yield* SettlementStore
      const [network, tag] = [`test:${freshText()}`, freshText()]
      const accounts = yield* Effect.forEach([1, 2, 3], () => openAccount())
      const indexes = new Map<string, number>()
      for (const account of accounts.slice(0, 2)) {
        yield* wallets.assignAddress(account.id, (index) => {
          indexes.set(`T${tag}${index}`, index)
          return Effect.succeed(`T${tag}${index}`)
        })
      }
      const [first, second] = indexes.keys()
      const credit = (amount: number, on: string) => ({
        _tag: "CreditDeposit" as const,
        deposit: { ...pendingDeposit(accounts[0] ?? assert.fail(), on, amount), address: first ?? "" }
      })
      yield* settlement.settle([credit(5, network), credit(7, network), credit(100, `test:${freshText()}`)])
      const given = [...(yield* Stream.runCollect(wallets.issuedAddresses(network)))]
      assert.deepStrictEqual(
        given.map(({ index }) => index),
        given.map(({ index }) => index).toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        given.filter(({ address }) => indexes.has(address)),
        [
          { index: indexes.get(first ?? "") ?? -1, address: first ?? "", account: accounts[0]?.id, credited: usdt(12) },
          { index: indexes.get(second ?? "") ?? -1, address: second ?? "", account: accounts[1]?.id, credited: usdt(0) }
        ] as ReadonlyArray<unknown> as typeof given
      )
    })
  )
}

/** The contract of `WalletStore`. */
export const walletStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: WalletStore`, stores, (it) => {
    lineCases(it)
    addressCases(it)
    pendingCases(it)
    withdrawalCases(it)
    reckoningCases(it)
  })
