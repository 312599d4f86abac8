import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal, WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands, testNetwork } from "../fixtures/Commands.ts"
import { resultOf, fund, refusalOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { transactionsOf } from "../fixtures/transactionsOf.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"

const transaction = (): WithdrawalTransaction => ({ txid: freshText(), raw: "0a02", expiresAt: 1_700_000_000_123 })

/** A withdrawal of 20 with a fee of 1 out of 100. */
const queued = Effect.gen(function* () {
  const account = yield* openAccount()
  yield* fund(account, usdt(100))
  const { withdrawal } = resultOf(yield* settle(Commands.withdraw(account, usdt(20), usdt(1))), "Withdrawal")
  return { account, withdrawal }
})

const moved = Effect.fnUntraced(function* (withdrawal: Withdrawal, step: Parameters<typeof Commands.move>[1]) {
  return resultOf(yield* settle(Commands.move(withdrawal, step)), "Withdrawal").withdrawal
})

export const walletCases = (it: StoreIt): void => {
  it.effect("a deposit is credited once, however often it is seen (DEPOSIT-5)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const command = Commands.deposit(account, usdt(12.345678))
      for (const _ of [1, 2, 3]) resultOf(yield* settle(command), "Done")
      const { deposit } = command
      resultOf(yield* settle({ ...command, deposit: { ...deposit, logIndex: 1 } }), "Done")
      resultOf(yield* settle({ ...command, deposit: { ...deposit, network: `${testNetwork}:2` } }), "Done")
      const wallet = yield* walletOf(account)
      assert.deepStrictEqual([wallet.available, wallet.totalDeposits], [usdt(37.037034), usdt(37.037034)])
      const events = (yield* subjectEvents(`${deposit.txid}:0`)).filter(({ type }) => type === "deposit.confirmed")
      assert.lengthOf(events, 2, "one for each network")
      assert.deepStrictEqual(events[0]?.accounts, [account.id])
      assert.include(events[0]?.data, { txHash: deposit.txid, address: deposit.address, amount: "12.345678" })
    })
  )

  it.effect("a deposit of zero has no effect", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      resultOf(yield* settle(Commands.deposit(account, usdt(0))), "Done")
      assert.deepStrictEqual(yield* transactionsOf(account), [])
    })
  )

  it.effect("a thousand deposits and the position are written in one transaction, and only once", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const { settle: settleAll } = yield* SettlementStore
      const network = `test:${freshText()}`
      const accounts = yield* Effect.forEach(Array.from({ length: 20 }), () => openAccount())
      const deposits = Array.from({ length: 1000 }, (_, i) => {
        const command = Commands.deposit(accounts[i % 20] ?? assert.fail(), usdt(1))
        return { ...command, deposit: { ...command.deposit, network, logIndex: i } }
      })
      const all = [
        ...deposits,
        { _tag: "AdvanceCursor", network, position: { block: 7, id: null, agreed: 7 } } as const
      ]
      for (const _ of [1, 2]) assert.isTrue((yield* settleAll(all)).every(Result.isSuccess))
      assert.deepStrictEqual(yield* wallets.cursor(network), Option.some(7))
      for (const account of accounts) assert.strictEqual((yield* walletOf(account)).available, usdt(50))
      yield* assertBooks
    })
  )

  it.effect("the scan position of a network never moves back, and is stored with the block's id (CHAIN-23)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const network = `test:${freshText()}`
      assert.deepStrictEqual(yield* wallets.cursor(network), Option.none())
      assert.deepStrictEqual(yield* wallets.scanPosition(network), Option.none())
      for (const [block, expected] of [
        [0, 0],
        [70_000_000, 70_000_000],
        [69_999_999, 70_000_000],
        [70_000_001, 70_000_001]
      ] as const) {
        const position = { block, id: `id of ${block}`, agreed: block }
        resultOf(yield* settle({ _tag: "AdvanceCursor", network, position }), "Done")
        assert.deepStrictEqual(yield* wallets.cursor(network), Option.some(expected))
        const stored = { block: expected, id: `id of ${expected}`, agreed: expected }
        assert.deepStrictEqual(yield* wallets.scanPosition(network), Option.some(stored))
      }
      assert.include((yield* wallets.scanned).networks, network)
    })
  )

  it.effect(
    "the block up to which all sources agree moves apart from the scan position, and not back either (CHAIN-24)",
    () =>
      Effect.gen(function* () {
        const wallets = yield* WalletStore
        const network = `test:${freshText()}`
        for (const [position, expected] of [
          [
            { block: 10, id: "ten", agreed: 10 },
            { block: 10, id: "ten", agreed: 10 }
          ],
          [
            { block: 50, id: "fifty", agreed: 10 },
            { block: 50, id: "fifty", agreed: 10 }
          ],
          [
            { block: 50, id: "fifty", agreed: 30 },
            { block: 50, id: "fifty", agreed: 30 }
          ],
          [
            { block: 50, id: "fifty", agreed: 20 },
            { block: 50, id: "fifty", agreed: 30 }
          ],
          [
            { block: 40, id: "forty", agreed: 40 },
            { block: 50, id: "fifty", agreed: 40 }
          ],
          [
            { block: 60, id: null, agreed: 40 },
            { block: 60, id: null, agreed: 40 }
          ],
          [
            { block: 60, id: "sixty", agreed: 60 },
            { block: 60, id: "sixty", agreed: 60 }
          ]
        ] as const) {
          resultOf(yield* settle({ _tag: "AdvanceCursor", network, position }), "Done")
          assert.deepStrictEqual(yield* wallets.scanPosition(network), Option.some(expected))
        }
      })
  )

  it.effect("one transaction pays one withdrawal: the store refuses it for a second one", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      yield* fund(account, usdt(50))
      const sent = transaction()
      const [one, two] = yield* Effect.forEach([1, 2], () =>
        Effect.map(settle(Commands.withdraw(account, usdt(5), usdt(1))), (outcome) => resultOf(outcome, "Withdrawal"))
      )
      assert.isDefined(one)
      assert.isDefined(two)
      const step = { to: "broadcasting", transaction: sent } as const
      resultOf(yield* settle(Commands.move(one.withdrawal, step)), "Withdrawal")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(settle(Commands.move(two.withdrawal, step)))))
    })
  )

  it.effect("a withdrawal holds its amount and fee; one above the balance is refused", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const { account, withdrawal } = yield* queued
      assert.include(withdrawal, { state: "queued", attempts: 0, transaction: null, failure: null, completedAt: null })
      assert.deepStrictEqual(yield* wallets.findWithdrawal(withdrawal.id, account.id), Option.some(withdrawal))
      const wallet = yield* walletOf(account)
      assert.deepStrictEqual([wallet.available, wallet.locked, wallet.totalWithdrawals], [usdt(79), usdt(21), usdt(0)])
      const refusal = refusalOf(yield* settle(Commands.withdraw(account, usdt(78.5), usdt(1))), "InsufficientBalance")
      assert.deepStrictEqual([refusal.required, refusal.available], [usdt(79.5), usdt(79)])
    })
  )

  it.effect("a withdrawal that is broadcast and confirmed pays the amount out and keeps the fee (WITHDRAWAL-4)", () =>
    Effect.gen(function* () {
      const wallets = yield* WalletStore
      const { account, withdrawal } = yield* queued
      const sent = transaction()
      const broadcast = yield* moved(withdrawal, { to: "broadcasting", transaction: sent })
      assert.deepStrictEqual([broadcast.state, broadcast.attempts, broadcast.transaction], ["broadcasting", 1, sent])
      assert.strictEqual((yield* walletOf(account)).locked, usdt(21))
      refusalOf(yield* settle(Commands.move(withdrawal, { to: "cancelled" })), "Conflict")
      refusalOf(yield* settle(Commands.move(withdrawal, { to: "completed", txid: "another" })), "Conflict")
      const completed = yield* moved(withdrawal, { to: "completed", txid: sent.txid })
      assert.strictEqual(completed.state, "completed")
      assert.isNumber(completed.completedAt)
      const wallet = yield* walletOf(account)
      assert.deepStrictEqual([wallet.available, wallet.locked, wallet.totalWithdrawals], [usdt(79), usdt(0), usdt(21)])
      assert.deepStrictEqual(yield* transactionsOf(account), [
        "deposit 100.00",
        "hold -21.00",
        "release 21.00",
        "withdrawal -20.00",
        "fee -1.00"
      ])
      const event = yield* onlyEvent(withdrawal.id)
      assert.strictEqual(event.type, "withdrawal.completed")
      assert.include(event.data, { amount: "20.00", fee: "1.00", txHash: sent.txid })
      assert.deepStrictEqual(yield* wallets.findWithdrawal(withdrawal.id, account.id), Option.some(completed))
      yield* assertBooks
    })
  )

  it.effect("a transaction is abandoned or failed only by its own id, and another replaces it", () =>
    Effect.gen(function* () {
      const { withdrawal } = yield* queued
      const [first, second] = [transaction(), transaction()]
      yield* moved(withdrawal, { to: "broadcasting", transaction: first })
      refusalOf(yield* settle(Commands.move(withdrawal, { to: "broadcasting", transaction: second })), "Conflict")
      refusalOf(yield* settle(Commands.move(withdrawal, { to: "queued", abandoned: second.txid })), "Conflict")
      for (const txid of [null, second.txid])
        refusalOf(yield* settle(Commands.move(withdrawal, { to: "failed", reason: "reverted", txid })), "Conflict")
      const back = yield* moved(withdrawal, { to: "queued", abandoned: first.txid })
      assert.deepStrictEqual([back.state, back.transaction, back.attempts], ["queued", null, 1])
      const again = yield* moved(withdrawal, { to: "broadcasting", transaction: second })
      assert.deepStrictEqual([again.attempts, again.transaction], [2, second])
      refusalOf(yield* settle(Commands.move(withdrawal, { to: "completed", txid: first.txid })), "Conflict")
      yield* moved(withdrawal, { to: "completed", txid: second.txid })
    })
  )

  it.effect("a cancelled or failed withdrawal returns the money exactly once", () =>
    Effect.gen(function* () {
      for (const end of ["cancelled", "failed"] as const) {
        const { account, withdrawal } = yield* queued
        const step = end === "failed" ? ({ to: end, reason: "reverted", txid: null } as const) : ({ to: end } as const)
        const ended = yield* moved(withdrawal, step)
        assert.deepStrictEqual([ended.state, ended.failure], [end, end === "failed" ? "reverted" : null])
        for (const next of [step, { to: "broadcasting", transaction: transaction() } as const]) {
          assert.strictEqual(refusalOf(yield* settle(Commands.move(withdrawal, next)), "Conflict").state, end)
        }
        const wallet = yield* walletOf(account)
        assert.deepStrictEqual(
          [wallet.available, wallet.locked, wallet.totalWithdrawals],
          [usdt(100), usdt(0), usdt(0)]
        )
        const types = (yield* subjectEvents(withdrawal.id)).map(({ type }) => type)
        assert.deepStrictEqual(types, end === "failed" ? ["withdrawal.failed"] : [])
      }
      yield* assertBooks
    })
  )

  it.effect("a withdrawal that is missing or belongs to another account cannot be changed", () =>
    Effect.gen(function* () {
      const { withdrawal } = yield* queued
      const stranger = yield* openAccount()
      refusalOf(
        yield* settle(Commands.move({ ...withdrawal, accountId: stranger.id }, { to: "cancelled" })),
        "NotFound"
      )
      refusalOf(yield* settle(Commands.move({ ...withdrawal, id: freshId("wdr") }, { to: "cancelled" })), "NotFound")
    })
  )
}
