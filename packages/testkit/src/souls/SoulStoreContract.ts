import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { Slug } from "@agent-marketplace/core/slugs/Slug"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result } from "effect"
import { freshWord } from "../fixtures/freshId.ts"
import { market } from "../fixtures/market.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { Commands } from "../fixtures/Commands.ts"
import { draftSoul, publishedSoul, soulEvent } from "../fixtures/publishedSoul.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { onlyEvent, subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"

/** Stores a soul under a wished slug. */
const insertAs = Effect.fnUntraced(function* (base: string, reserved = false) {
  const souls = yield* SoulStore
  const soul = yield* draftSoul(yield* openAccount())
  return yield* souls.insert(soul, { base, reserved }, (written) => soulEvent("soul.created", written))
})

const listed = Effect.fnUntraced(function* (filter: {
  readonly categories?: ReadonlyArray<string>
  readonly tags?: ReadonlyArray<string>
  readonly limit?: number
  readonly offset?: number
}) {
  const souls = yield* SoulStore
  const { json, total } = yield* souls.list({ limit: 50, offset: 0, ...filter })
  const items = JSON.parse(json) as ReadonlyArray<{ readonly slug: string }>
  return { items, slugs: items.map(({ slug }) => slug), total }
})

const slugCases = (it: StoreIt): void => {
  it.effect("a slug that is taken gets the first free numeric suffix, from 2 (TEXT-6)", () =>
    Effect.gen(function* () {
      const base = freshWord()
      assert.strictEqual((yield* insertAs(base)).slug, base)
      assert.strictEqual((yield* insertAs(base)).slug, `${base}-2`)
      assert.strictEqual((yield* insertAs(`${base}-3`)).slug, `${base}-3`)
      assert.strictEqual((yield* insertAs(base)).slug, `${base}-4`)
    })
  )

  it.effect("a word that is a route gets the suffix at once (TEXT-8)", () =>
    Effect.gen(function* () {
      const base = freshWord()
      assert.strictEqual((yield* insertAs(base, true)).slug, `${base}-2`)
      assert.strictEqual((yield* insertAs(base, true)).slug, `${base}-3`)
    })
  )

  it.effect("a suffix never makes a slug longer than 100 characters (TEXT-5)", () =>
    Effect.gen(function* () {
      const base = freshWord().repeat(10).slice(0, 100)
      yield* insertAs(base)
      assert.strictEqual((yield* insertAs(base)).slug, Slug.withSuffix(base, 2))
    })
  )

  it.effect("20 souls of one name at once get 20 slugs, none left out", () =>
    Effect.gen(function* () {
      const base = freshWord()
      const made = yield* Effect.forEach(Array.from({ length: 20 }), () => insertAs(base), { concurrency: "unbounded" })
      const expected = [base, ...Array.from({ length: 19 }, (_, n) => `${base}-${n + 2}`)]
      assert.deepStrictEqual(made.map(({ slug }) => slug).sort(), expected.sort())
    })
  )

  it.effect("a slug is given once for ever, also after deletion", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const base = freshWord()
      yield* insertAs(base)
      yield* souls.modify(base, (soul) => Result.succeed({ soul: { ...soul, deleted: true }, events: [] }))
      assert.strictEqual((yield* insertAs(base)).slug, `${base}-2`)
    })
  )
}

const writeCases = (it: StoreIt): void => {
  it.effect("a soul is kept whole, with its event and its first version", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount({ name: `Ünïcode "${freshWord()}" 🦞` })
      const fields = { tags: ["a-b", "ç"], price: usdt(1234.567891), content: '# SOUL\n\n\u2028 \\ " 🦞' }
      const soul = yield* publishedSoul(author, fields)
      assert.deepStrictEqual(yield* souls.findBySlug(soul.slug), Option.some(soul))
      assert.deepStrictEqual(yield* souls.findBySlug(freshWord()), Option.none())
      assert.deepStrictEqual(yield* souls.versions(soul.slug), [{ version: 1, content: fields.content }])
      const event = yield* onlyEvent(soul.id)
      assert.deepInclude(event, { type: "soul.created", accounts: [author.id] })
      assert.strictEqual(event.data.slug, soul.slug)
    })
  )

  it.effect("a raised version is kept beside the earlier ones, newest first", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const next: Soul = { ...soul, content: "# SOUL\n\nBe kinder.", version: 2, price: usdt(3), tags: ["new"] }
      const changed = yield* souls.modify(soul.slug, () =>
        Result.succeed({ soul: next, events: [soulEvent("soul.updated", next)] })
      )
      assert.deepStrictEqual(changed, Option.some(Result.succeed(next)))
      assert.deepStrictEqual(yield* souls.findBySlug(soul.slug), Option.some(next))
      assert.deepStrictEqual(yield* souls.versions(soul.slug), [
        { version: 2, content: next.content },
        { version: 1, content: soul.content }
      ])
      const types = (yield* subjectEvents(soul.id)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["soul.created", "soul.updated"])
    })
  )

  it.effect("a rule that refuses changes nothing; a soul that is not there has none", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const refused = yield* souls.modify(soul.slug, () => Result.fail("no" as const))
      assert.deepStrictEqual(refused, Option.some(Result.fail("no" as const)))
      assert.deepStrictEqual(yield* souls.findBySlug(soul.slug), Option.some(soul))
      const absent = yield* souls.modify(freshWord(), (one) => Result.succeed({ soul: one, events: [] }))
      assert.deepStrictEqual(absent, Option.none())
    })
  )

  it.effect("20 changes at once are all kept", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount(), { price: usdt(0) })
      const raise = souls.modify(soul.slug, (one) =>
        Result.succeed({
          soul: {
            ...one,
            price: Usdt.of(one.price + 1n),
            version: one.version + 1,
            content: `# SOUL ${one.version + 1}`
          },
          events: []
        })
      )
      yield* Effect.forEach(Array.from({ length: 20 }), () => raise, { concurrency: "unbounded" })
      const after = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
      assert.deepStrictEqual([after.price, after.version], [Usdt.of(20n), 21])
      assert.lengthOf(yield* souls.versions(soul.slug), 21)
    })
  )
}

