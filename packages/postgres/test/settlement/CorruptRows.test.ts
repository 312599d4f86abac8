import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { market } from "@agent-marketplace/testkit/fixtures/market"
import { resultOf, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { walletOf } from "@agent-marketplace/testkit/fixtures/walletOf"
import { assert, layer } from "@effect/vitest"
import type { SqlClient } from "effect/sql/SqlClient"
import { Cause, Effect, Exit } from "effect"
import { Database } from "../../src/Database.ts"
import { loadState } from "../../src/settlement/loadState.ts"
import { testStores } from "../testStores.ts"

type Row = Record<string, unknown>

const isFault = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.isFailure(exit) && Cause.hasDies(exit.cause)

/** The rows of one statement with one value replaced, wherever the column stands. */
const corrupted = (value: unknown, column: string, replacement: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => corrupted(each, column, replacement))
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === column ? replacement : corrupted(inner, column, replacement)
    ])
  )
}

/** A column, whatever it must never be, and the columns beside it that tell its row from others. */
const cases: ReadonlyArray<readonly [column: string, ...values: ReadonlyArray<unknown>]> = [
  // Wallets.
  ["available", -1n, null, "12.5", true, "", undefined],
  ["locked", -1n, null],
  ["debt", -1n, null],
  // Policies and what was spent.
  ["policy", null, {}, "{}"],
  ["autoApprove", null, "true", undefined],
  ["dailyLimit", "-5", 5.5, undefined, "1e3"],
  ["blockedSellers", "usr_1", [1]],
  ["month", "-1", null, "x"],
  ["stored", null],
  // The pause of payouts.
  ["paused_at", "never", 5, undefined],
  ["reason", 5, undefined],
  // Items.
  ["price", -1, null, "", 0.5, 2 ** 53, undefined],
  ["pricingModel", "gift", null],
  ["currency", "EUR"],
  ["onSale", null, "t"],
  ["sellerOwes", null],
  ["sellerId", null, ""],
  // Entitlements and results of Idempotency-Keys.
  ["state", "borrowed", null],
  ["purchase_id", null],
  ["fingerprint", null],
  ["result", null, "", '{"_tag":"Bought"}', '{"_tag":"Bought","purchase":{"id":"pur_1","amount":5}}', '{"_tag":"Gift"}']
]

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("rows that decide about money", (it) => {
  it.effect("a value of a wrong type, a negative amount or a missing value is a fault, never a default", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const store = yield* SettlementStore
      const { buyer, item } = yield* market()
      yield* sql.unsafe(
        `INSERT INTO policies (subject_id, policy, window_days) VALUES ($1, $2::jsonb, 30)
         ON CONFLICT (subject_id) DO UPDATE SET policy = EXCLUDED.policy`,
        [
          buyer.id,
          JSON.stringify({
            autoApprove: true,
            autoApproveThreshold: null,
            perTransactionLimit: null,
            dailyLimit: "900000000",
            weeklyLimit: null,
            monthlyLimit: null,
            allowedCategories: null,
            blockedSellers: []
          })
        ]
      )
      const buy = Commands.buy(buyer, item, {
        idempotency: { accountId: buyer.id, key: "once", fingerprint: "a purchase" }
      })
      yield* store.settle([buy])
      const reads = { ...readSetOf([buy]), payouts: "read" as const }
      const withSql = (change: (rows: unknown) => unknown) =>
        ({
          unsafe: (text: string, parameters: ReadonlyArray<unknown>) =>
            Effect.map(sql.unsafe<Row>(text, parameters as never), change)
        }) as unknown as SqlClient

      const { state } = yield* loadState(
        withSql((rows) => rows),
        reads
      )
      assert.deepStrictEqual(
        [state.wallets.size > 0, state.budgets.size, state.items.size, state.entitlements.size, state.results.size],
        [true, 1, 1, 1, 1]
      )
      for (const [column, ...values] of cases)
        for (const value of values) {
          const exit = yield* Effect.exit(
            loadState(
              withSql((rows) => corrupted(rows, column, value)),
              reads
            )
          )
          assert.isTrue(isFault(exit), `${column} = ${String(value)}`)
        }

      // In the database itself: no money moves, and it moves again once the row is mended.
      yield* sql`UPDATE policies SET policy = policy - 'dailyLimit' WHERE subject_id = ${buyer.id}`
      const other = yield* market()
      const refused = yield* Effect.exit(store.settle([Commands.buy(buyer, other.item)]))
      assert.isTrue(isFault(refused))
      assert.strictEqual((yield* walletOf(other.seller)).available, 0n)
      yield* sql`UPDATE policies SET policy = policy || '{"dailyLimit": null}' WHERE subject_id = ${buyer.id}`
      yield* store.settle([Commands.buy(buyer, other.item)])
      assert.isAbove(Number((yield* walletOf(other.seller)).available), 0)
    })
  )

  it.effect("an account without a wallet is a fault, never one without money, even if it has credits (LEDGER-4)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const wallets = yield* WalletStore
      const { buyer, item, seller } = yield* market()
      const other = yield* market()
      for (const { id } of [buyer, seller]) {
        const [row] = yield* sql<{
          row: string
        }>`SELECT to_json(wallets)::text AS row FROM wallets WHERE account_id = ${id}`
        yield* sql`DELETE FROM wallets WHERE account_id = ${id}`
        const attempts = [
          Effect.exit(settle(Commands.buy(buyer, item))),
          Effect.exit(settle(Commands.deposit({ id }, usdt(5)))),
          Effect.exit(identity.eraseAccount(id, yield* clock.now, null))
        ] as ReadonlyArray<Effect.Effect<Exit.Exit<unknown, object>, never, SettlementStore>>
        for (const attempt of attempts) assert.isTrue(isFault(yield* attempt), id)
        yield* sql`INSERT INTO wallet_credits (account_id, available, locked, total_deposits, total_withdrawals, total_spent, total_earned)
          VALUES (${id}, 1, 0, 1, 0, 0, 0)`
        for (const attempt of attempts) assert.isTrue(isFault(yield* attempt), `${id}, with credits`)
        assert.include((yield* wallets.audit).differences, `${id}: wallet is missing, its lines say it has credits`)
        yield* sql`DELETE FROM wallet_credits WHERE account_id = ${id}`
        yield* sql`INSERT INTO wallets SELECT * FROM json_populate_record(NULL::wallets, ${row?.row ?? ""}::json)`
      }
      resultOf(yield* settle(Commands.buy(other.buyer, item)), "Bought")
      resultOf(yield* settle(Commands.buy(buyer, other.item)), "Bought")
    })
  )
})
