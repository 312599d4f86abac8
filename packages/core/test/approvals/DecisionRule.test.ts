import { assert, it } from "vitest"
import { rejectWaitingRule } from "../../src/approvals/DecisionRule.ts"
import type { AccountId } from "../../src/ids/Ids.ts"
import type { MarketState } from "../../src/settlement/MarketState.ts"

const buyer = "usr_1" as AccountId

/** A state with approvals that were loaded in this order, each requested at its number. */
const stateOf = (numbers: ReadonlyArray<number>): MarketState => {
  const item = { id: "lst_1", name: "Item" }
  const purchases = numbers.map((n) => ({
    id: `pur_${n}`,
    buyerId: buyer,
    sellerId: "usr_2",
    item,
    amount: 1n,
    fee: 0n
  }))
  const approvals = numbers.map((n) => ({
    id: `apr_${n}`,
    purchaseId: `pur_${n}`,
    accountId: buyer,
    agentId: null,
    status: "pending",
    requestedAt: n
  }))
  return {
    now: 100,
    purchases: new Map(purchases.map((each) => [each.id, each])),
    approvals: new Map(approvals.map((each) => [each.id, each]))
  } as unknown as MarketState
}

it("the approvals of a frozen account are rejected oldest first, in whatever order they were loaded", () => {
  for (const loaded of [
    [1, 2, 3],
    [3, 1, 2],
    [2, 3, 1]
  ]) {
    const { changes } = rejectWaitingRule(stateOf(loaded), {
      _tag: "RejectWaiting",
      accountId: buyer,
      agentId: null,
      reason: "frozen"
    })
    const rejected = changes.flatMap((change) => (change._tag === "Event" ? [change.event.subject] : []))
    assert.deepStrictEqual(rejected, ["pur_1", "pur_2", "pur_3"])
  }
})