const readCases = (it: StoreIt): void => {
  it.effect(
    "the list has public, undeleted souls, newest first, page by page, with the fields of SOUL-1 (SOUL-5)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const author = yield* openAccount()
        const category = freshWord()
        const made: Array<Soul> = []
        for (let n = 0; n < 5; n++) {
          yield* clock.advance(1)
          made.unshift(yield* publishedSoul(author, { category }))
        }
        yield* publishedSoul(author, { category, visibility: "private" })
        yield* publishedSoul(author, { category, deleted: true })
        const all = yield* listed({ categories: [category] })
        assert.strictEqual(all.total, 5)
        assert.deepStrictEqual(
          all.items as ReadonlyArray<unknown>,
          made.map((soul) => JSON.parse(SoulJson.close(SoulJson.itemHead(soul), 0)))
        )
        const page = yield* listed({ categories: [category], limit: 2, offset: 3 })
        assert.deepStrictEqual([page.slugs, page.total], [made.slice(3).map(({ slug }) => slug), 5])
        assert.deepStrictEqual(yield* listed({ categories: [category], offset: 9 }), { items: [], slugs: [], total: 5 })
      })
  )

  it.effect("categories and tags each mean any of them, and both must fit", () =>
    Effect.gen(function* () {
      const author = yield* openAccount()
      const [one, two, red, blue] = [freshWord(), freshWord(), freshWord(), freshWord()]
      const first = yield* publishedSoul(author, { category: one, tags: [red, "x"] })
      const second = yield* publishedSoul(author, { category: two, tags: [blue] })
      const slugs = (filter: Parameters<typeof listed>[0]) =>
        Effect.map(listed(filter), (found) => found.slugs.toSorted())
      const both = [first.slug, second.slug].sort()
      assert.deepStrictEqual(yield* slugs({ categories: [one, two] }), both)
      assert.deepStrictEqual(yield* slugs({ tags: [red, blue] }), both)
      assert.deepStrictEqual(yield* slugs({ categories: [one], tags: [red, blue] }), [first.slug])
      assert.deepStrictEqual(yield* slugs({ categories: [one], tags: [blue] }), [])
      assert.deepStrictEqual(yield* slugs({ categories: [] }), [])
    })
  )

  it.effect("the detail has the fields of SOUL-2, of public and undeleted souls only", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const detail = Option.getOrThrow(yield* souls.detailJson(soul.slug))
      assert.deepStrictEqual(JSON.parse(detail), JSON.parse(SoulJson.close(SoulJson.detailHead(soul), 0)))
      yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, name: "Other" }, events: [] }))
      assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(soul.slug))).name, "Other")
      for (const hidden of [{ visibility: "private" as const }, { visibility: "public" as const, deleted: true }]) {
        yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, ...hidden }, events: [] }))
        assert.deepStrictEqual(yield* souls.detailJson(soul.slug), Option.none())
      }
      assert.deepStrictEqual(yield* souls.detailJson(freshWord()), Option.none())
    })
  )

  it.effect("a download counts once for each account, also at once, and is told only then (SOUL-36, SOUL-37)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const [one, two] = [yield* openAccount(), yield* openAccount()]
      const get = (account: typeof one) => souls.download(soul, account.id, soulEvent("soul.downloaded", soul))
      const counted = yield* Effect.forEach(Array.from({ length: 10 }), () => get(one), { concurrency: "unbounded" })
      assert.lengthOf(
        counted.filter((result) => result.counted),
        1
      )
      assert.isTrue((yield* get(two)).counted)
      assert.isFalse((yield* get(two)).counted)
      assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).downloads, 2)
      assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(soul.slug))).downloads, 2)
      const told = (yield* subjectEvents(soul.id)).filter(({ type }) => type === "soul.downloaded")
      assert.lengthOf(told, 2)
      yield* souls.modify(soul.slug, (soul) => Result.succeed({ soul: { ...soul, name: "Renamed" }, events: [] }))
      assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).downloads, 2, "a change keeps the count")
    })
  )

  it.effect("who bought a soul is licensed until it is refunded", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const { buyer, seller } = yield* market(usdt(100))
      const soul = yield* publishedSoul(seller)
      assert.isFalse(yield* souls.isLicensed(soul, buyer.id))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
      assert.isTrue(yield* souls.isLicensed(soul, buyer.id))
      assert.isFalse(yield* souls.isLicensed(soul, seller.id))
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.isFalse(yield* souls.isLicensed(soul, buyer.id))
    })
  )
}

/** What every `SoulStore` owes. */
export const soulStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SoulStore`, stores, (it) => {
    slugCases(it)
    writeCases(it)
    readCases(it)
  })
