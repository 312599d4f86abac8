import { modelOf, plainWorld } from "@agent-marketplace/testkit/settlement/HistoryWorld"
import { IdempotencyWatch } from "@agent-marketplace/fixtures/settlement/IdempotencyWatch"
import { checkLimitsEver, checkLimitsNow } from "@agent-marketplace/fixtures/settlement/limitInvariants"
import type { MarketHistory } from "@agent-marketplace/testkit/settlement/MarketHistory"
import { marketHistory, ringHistory } from "@agent-marketplace/testkit/settlement/MarketHistory"
import type { MarketModel } from "@agent-marketplace/testkit/settlement/MarketModel"
import { checkInvariants } from "@agent-marketplace/testkit/settlement/marketInvariants"
import { playHistory } from "@agent-marketplace/testkit/settlement/playHistory"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const start = 1_700_000_000_000

const expected = Object.entries({
  Buy: "yes again AccountFrozen AgentFrozen PriceChanged AlreadyPurchased Conflict IdempotencyKeyReused InsufficientBalance NotFound OwnListing SpendingLimitExceeded",
  Decide: "yes again AccountFrozen Conflict IdempotencyKeyReused",
  Expire: "yes",
  RejectWaiting: "yes",
  ReleaseEscrow: "yes",
  ResumeSubscription: "yes",
  Refund: "yes again AccountFrozen Conflict InsufficientBalance",
  Renew: "yes",
  CancelSubscription: "yes Conflict NotFound",
  Withdraw: "yes again AccountFrozen Conflict InsufficientBalance WithdrawalRefused",
  MoveWithdrawal: "yes AccountFrozen Conflict",
  ChangeWithdrawalRules: "yes AccountFrozen",
  SaveAddress: "yes Conflict",
  RemoveAddress: "yes",
  SetPayouts: "yes",
  withdrawal: "in_review queued broadcasting completed failed cancelled",
  subscription: "active past_due cancelled",
  approval: "pending approved rejected expired",
  line: "deposit hold release purchase sale_fee refund fee_return debt repayment withdrawal withdrawal_fee"
}).flatMap(([what, kinds]) => kinds.split(" ").map((kind) => `${what} ${kind}`))

const copyFreezes = (from: MarketModel, to: MarketModel): void => {
  to.frozen.clear()
  for (const [subject, freeze] of from.frozen) to.frozen.set(subject, freeze)
}

/** First a few long histories, then many short ones. */
const histories = (property: (history: MarketHistory) => void): void => {
  fc.assert(fc.property(marketHistory(3000), property), { numRuns: 5 })
  fc.assert(fc.property(marketHistory(120), property), { numRuns: 150 })
  fc.assert(fc.property(ringHistory(400), property), { numRuns: 15 })
}

describe("the rule of the market, over random histories (LEDGER-4, BUY-14)", () => {
  it("keeps every invariant: books, balances, holds, licenses, events, and limits in every rolling window", () => {
    histories((history) => {
      const world = plainWorld()
      const model = modelOf(world, start)
      const results = new IdempotencyWatch()
      let settled = 0
      for (const action of playHistory(model, world, history, "run")) {
        if (action._tag !== "Settle") continue
        results.check(action.commands, action.outcomes, model.now)
        checkLimitsNow(model)
        settled += 1
        if (settled % 40 === 0) checkInvariants(model)
      }
      checkInvariants(model)
      checkLimitsEver(model)
    })
  })

  it("gives each caller of a batch the outcome that it would get alone, and ends in the same state", () => {
    histories((history) => {
      const world = plainWorld()
      const model = modelOf(world, start)
      const alone = modelOf(world, start)
      for (const action of playHistory(model, world, history, "run")) {
        alone.now = model.now
        if (action._tag === "SetPolicy") alone.setPolicy(action.subject, action.policy)
        if (action._tag === "SetFrozen") copyFreezes(model, alone)
        if (action._tag === "SetItem") alone.items.set(action.item.id, action.item)
        if (action._tag !== "Settle") continue
        const outcomes = action.commands.flatMap((command) => alone.settle([command]))
        assert.deepStrictEqual(outcomes, action.outcomes)
      }
      assert.deepStrictEqual(alone, model)
    })
  })

  it("decides every kind of command: the histories contain sales, approvals, refusals, refunds, renewals, repetitions and payouts", () => {
    const seen = new Set<string>()
    for (const history of fc.sample(marketHistory(3000), { numRuns: 6, seed: 1 })) {
      const world = plainWorld()
      const model = modelOf(world, start)
      for (const action of playHistory(model, world, history, "run")) {
        if (action._tag !== "Settle") continue
        action.outcomes.forEach((outcome, i) => {
          const what = Result.isSuccess(outcome) ? (outcome.success.replayed ? "again" : "yes") : outcome.failure._tag
          const command = action.commands[i]
          seen.add(`${command?._tag} ${what}`)
          if (command?._tag === "Renew") {
            seen.add(`subscription ${model.subscriptions.get(command.subscriptionId)?.status}`)
          }
        })
      }
      for (const { status } of model.subscriptions.values()) seen.add(`subscription ${status}`)
      for (const { type } of model.lines) seen.add(`line ${type}`)
      for (const { status } of model.approvals.values()) seen.add(`approval ${status}`)
      for (const { state } of model.withdrawals.values()) seen.add(`withdrawal ${state}`)
    }
    assert.deepStrictEqual(
      expected.filter((what) => !seen.has(what)),
      []
    )
  })
})
