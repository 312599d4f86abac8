import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { Slug } from "@agent-marketplace/core/slugs/Slug"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
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
import { listedSouls } from "./listedSouls.ts"
import { soulListCases } from "./soulListCases.ts"

const firstPage = { page: 1, limit: 20 }

const nothingSold = { sales: 0, rating: 0, reviews: 0 }

/** Stores a soul with a preferred slug. */
const insertAs = Effect.fnUntraced(function* (base: string, reserved = false) {
  const souls = yield* SoulStore
  const soul = yield* draftSoul(yield* openAccount())
  return yield* souls.insert(soul, { base, reserved }, (written) => ({
    soul: written,
    events: [soulEvent("soul.created", written)]
  }))
})

const slugCases = (it: StoreIt): void => {
  it.effect("a slug that is in use gets the first free numeric suffix, starting with 2 (TEXT-6)", () =>
    Effect.gen(function* () {
      const base = freshWord()
      assert.strictEqual((yield* insertAs(base)).slug, base)
      assert.strictEqual((yield* insertAs(base)).slug, `${base}-2`)
      assert.strictEqual((yield* insertAs(`${base}-3`)).slug, `${base}-3`)
      assert.strictEqual((yield* insertAs(base)).slug, `${base}-4`)
    })
  )

  it.effect("a slug that equals a route gets a suffix immediately (TEXT-8)", () =>
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

  it.effect("20 concurrent souls of one name get 20 consecutive slugs", () =>
    Effect.gen(function* () {
      const base = freshWord()
      const made = yield* Effect.forEach(Array.from({ length: 20 }), () => insertAs(base), { concurrency: "unbounded" })
      const expected = [base, ...Array.from({ length: 19 }, (_, n) => `${base}-${n + 2}`)]
      assert.deepStrictEqual(made.map(({ slug }) => slug).sort(), expected.sort())
    })
  )

  it.effect("a slug is never reused, even after deletion", () =>
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
  it.effect("a soul is stored completely, with its event and its first version", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const author = yield* openAccount({ name: `Ünïcode "${freshWord()}" 🦞` })
      const fields = { tags: ["a-b", "ç"], price: usdt(1234.567891), content: '# SOUL\n\n\u2028 \\ " 🦞' }
      const soul = yield* publishedSoul(author, fields)
      assert.deepStrictEqual(yield* souls.findBySlug(soul.slug), Option.some(soul))
      assert.deepStrictEqual(yield* souls.findBySlug(freshWord()), Option.none())
      const version = { version: 1, content: fields.content, createdAt: soul.createdAt }
      assert.deepStrictEqual(yield* souls.versions(soul.slug, firstPage), { items: [version], total: 1 })
      const event = yield* onlyEvent(soul.id)
      assert.deepInclude(event, { type: "soul.created", accounts: [author.id] })
      assert.strictEqual(event.data.slug, soul.slug)
    })
  )

  it.effect("a new version is stored in addition to the earlier ones, newest first", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const next: Soul = { ...soul, content: "# SOUL\n\nBe kinder.", version: 2, price: usdt(3), tags: ["new"] }
      const changed = yield* souls.modify(soul.slug, () =>
        Result.succeed({ soul: next, events: [soulEvent("soul.updated", next)] })
      )
      assert.deepStrictEqual(changed, Option.some(Result.succeed(next)))
      assert.deepStrictEqual(yield* souls.findBySlug(soul.slug), Option.some(next))
      const kept = [
        { version: 2, content: next.content, createdAt: next.updatedAt },
        { version: 1, content: soul.content, createdAt: soul.createdAt }
      ]
      assert.deepStrictEqual(yield* souls.versions(soul.slug, firstPage), { items: kept, total: 2 })
      assert.deepStrictEqual(yield* souls.versions(soul.slug, { page: 2, limit: 1 }), {
        items: kept.slice(1),
        total: 2
      })
      assert.deepStrictEqual(yield* souls.findVersion(soul.slug, 1), Option.fromUndefinedOr(kept[1]))
      assert.deepStrictEqual(yield* souls.findVersion(soul.slug, 3), Option.none())
      const types = (yield* subjectEvents(soul.id)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["soul.created", "soul.updated"])
    })
  )

  it.effect("a refused change has no effect; a missing soul returns none", () =>
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

  it.effect(
    "an operator's action is logged with the change it makes, and not with one that is refused (OPERATOR-14)",
    () =>
      Effect.gen(function* () {
        const souls = yield* SoulStore
        const actions = yield* ActionStore
        const soul = yield* publishedSoul(yield* openAccount())
        const action: OperatorAction = {
          id: `act_${freshWord()}` as OperatorAction["id"],
          at: soul.createdAt,
          actor: "grace",
          action: "soul.suspend",
          subject: soul.id,
          before: { status: "active" },
          after: { status: "suspended" },
          reason: "Copied.",
          requestId: freshWord()
        }
        const logged = Effect.map(actions.list({ subject: soul.id }, { page: 1, limit: 5 }), ({ items }) => items)
        yield* souls.modify(soul.slug, () => Result.fail("no" as const))
        assert.deepStrictEqual(yield* logged, [])
        yield* souls.modify(soul.slug, (one) =>
          Result.succeed({ soul: { ...one, suspension: "Copied." }, events: [], action })
        )
        assert.deepStrictEqual(yield* logged, [action])
      })
  )

  it.effect("20 concurrent changes are all stored", () =>
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
      assert.strictEqual((yield* souls.versions(soul.slug, firstPage)).total, 21)
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
        const all = yield* listedSouls({ categories: [category] })
        assert.strictEqual(all.total, 5)
        assert.deepStrictEqual(
          all.items as ReadonlyArray<unknown>,
          made.map((soul) => JSON.parse(SoulJson.close(SoulJson.itemHead(soul), 0)))
        )
        const page = yield* listedSouls({ categories: [category], limit: 2, offset: 3 })
        assert.deepStrictEqual([page.slugs, page.total], [made.slice(3).map(({ slug }) => slug), 5])
        assert.deepStrictEqual(yield* listedSouls({ categories: [category], offset: 9 }), {
          items: [],
          slugs: [],
          total: 5
        })
      })
  )

  it.effect("several categories or tags match any of them, and both filters must match", () =>
    Effect.gen(function* () {
      const author = yield* openAccount()
      const [one, two, red, blue] = [freshWord(), freshWord(), freshWord(), freshWord()]
      const first = yield* publishedSoul(author, { category: one, tags: [red, "x"] })
      const second = yield* publishedSoul(author, { category: two, tags: [blue] })
      const slugs = (filter: Parameters<typeof listedSouls>[0]) =>
        Effect.map(listedSouls(filter), (found) => found.slugs.toSorted())
      const both = [first.slug, second.slug].sort()
      assert.deepStrictEqual(yield* slugs({ categories: [one, two] }), both)
      assert.deepStrictEqual(yield* slugs({ tags: [red, blue] }), both)
      assert.deepStrictEqual(yield* slugs({ categories: [one], tags: [red, blue] }), [first.slug])
      assert.deepStrictEqual(yield* slugs({ categories: [one], tags: [blue] }), [])
      assert.deepStrictEqual(yield* slugs({ categories: [] }), [])
    })
  )

  it.effect("the detail has the fields of SOUL-2, for public and undeleted souls only", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const soul = yield* publishedSoul(yield* openAccount())
      const detail = Option.getOrThrow(yield* souls.detailJson(soul.slug))
      assert.deepStrictEqual(
        JSON.parse(detail),
        JSON.parse(SoulJson.closeDetail(SoulJson.detailHead(soul), 0, nothingSold))
      )
      yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, name: "Other" }, events: [] }))
      assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(soul.slug))).name, "Other")
      for (const hidden of [
        { visibility: "private" as const },
        { visibility: "public" as const, suspension: "copied" },
        { suspension: null, deleted: true }
      ]) {
        yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, ...hidden }, events: [] }))
        assert.deepStrictEqual(yield* souls.detailJson(soul.slug), Option.none())
      }
      assert.deepStrictEqual(yield* souls.detailJson(freshWord()), Option.none())
    })
  )

  it.effect(
    "a download counts once for each account, also concurrently, and only then emits an event (SOUL-36, SOUL-37)",
    () =>
      Effect.gen(function* () {
        const souls = yield* SoulStore
        const soul = yield* publishedSoul(yield* openAccount())
        const [one, two] = [yield* openAccount(), yield* openAccount()]
        const get = (account: typeof one) =>
          souls.download(soul, account.id, (current) => soulEvent("soul.downloaded", current))
        const counted = yield* Effect.forEach(Array.from({ length: 10 }), () => get(one), { concurrency: "unbounded" })
        assert.lengthOf(
          counted.filter((result) => result.counted),
          1
        )
        assert.isTrue((yield* get(two)).counted)
        assert.isFalse((yield* get(two)).counted)
        assert.strictEqual(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).downloads, 2)
        assert.strictEqual(JSON.parse(Option.getOrThrow(yield* souls.detailJson(soul.slug))).downloads, 2)
        const events = (yield* subjectEvents(soul.id)).filter(({ type }) => type === "soul.downloaded")
        assert.lengthOf(events, 2)
        yield* souls.modify(soul.slug, (soul) => Result.succeed({ soul: { ...soul, name: "Renamed" }, events: [] }))
        assert.strictEqual(
          Option.getOrThrow(yield* souls.findBySlug(soul.slug)).downloads,
          2,
          "a change keeps the count"
        )
      })
  )

  it.effect("a buyer of a soul has a license until a refund", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const { buyer, seller } = yield* market(usdt(100))
      const soul = yield* publishedSoul(seller)
      const licensed = (viewer: AccountId | null) =>
        Effect.map(souls.detail(soul.slug, viewer), (found) => Option.getOrThrow(found).licensed)
      assert.isFalse(yield* licensed(buyer.id))
      assert.isFalse(yield* licensed(null))
      const { purchase } = resultOf(yield* settle(Commands.buy(buyer, soul)), "Bought")
      assert.isTrue(yield* licensed(buyer.id))
      assert.isFalse(yield* licensed(seller.id))
      resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
      assert.isFalse(yield* licensed(buyer.id))
    })
  )
}

/** The contract of `SoulStore`. */
export const soulStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SoulStore`, stores, (it) => {
    slugCases(it)
    writeCases(it)
    readCases(it)
    soulListCases(it)
  })
