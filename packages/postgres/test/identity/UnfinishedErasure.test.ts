import { erasedName } from "@agent-marketplace/core/identity/Erasure"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { erasureCases } from "@agent-marketplace/testkit/identity/erasureCases"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Database } from "../../src/Database.ts"
import { testStores } from "../testStores.ts"

/** The tables whose records are rewritten after an erasure, with SQL for those that still have to be. */
const leftovers: Readonly<Record<string, string>> = {
  purchases: `item_creator <> '${erasedName}' AND seller_id IN (SELECT id FROM accounts WHERE erased_at IS NOT NULL)
    OR tracking_id IS NOT NULL AND buyer_id IN (SELECT id FROM accounts WHERE erased_at IS NOT NULL)`,
  approvals: `item_creator <> '${erasedName}' AND purchase_id IN (
    SELECT purchases.id FROM purchases JOIN accounts ON accounts.id = seller_id WHERE erased_at IS NOT NULL)`,
  subscriptions: `item_creator <> '${erasedName}' AND seller_id IN (SELECT id FROM accounts WHERE erased_at IS NOT NULL)`,
  item_reviews: `author <> '${erasedName}' AND author_id IN (SELECT id FROM accounts WHERE erased_at IS NOT NULL)`,
  item_stats: `shelf IS NOT NULL AND item_id IN (
    SELECT souls.id FROM souls JOIN accounts ON accounts.id = author_id WHERE erased_at IS NOT NULL
    UNION ALL SELECT listings.id FROM listings JOIN accounts ON accounts.id = creator_id WHERE erased_at IS NOT NULL)`,
  idempotent_results: `account_id IN (SELECT id FROM accounts WHERE erased_at IS NOT NULL)
    OR result LIKE '%"creator":"Quokka%'`
}

const changed: Readonly<Record<string, string>> = {
  item_stats: "UPDATE OF shelf",
  idempotent_results: "UPDATE OF result OR DELETE"
}

/** As if the process always ended at the moment of the erasure: nothing is rewritten after it. */
const interrupt = Effect.gen(function* () {
  const { sql } = yield* Database
  yield* sql.unsafe("CREATE FUNCTION interrupted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
  for (const table of Object.keys(leftovers)) {
    const event = changed[table] ?? `UPDATE OF ${table === "item_reviews" ? "author" : "item_creator"}`
    yield* sql.unsafe(
      `CREATE TRIGGER interrupted BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION interrupted()`
    )
  }
  yield* sql.unsafe(
    "CREATE TRIGGER labelled BEFORE UPDATE OF tracking_id ON purchases FOR EACH ROW EXECUTE FUNCTION interrupted()"
  )
})

const leftIn = Effect.fnUntraced(function* (table: string) {
  const { sql } = yield* Database
  return (yield* sql.unsafe(`SELECT FROM ${table} WHERE ${leftovers[table]}`)).length
})

const interruptedStores = Layer.tap(testStores, (context) => Effect.provide(interrupt, context))

layer(interruptedStores, { excludeTestServices: true, timeout: "5 minutes" })(
  "an erasure whose process ends before it has rewritten the records",
  (it) => {
    // Nobody reads the name or finds an item of an erased account.
    erasureCases(it)

    it.effect("leaves no item in the lists of the most sold and the best rated, nor in their counts (ACCOUNT-13)", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const clock = yield* MarketClock
        const identity = yield* IdentityStore
        const listings = yield* ListingStore
        const souls = yield* SoulStore
        const account = yield* openAccount()
        const other = yield* openAccount()
        const listing = yield* listingOnSale(account, { category: "data" })
        const kept = yield* listingOnSale(other, { category: "data" })
        const soul = yield* publishedSoul(account)
        yield* sql.unsafe("ALTER TABLE item_stats DISABLE TRIGGER interrupted")
        yield* sql.unsafe("UPDATE item_stats SET rating_sum = 5, reviews = 1, popularity = 9 WHERE item_id = ANY($1)", [
          [listing.id, kept.id, soul.id]
        ])
        yield* sql.unsafe("ALTER TABLE item_stats ENABLE TRIGGER interrupted")
        assert.isTrue(yield* identity.eraseAccount(account.id, yield* clock.now, null))
        for (const sortBy of ["popular", "rating", "newest"] as const) {
          for (const minRating of [undefined, 4]) {
            const filter = { limit: 50, offset: 0, minRating, sortBy }
            const found = yield* listings.list({ ...filter, categories: ["data"] }, "skill", "skill")
            assert.notInclude(found.json, listing.id, sortBy)
            assert.include(found.json, kept.id, sortBy)
            assert.strictEqual(found.total, 1, sortBy)
            assert.notInclude((yield* souls.list(filter)).json, soul.id, sortBy)
          }
        }
        assert.isTrue(Option.isNone(yield* listings.skillJson(listing.id)))
        assert.isFalse(Option.getOrThrow(yield* listings.detail(listing.id, null)).listed)
      })
    )

    it.effect("is finished by a later run, which rewrites every record (ACCOUNT-7, ACCOUNT-13)", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const identity = yield* IdentityStore
        const unfinished = sql.unsafe("SELECT FROM unfinished_erasures")
        for (const table of Object.keys(leftovers)) assert.isAbove(yield* leftIn(table), 0, table)
        assert.isFalse(yield* identity.finishErasures)
        assert.isNotEmpty(yield* unfinished)
        for (const table of Object.keys(leftovers)) yield* sql.unsafe(`DROP TRIGGER interrupted ON ${table}`)
        yield* sql.unsafe("DROP TRIGGER labelled ON purchases")
        assert.isFalse(yield* identity.finishErasures)
        for (const table of Object.keys(leftovers)) assert.strictEqual(yield* leftIn(table), 0, table)
        assert.isEmpty(yield* unfinished)
      })
    )
  }
)
