import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { assert, describe, it } from "vitest"
import { buyerOf, sellerOf, withMarket } from "../fixtures/market.ts"

const rejection = async (work: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (cause: unknown) => cause
  )
  assert.instanceOf(error, MarketplaceError)
  return error as MarketplaceError
}

const destinationAddress = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

describe("the operator of an embedded market (EMBED-7)", () => {
  it("finds, freezes, unfreezes and recovers accounts, and the log has the operator's name and reason (OPERATOR-14, OPERATOR-16)", () =>
    withMarket(async (market) => {
      const { account, apiKey } = await market.createAccount({ name: "Ada Lovelace" })
      const grace = market.operator.as("Grace Hopper 🚢")
      assert.deepStrictEqual(
        (await grace.accounts.list({ search: "lovelace" })).map(({ id }) => id),
        [account.id]
      )
      assert.strictEqual((await grace.accounts.get(account.id)).keys[0]?.id, apiKey.id)
      await grace.accounts.update(account.id, { tier: "pro", quotas: { souls: 7 }, reason: "A partner" })
      assert.strictEqual(
        (await grace.accounts.freeze(account.id, { reason: "A stolen key" })).frozenReason,
        "A stolen key"
      )
      const frozen = await rejection(market.as(apiKey.key).account.update({ name: "Thief" }))
      assert.strictEqual(frozen.code, "ACCOUNT_FROZEN")
      assert.isNull((await grace.accounts.unfreeze(account.id, { reason: "Its owner wrote" })).frozenAt)
      const recovered = await market.operator.accounts.recover(account.id)
      assert.strictEqual((await rejection(market.as(apiKey.key).account.get())).code, "INVALID_API_KEY")
      const owner = market.as(recovered.apiKey.key)
      const second = await owner.keys.create({ name: "Second", scope: "READ" })
      assert.strictEqual((await grace.keys.deactivate(second.id, { reason: "Leaked" })).status, "deactivated")
      assert.strictEqual((await rejection(market.as(second.key).account.get())).code, "INVALID_API_KEY")

      const log = await market.operator.actions.list({ limit: 100 })
      assert.deepStrictEqual(
        log.filter(({ actor }) => actor === "Grace Hopper 🚢").map(({ action, reason }) => [action, reason]),
        [
          ["key.end", "Leaked"],
          ["account.unfreeze", "Its owner wrote"],
          ["account.freeze", "A stolen key"],
          ["account.update", "A partner"]
        ]
      )
      assert.deepInclude(
        log.find(({ action }) => action === "account.recover"),
        { actor: "operator", subject: account.id, reason: null }
      )
      const own: Array<string> = []
      for await (const { action } of grace.actions.iterate({ actor: "Grace Hopper 🚢" })) own.push(action)
      assert.lengthOf(own, 4)
    }))

  it("suspends and restores souls, reads purchases and refunds them", () =>
    withMarket(async (market) => {
      const { seller, skill } = await sellerOf(market)
      const buyer = await buyerOf(market, "20")
      const { id, slug } = await seller.souls.create({
        name: "Tutor",
        description: "Explains hard things.",
        content: "# SOUL\n"
      })
      const grace = market.operator.as("grace")
      assert.strictEqual((await grace.souls.suspend(slug, { reason: "A copy" })).status, "suspended")
      assert.deepStrictEqual(
        (await grace.souls.list({ status: "suspended" })).map((soul) => soul.slug),
        [slug]
      )
      assert.strictEqual((await grace.souls.restore(slug)).status, "active")

      const { purchaseId } = await buyer.skills.buy({ skillId: skill.id })
      assert.strictEqual((await grace.purchases.get(purchaseId)).amount, 10)
      assert.deepStrictEqual(
        (await grace.purchases.list({ item: skill.id })).map((purchase) => purchase.id),
        [purchaseId]
      )
      await grace.purchases.refund(purchaseId, { reason: "It does not work" })
      assert.strictEqual((await buyer.wallet.balance()).balance, 20)
      assert.deepStrictEqual(
        (await grace.actions.list({ actor: "grace" })).map(({ action, reason, subject }) => [action, subject, reason]),
        [
          ["purchase.refund", purchaseId, "It does not work"],
          ["soul.restore", id, null],
          ["soul.suspend", id, "A copy"]
        ]
      )
      assert.isTrue((await grace.ledger.audit()).balanced)
      assert.isTrue((await grace.ledger.audit({ since: "checkpoint" })).balanced)
      assert.strictEqual((await grace.ledger.audit({ since: "checkpoint" })).entriesRead, 0)
    }))

  it("approves and rejects withdrawals, and pauses payouts", () =>
    withMarket(
      async (market) => {
        const buyer = await buyerOf(market, "100")
        const grace = market.operator.as("grace")
        assert.isTrue((await grace.payouts.pause({ reason: "The wallet is moved" })).paused)
        assert.strictEqual((await grace.payouts.get()).reason, "The wallet is moved")
        const [good, bad] = [
          await buyer.wallet.withdraw({ amount: "20", destinationAddress }),
          await buyer.wallet.withdraw({ amount: "30", destinationAddress })
        ]
        assert.deepStrictEqual(
          (await grace.withdrawals.list({ status: "in_review" })).map(({ id }) => id).toSorted(),
          [good.id, bad.id].toSorted()
        )
        assert.isFalse((await grace.withdrawals.approve(good.id)).needsReview)
        assert.strictEqual((await grace.withdrawals.reject(bad.id, { reason: "Unclear" })).status, "failed")
        await market.simulation.advance(10)
        assert.strictEqual((await grace.withdrawals.get(good.id)).status, "pending")
        assert.isFalse((await grace.payouts.resume()).paused)
        for (let second = 0; second < 6; second += 1) await market.simulation.advance(1)
        assert.strictEqual((await grace.withdrawals.get(good.id)).status, "completed")
        const actions = await grace.actions.list({ actor: "grace" })
        assert.deepStrictEqual(
          actions.map(({ action }) => action),
          ["payouts.resume", "withdrawal.reject", "withdrawal.approve", "payouts.pause"]
        )
      },
      { withdrawalReviewAbove: "5" }
    ))

  it("a name that the action log cannot show is refused immediately", () =>
    withMarket((market) => {
      for (const name of ["", " ", "a\nb", "\u202Eevil", "x".repeat(101), undefined, 7])
        assert.throws(() => market.operator.as(name as string), MarketplaceError, /^operator\.as: name /)
      return Promise.resolve()
    }))
})
