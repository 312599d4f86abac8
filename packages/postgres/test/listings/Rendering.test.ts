import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore, renderBatch } from "@agent-marketplace/core/listings/ListingStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Database } from "../../src/Database.ts"
import { testStores } from "../testStores.ts"

const page = { offset: 0, limit: 100 }

/** Sets the rows to the state in which an earlier version left them. */
const outdated = [
  `UPDATE listings SET rendering = 0, listing_head = '{"old":1', skill_head = '{"old":1', skill_detail_head = '{"old":1'`,
  `UPDATE souls SET rendering = 0, item_head = '{"old":1', detail_head = '{"old":1', skill_head = ''`,
  // Souls of earlier versions were in no facets.
  `DELETE FROM soul_facets`,
  `UPDATE item_stats SET shelf = NULL, listed_at = NULL WHERE item_id IN (SELECT id FROM souls)`
]

layer(testStores, { excludeTestServices: true, timeout: "5 minutes" })("stored JSON of an earlier rendering", (it) => {
  it.effect("is rendered again in batches; after an interruption the next run continues", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const listings = yield* ListingStore
      const souls = yield* SoulStore
      const owner = yield* openAccount()
      const [first] = yield* Effect.all(
        Array.from({ length: renderBatch + 10 }, () => listingOnSale(owner, { tags: ["kept"] })),
        { concurrency: 4 }
      )
      const soul = yield* publishedSoul(owner, { tags: ["kept"] })
      const read = Effect.all([
        listings.list(page, "listing", "skill"),
        listings.list(page, "skill", "all"),
        listings.skillJson(first?.slug ?? ""),
        souls.list({ limit: 100, offset: 0 }),
        souls.detailJson(soul.slug)
      ])
      const before = yield* read
      yield* Effect.forEach(outdated, (statement) => sql.unsafe(statement))
      assert.notDeepEqual(yield* read, before)

      assert.isTrue(yield* listings.renderStale)
      const [{ left }] = (yield* sql.unsafe<{ readonly left: bigint }>(
        "SELECT count(*) AS left FROM listings WHERE rendering = 0"
      )) as [{ readonly left: bigint }]
      assert.strictEqual(left, 10n)
      // Another process, after the first one ended, does the rest.
      assert.isFalse(yield* listings.renderStale)
      assert.isFalse(yield* souls.renderStale)
      assert.deepStrictEqual(yield* read, before)
    })
  )

  it.effect("is rendered again while records change: the JSON contains every change", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const listings = yield* ListingStore
      const owner = yield* openAccount()
      const made = yield* Effect.all(
        Array.from({ length: 30 }, () => listingOnSale(owner)),
        { concurrency: 4 }
      )
      yield* Effect.forEach(outdated, (statement) => sql.unsafe(statement))
      const change = (id: ListingId) =>
        listings.modify(id, (listing) =>
          Result.succeed({ listing: { ...listing, name: `New ${listing.name}` }, events: [] })
        )
      const rendering = Effect.repeat(listings.renderStale, { times: 20 })
      yield* Effect.all([Effect.forEach(made, ({ id }) => change(id), { concurrency: 4 }), rendering, rendering], {
        concurrency: "unbounded"
      })
      const { json } = yield* listings.list({ ...page, creatorId: owner.id }, "listing", "skill")
      const names = (JSON.parse(json) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
      assert.deepStrictEqual(names.sort(), made.map(({ name }) => `New ${name}`).sort())
    })
  )
})
