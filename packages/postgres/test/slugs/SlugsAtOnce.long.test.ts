import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { freshWord } from "@agent-marketplace/testkit/fixtures/freshId"
import { listingOnSale } from "@agent-marketplace/testkit/fixtures/listingOnSale"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { draftSoul, soulEvent } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { storeSuite } from "@agent-marketplace/testkit/fixtures/storeSuite"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert } from "@effect/vitest"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { PostgresStores } from "../../src/PostgresStores.ts"

const url = await createDatabase()

const stores = PostgresStores.layer({
  url: Redacted.make(url),
  readConnections: 1,
  listConnections: 1,
  writeConnections: 3
}).pipe(Layer.provide(NodeCrypto.layer))

/** The stores of several processes: in one process, creations with the same name wait for each other before they take a connection. */
const processes = Effect.forEach(Array.from({ length: 4 }), () =>
  Effect.map(Layer.build(Layer.fresh(stores)), (services) => Context.get(services, SoulStore))
)

const sorted = (slugs: ReadonlyArray<string>) => slugs.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))

storeSuite("slugs under concurrency (TEXT-6)", stores, (it) => {
  const publish = Effect.fnUntraced(function* (base: string, by?: SoulStore["Service"]) {
    const souls = by ?? (yield* SoulStore)
    const soul = yield* draftSoul(yield* openAccount(), { name: base })
    return (yield* souls.insert(soul, { base, reserved: false }, (written) => ({
      soul: written,
      events: [soulEvent("soul.created", written)]
    }))).slug
  })

  it.effect("100 souls with the same name, created by 4 processes, get 100 consecutive slugs", () =>
    Effect.gen(function* () {
      const base = freshWord()
      const all = yield* processes
      const slugs = yield* Effect.forEach(Array.from({ length: 100 }), (_, n) => publish(base, all[n % all.length]), {
        concurrency: "unbounded"
      })
      const expected = [base, ...Array.from({ length: 99 }, (_, n) => `${base}-${n + 2}`)]
      assert.deepStrictEqual(sorted(slugs), sorted(expected))
    })
  )

  it.effect("suffixes that another name already uses are skipped, without a deadlock", () =>
    Effect.gen(function* () {
      const base = freshWord()
      const bases = Array.from({ length: 20 }, (_, n) => [base, base, `${base}-${n + 2}`, `${base}-${22 - n}`]).flat()
      const all = yield* processes
      const slugs = yield* Effect.forEach(bases, (each, n) => publish(each, all[n % all.length]), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(slugs).size, bases.length)
      const suffixes = slugs.filter((slug) => /^[a-z0-9]+(-\d+)?$/.test(slug)).length
      assert.isAtLeast(suffixes, 40)
    })
  )

  it.effect("souls and listings have separate name spaces", () =>
    Effect.gen(function* () {
      const name = freshWord()
      assert.strictEqual(yield* publish(name), name)
      assert.strictEqual((yield* listingOnSale(yield* openAccount(), { name })).slug, name)
    })
  )

  it.effect("a creation that fails gives its slug back", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const base = freshWord()
      const soul = yield* draftSoul(yield* openAccount(), { version: 0 })
      const failed = yield* Effect.exit(
        souls.insert(soul, { base, reserved: false }, (written) => ({
          soul: written,
          events: [soulEvent("soul.created", written)]
        }))
      )
      assert.strictEqual(failed._tag, "Failure")
      assert.strictEqual(yield* publish(base), base)
    })
  )
})
