import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { Commands } from "@agent-marketplace/testkit/fixtures/Commands"
import { fund, settle } from "@agent-marketplace/testkit/fixtures/settle"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { walletOf } from "@agent-marketplace/testkit/fixtures/walletOf"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/Database.ts"
import { foldCredits } from "../../src/settlement/foldCredits.ts"
import { deleteExpiredResults } from "../../src/settlement/PostgresSettlementStore.ts"
import { testStores } from "../testStores.ts"

/** The SQLSTATE with which the database refuses the statement. */
const refusal = Effect.fnUntraced(function* (statement: string) {
  const { sql } = yield* Database
  const error = yield* Effect.flip(sql.unsafe(statement))
  return (error.reason.cause as { readonly code?: string }).code
})

const check = "23514"
const unique = "23505"
const integrity = "23000"

const sale = Effect.gen(function* () {
  const [buyer, seller] = [yield* openAccount(), yield* openAccount()]
  const item = yield* listingOnSale(seller)
  yield* fund(buyer, usdt(50))
  yield* settle(Commands.buy(buyer, item))
  return { buyer, seller }
})

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("the database itself", (it) => {
  it.effect("refuses a negative balance (LEDGER-5)", () =>
    Effect.gen(function* () {
      const { buyer } = yield* sale
      for (const column of ["available", "locked"]) {
        assert.strictEqual(yield* refusal(`UPDATE wallets SET ${column} = -1 WHERE account_id = '${buyer.id}'`), check)
      }
    })
  )

  it.effect("refuses to change or delete a line of the ledger (LEDGER-6)", () =>
    Effect.gen(function* () {
      yield* sale
      assert.strictEqual(yield* refusal(`UPDATE ledger_lines SET amount = 1`), integrity)
      assert.strictEqual(yield* refusal(`DELETE FROM ledger_lines`), integrity)
      assert.strictEqual(yield* refusal(`TRUNCATE ledger_lines`), integrity)
    })
  )

  it.effect("refuses one deposit twice, one entitlement twice, one license key twice, one Idempotency-Key twice", () =>
    Effect.gen(function* () {
      yield* sale
      const { sql } = yield* Database
      yield* sql`INSERT INTO idempotent_results (account_id, key, fingerprint, result, at) VALUES ('usr_x', 'k', 'f', '{}', now())`
      for (const table of ["deposits", "entitlements", "idempotent_results"]) {
        assert.strictEqual(yield* refusal(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`), unique, table)
      }
      const others =
        "buyer_id, seller_id, item_id, item_kind, item_name, item_slug, item_description, item_category, item_creator"
      const columns = `${others}, amount, fee, status, license_key, license_type, purchased_at`
      const copy = `INSERT INTO purchases (id, ${columns}) SELECT 'pur_copy', ${columns} FROM purchases LIMIT 1`
      assert.strictEqual(yield* refusal(copy), unique)
    })
  )

  it.effect("credits a seller by appending, and folds the credits into the wallet without changing the balance", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const { seller } = yield* sale
      const before = yield* walletOf(seller)
      assert.strictEqual(before.available, usdt(9.5))
      yield* foldCredits(database)
      const [left] = yield* database.read<{ readonly n: bigint }>(
        "SELECT count(*) AS n FROM wallet_credits WHERE account_id = $1",
        [seller.id]
      )
      assert.strictEqual(left?.n, 0n)
      assert.deepStrictEqual(yield* walletOf(seller), before)
    })
  )

  it.effect("deletes a stored result after 24 hours, not before (IDEMPOTENCY-2)", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      yield* sql`INSERT INTO idempotent_results (account_id, key, fingerprint, result, at) VALUES
        ('usr_old', 'k', 'f', '{}', market_now() - interval '24 hours'),
        ('usr_new', 'k', 'f', '{}', market_now() - interval '23 hours 59 minutes')`
      yield* deleteExpiredResults(database)
      const left = yield* sql`SELECT account_id FROM idempotent_results WHERE account_id IN ('usr_old', 'usr_new')`
      assert.deepStrictEqual(left, [{ account_id: "usr_new" }])
    })
  )
})
