import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import { claimedAgent } from "@agent-marketplace/testkit/fixtures/claimedAgent"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { resultOf, fund, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { Database } from "../../src/Database.ts"
import { loadState } from "../../src/settlement/loadState.ts"
import { testStores } from "../testStores.ts"

const day = 86_400

/** The sum of every payment of both kinds, counted one by one. */
const reckoned = Effect.fnUntraced(function* (subject: AccountId | AgentId, now: number) {
  const { sql } = yield* Database
  const since = (days: number) => new Date(now - days * day * 1000).toISOString()
  const sums = yield* Effect.forEach([1, 7, 30], (days) =>
    sql.unsafe<{ readonly spent: string }>(
      `SELECT coalesce(sum(amount), 0)::text AS spent FROM (
        SELECT amount FROM purchases WHERE $1 IN (buyer_id, agent_id) AND status IN ('pending', 'completed') AND purchased_at > $2::timestamptz
        UNION ALL SELECT amount FROM renewals WHERE $1 IN (buyer_id, agent_id) AND at > $2::timestamptz
      ) AS payment`,
      [subject, since(days)]
    )
  )
  return sums.map(([row]) => BigInt(row?.spent ?? 0))
})

/** A spender's payments of 35 days, two in three by an agent, inserted without the other records of a sale. */
const history = Effect.fnUntraced(function* (buyer: AccountId, seller: AccountId, agent: AgentId, count: number) {
  const { sql } = yield* Database
  yield* sql`INSERT INTO purchases (id, buyer_id, seller_id, agent_id, item_id, item_kind, item_name, item_slug, item_description, item_category,
      item_creator, amount, fee, status, license_type, purchased_at)
    SELECT ${buyer}::text || n, ${buyer}, ${seller}, CASE WHEN n % 3 > 0 THEN ${agent}::text END, 'lst_' || n, 'listing', 'n', 's', 'd', 'data', 'c',
      n * 1000 + 7, 0, CASE WHEN n % 11 = 0 THEN 'refunded' WHEN n % 13 = 0 THEN 'pending' ELSE 'completed' END, 'perpetual',
      market_now() - ((n * 7919 % ${count}::int)::float8 / ${count}::int) * interval '35 days'
    FROM generate_series(1, ${count}::int) AS n`
})

const spender = Effect.gen(function* () {
  const [buyer, seller] = [yield* openAccount(), yield* openAccount()]
  const agent = yield* claimedAgent(buyer.id)
  const { setPolicy } = yield* ApprovalStore
  yield* fund(buyer, usdt(100_000))
  const limited = { ...defaultPolicy, dailyLimit: usdt(50_000), monthlyLimit: usdt(90_000) }
  yield* setPolicy(buyer.id, limited)
  yield* setPolicy(agent.id, limited)
  const bought: Array<Purchase> = []
  const steps = {
    buy: (price: number, own: boolean) =>
      Effect.gen(function* () {
        const item = yield* listingOnSale(seller, { price: usdt(price) })
        const command = Commands.buy(buyer, item, own ? {} : { agentId: agent.id })
        bought.push(resultOf(yield* settle(command), "Bought").purchase)
      }),
    refund: (which: number) =>
      Effect.gen(function* () {
        const [purchase] = bought.splice(which % Math.max(1, bought.length), 1)
        if (purchase !== undefined) resultOf(yield* settle(Commands.refund(purchase, "admin")), "Refunded")
      }),
    wait: (seconds: number) => Effect.flatMap(MarketClock, ({ advance }) => advance(seconds)),
    limit: (monthly: boolean) =>
      setPolicy(buyer.id, { ...defaultPolicy, dailyLimit: usdt(50_000), monthlyLimit: monthly ? usdt(90_000) : null })
  }
  return { agent, buyer, seller, steps }
})

const kept = (subject: AccountId | AgentId) =>
  Effect.flatMap(Database, ({ read }) => read("SELECT until FROM spent_windows WHERE subject_id = $1", [subject]))

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })(
  "rolling windows of a spender with many payments",
  (it) => {
    it.effect(
      "always equal the sum of all payments, through purchases, refunds, pauses and changed limits (POLICY-7, POLICY-8)",
      () =>
        Effect.gen(function* () {
          const { agent, buyer, seller, steps } = yield* spender
          const { sql, transaction } = yield* Database
          yield* history(buyer.id, seller.id, agent.id, 6000)
          const reads = { ...readSetOf([]), wallets: [buyer.id], agents: [agent.id] }
          const check = Effect.gen(function* () {
            const { budgets, now } = (yield* transaction(loadState(sql, reads))).state
            for (const subject of [buyer.id, agent.id]) {
              const { policy, spent } = budgets.get(subject) ?? assert.fail("no budget")
              const [daily, weekly, monthly] = yield* reckoned(subject, now)
              assert.strictEqual(spent.day, daily)
              if (policy.monthlyLimit !== null) assert.deepStrictEqual([spent.week, spent.month], [weekly, monthly])
            }
          })
          const stages = [steps.buy(3, true), steps.buy(0.5, false), steps.wait(400), steps.wait(2 * 3600)]
          const rare = [steps.wait(1.1 * day), steps.limit(false), steps.limit(true)]
          for (const step of [steps.limit(false), steps.limit(true)]) yield* Effect.andThen(step, check)
          let countedOn = 0
          for (let step = 0; step < 100; step++) {
            const drawn = yield* Random.nextIntBetween(0, 100)
            if (drawn < 15) yield* steps.refund(drawn)
            else yield* (drawn < 95 ? stages[drawn % stages.length] : rare[drawn % rare.length]) ?? Effect.void
            yield* check
            if ((yield* kept(agent.id)).length > 0) countedOn++
          }
          assert.isAbove(countedOn, 60, "steps that continued from stored sums")
        }).pipe(Random.withSeed("windows"))
    )

    it.effect("are counted one by one for few payments: no sums are stored", () =>
      Effect.gen(function* () {
        const { agent, buyer, seller, steps } = yield* spender
        yield* history(buyer.id, seller.id, agent.id, 60)
        yield* steps.buy(1, false)
        assert.lengthOf(yield* kept(buyer.id), 0)
      })
    )
  }
)
