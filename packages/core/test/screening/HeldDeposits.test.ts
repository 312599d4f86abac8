import { modelOf, plainWorld } from "@agent-marketplace/testkit/settlement/HistoryWorld"
import { checkInvariants } from "@agent-marketplace/testkit/settlement/marketInvariants"
import type { MarketModel } from "@agent-marketplace/testkit/settlement/MarketModel"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { refusalOf, resultOf } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { AccountId } from "../../src/ids/Ids.ts"
import { Usdt } from "../../src/money/Usdt.ts"
import type { DepositDecision } from "../../src/settlement/Command.ts"

const now = 1_700_000_000_000
const evidence = { source: "a list", reference: "line 7" }
const world = plainWorld()
const [accountId = "" as AccountId] = world.accounts
const account = { id: accountId }
const action = actionDraft("deposit.decide", "dep")

const decision: fc.Arbitrary<DepositDecision> = fc.constantFrom<DepositDecision>(
  { to: "held", evidence },
  { to: "cleared" },
  { to: "released", action },
  { to: "rejected", action }
)

const amount = fc.bigInt({ min: 1n, max: 1_000_000_000n }).map(Usdt.of)

const stateOf = (model: MarketModel) => [...model.heldDeposits.values()][0]

const wallet = (model: MarketModel) => model.wallets.get(accountId) ?? assert.fail("no wallet")

/** The balance of a platform account, by the lines. */
const booked = (model: MarketModel, name: "held" | "unattributed"): bigint =>
  model.lines.reduce(
    (sum, { amount: units, credit, debit }) => sum + (credit === name ? units : 0n) - (debit === name ? units : 0n),
    0n
  )

describe("held deposits (SCREENING-3, SCREENING-6)", () => {
  it("after decisions in any order and batch, the money is in one place and was moved there once", () => {
    fc.assert(
      fc.property(
        amount,
        fc.boolean(),
        fc.array(decision, { maxLength: 8 }),
        fc.boolean(),
        (units, flagged, decisions, together) => {
          const model = modelOf(world, now)
          const command = Commands.heldDeposit(account, units, flagged ? evidence : null)
          const rest = decisions.map((each) => Commands.decideDeposit(account, command.hold.id, each))
          const outcomes = together
            ? model.settle([command, command, ...rest]).slice(2)
            : [model.settle([command]), model.settle([command]), ...rest.map((one) => model.settle([one]))]
                .slice(2)
                .map(([outcome]) => outcome ?? assert.fail("no outcome"))
          checkInvariants(model)
          const { state } = stateOf(model) ?? assert.fail("nothing is held")
          const credited = state === "cleared" || state === "released"
          assert.strictEqual(wallet(model).available, credited ? units : 0n)
          assert.strictEqual(booked(model, "held"), state === "screening" || state === "held" ? units : 0n)
          assert.strictEqual(booked(model, "unattributed"), state === "rejected" ? units : 0n)
          const ends = decisions.filter(({ to }, i) => to !== "held" && Result.isSuccess(outcomes[i] ?? assert.fail()))
          assert.isAtMost(ends.length, 1, "it is decided once")
          assert.strictEqual(model.events.length, credited ? 1 : 0)
          assert.strictEqual(model.actions.length, ends.filter((one) => "action" in one).length)
        }
      )
    )
  })

  it("a flagged deposit is not cleared by screening, only released or rejected by the operator", () => {
    const model = modelOf(world, now)
    const command = Commands.heldDeposit(account, usdt(5), evidence)
    const [, refused] = model.settle([command, Commands.decideDeposit(account, command.hold.id, { to: "cleared" })])
    assert.isTrue(refused !== undefined && Result.isFailure(refused))
    assert.strictEqual(stateOf(model)?.state, "held")
    assert.strictEqual(wallet(model).available, 0n)
  })

  it("a deposit of zero is not held", () => {
    const model = modelOf(world, now)
    model.settle([Commands.heldDeposit(account, usdt(0), evidence)])
    assert.strictEqual(model.heldDeposits.size, 0)
    assert.deepStrictEqual(model.lines, [])
  })
})

describe("flagged withdrawals (SCREENING-7, SCREENING-8)", () => {
  const funded = () => {
    const model = modelOf(world, now)
    model.settle([Commands.deposit(account, usdt(100))])
    return model
  }

  it("a flagged request is refused and holds nothing; its Idempotency-Key returns an earlier result", () => {
    const model = funded()
    const idempotency = { accountId, key: "k", fingerprint: "f" }
    const accepted = Commands.withdraw(account, usdt(20), usdt(1), idempotency)
    const [first] = model.settle([accepted])
    const again = { ...accepted, withdrawalId: Commands.withdraw(account, usdt(20), usdt(1)).withdrawalId }
    const [repeated, refused] = model.settle([
      { ...again, flagged: true },
      { ...Commands.withdraw(account, usdt(20), usdt(1)), flagged: true }
    ])
    const resultsOf = [first, repeated].map((outcome) => resultOf(outcome ?? assert.fail(), "Withdrawal").withdrawal)
    assert.deepStrictEqual(resultsOf[1], resultsOf[0])
    assert.strictEqual(refusalOf(refused, "WithdrawalRefused").rule, "screening")
    assert.strictEqual(wallet(model).locked, usdt(21))
    checkInvariants(model)
  })

  it("only a queued withdrawal is flagged; approved it is queued again, rejected its money returns", () => {
    for (const to of ["approved", "rejected"] as const) {
      const model = funded()
      const command = Commands.withdraw(account, usdt(20), usdt(1))
      model.settle([command])
      const stored = () => model.withdrawals.get(command.withdrawalId) ?? assert.fail("no withdrawal")
      const flag = () => model.settle([Commands.move(stored(), { to: "flagged", evidence })])[0] ?? assert.fail()
      assert.isTrue(Result.isSuccess(flag()))
      assert.isTrue(Result.isFailure(flag()), "it waits already")
      const step = to === "approved" ? { to, action } : { to, action, reason: "stolen" }
      model.settle([Commands.move(stored(), step)])
      checkInvariants(model)
      assert.strictEqual(stored().state, to === "approved" ? "queued" : "failed")
      assert.deepStrictEqual(stored().screening, { ...evidence, approved: to === "approved" })
      assert.strictEqual(wallet(model).available, to === "approved" ? usdt(79) : usdt(100))
      assert.deepStrictEqual(model.actions[0]?.before, { state: "in_review", evidence })
    }
  })
})
