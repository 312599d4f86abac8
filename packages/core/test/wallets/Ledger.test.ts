import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { AccountId } from "../../src/ids/Ids.ts"
import { platformFee } from "../../src/money/Fee.ts"
import { Usdt } from "../../src/money/Usdt.ts"
import type { Change } from "../../src/settlement/Change.ts"
import { Postings } from "../../src/settlement/Postings.ts"
import type { LedgerLine, LineType, WalletBalance } from "../../src/wallets/Ledger.ts"
import { emptyBalance, lockedOf, post, transactionType, walletOf } from "../../src/wallets/Ledger.ts"

const accounts = ["usr_1", "usr_2", "usr_3"].map((id) => id as AccountId)
const account = fc.constantFrom(...accounts)
const amount = fc.bigInt({ min: 0n, max: 1_000_000_000n }).map(Usdt.of)
const posting = (units: Usdt) => ({ amount: units, reference: "pur_1", at: 0 })

const pair = fc.tuple(account, account).filter(([one, two]) => one !== two)

/** The changes of one movement of money, of any kind. */
const movement: fc.Arbitrary<ReadonlyArray<Change>> = fc.oneof(
  fc.tuple(account, amount).map(([to, units]) => Postings.deposit(to, posting(units))),
  fc.tuple(account, amount).map(([of, units]) => Postings.hold(of, posting(units))),
  fc.tuple(account, amount).map(([of, units]) => Postings.release(of, posting(units))),
  fc
    .tuple(pair, amount, fc.nat({ max: 10_000 }))
    .map(([[buyer, seller], units, bps]) => Postings.sale(buyer, seller, posting(units), platformFee(units, bps))),
  fc
    .tuple(pair, amount, fc.nat({ max: 10_000 }), amount)
    .map(([[buyer, seller], units, bps, cover]) =>
      Postings.refund(buyer, seller, posting(units), platformFee(units, bps), cover)
    ),
  fc.tuple(account, amount, amount).map(([of, units, fee]) => Postings.withdrawal(of, posting(units), fee))
)

const linesOf = (changes: ReadonlyArray<Change>): ReadonlyArray<LedgerLine> =>
  changes.flatMap((change) => (change._tag === "Line" ? [change.line] : assert.fail("only lines move money")))

const history = fc.array(movement, { maxLength: 60 }).map((movements) => linesOf(movements.flat()))

const balanceOf = (lines: ReadonlyArray<LedgerLine>, id: AccountId): WalletBalance =>
  lines.reduce((balance, line) => post(balance, id, line), emptyBalance)

describe("the ledger (LEDGER-4)", () => {
  it("for every wallet available + locked = deposits + earned − spent − withdrawals + debt", () => {
    fc.assert(
      fc.property(history, (lines) => {
        for (const id of accounts) {
          const { available, locked, ...totals } = balanceOf(lines, id)
          assert.strictEqual(
            available + locked,
            totals.totalDeposits + totals.totalEarned - totals.totalSpent - totals.totalWithdrawals + totals.debt
          )
        }
      })
    )
  })

  it("a wallet's balance is its credits minus its debits", () => {
    fc.assert(
      fc.property(history, (lines) => {
        const sum = (name: string) =>
          lines.reduce((sum, { amount: units, credit, debit }) => {
            return sum + (credit === name ? units : 0n) - (debit === name ? units : 0n)
          }, 0n)
        for (const id of accounts) {
          const { available, locked } = balanceOf(lines, id)
          assert.deepStrictEqual([available, locked], [sum(walletOf(id)), sum(lockedOf(id))] as never)
        }
        const names = new Set(lines.flatMap(({ credit, debit }) => [credit, debit]))
        assert.strictEqual(
          [...names].reduce((all, name) => all + sum(name), 0n),
          0n,
          "the books balance"
        )
      })
    )
  })

  it("the order of posting does not matter", () => {
    fc.assert(
      fc.property(history, account, (lines, id) => {
        assert.deepStrictEqual(balanceOf(lines.toReversed(), id), balanceOf(lines, id))
      })
    )
  })

  it("a line of other accounts does not change a wallet", () => {
    const lines = linesOf(Postings.sale(accounts[1]!, accounts[2]!, posting(Usdt.of(9n)), Usdt.of(1n)))
    assert.deepStrictEqual(balanceOf(lines, accounts[0]!), emptyBalance)
  })

  it("every line moves an amount above zero between two accounts; an amount of zero makes no line", () => {
    fc.assert(
      fc.property(history, (lines) => {
        for (const line of lines) {
          assert.isTrue(line.amount > 0n)
          assert.notStrictEqual(line.debit, line.credit)
        }
      })
    )
    const [one, two] = [accounts[0]!, accounts[1]!]
    assert.deepStrictEqual(Postings.deposit(one, posting(Usdt.zero)), [])
    assert.deepStrictEqual(Postings.sale(one, two, posting(Usdt.zero), Usdt.zero), [])
  })

  it("a refund undoes its sale for both wallets, to the last millionth (REFUND-3)", () => {
    fc.assert(
      fc.property(pair, amount, fc.nat({ max: 10_000 }), ([buyer, seller], units, bps) => {
        const fee = platformFee(units, bps)
        const lines = linesOf([
          ...Postings.sale(buyer, seller, posting(units), fee),
          ...Postings.refund(buyer, seller, posting(units), fee, Usdt.zero)
        ])
        for (const id of [buyer, seller]) assert.deepStrictEqual(balanceOf(lines, id), emptyBalance)
      })
    )
  })

  it("a sale credits the seller the price minus the fee (SALE-2)", () => {
    fc.assert(
      fc.property(pair, amount, fc.nat({ max: 10_000 }), ([buyer, seller], units, bps) => {
        const fee = platformFee(units, bps)
        const lines = linesOf(Postings.sale(buyer, seller, posting(units), fee))
        const [paid, earned] = [balanceOf(lines, buyer), balanceOf(lines, seller)]
        assert.deepStrictEqual([paid.available, paid.totalSpent], [-units, units] as never)
        assert.deepStrictEqual([earned.available, earned.totalEarned], [units - fee, units - fee] as never)
      })
    )
  })

  it("shows each entry under its wire name (LEDGER-2)", () => {
    const shown: Record<LineType, readonly [debit: string, credit: string]> = {
      deposit: ["deposit", "deposit"],
      deposit_held: ["deposit", "deposit"],
      deposit_rejected: ["deposit", "deposit"],
      hold: ["hold", "hold"],
      release: ["release", "release"],
      purchase: ["purchase", "sale"],
      sale_fee: ["fee", "fee"],
      refund: ["refund", "refund"],
      fee_return: ["fee", "fee"],
      cover: ["refund", "refund"],
      debt: ["refund", "refund"],
      repayment: ["refund", "refund"],
      withdrawal: ["withdrawal", "withdrawal"],
      withdrawal_fee: ["fee", "fee"]
    }
    for (const [type, [debit, credit]] of Object.entries(shown)) {
      assert.strictEqual(transactionType(type as LineType, "debit"), debit)
      assert.strictEqual(transactionType(type as LineType, "credit"), credit)
    }
  })
})
