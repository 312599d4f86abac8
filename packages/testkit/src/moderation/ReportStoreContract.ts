import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Report } from "@agent-marketplace/core/moderation/Report"
import { quarantiningReports, reported, trustedAfter } from "@agent-marketplace/core/moderation/Report"
import { ReportStore } from "@agent-marketplace/core/moderation/ReportStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { Layer } from "effect"
import { Commands } from "../fixtures/Commands.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { resultOf, settle } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const page = { page: 1, limit: 100 }

const report = Effect.fnUntraced(function* (item: { readonly id: ItemId }, reporter: Pick<Account, "id">) {
  const store = yield* ReportStore
  const createdAt = yield* (yield* MarketClock).now
  const draft: Report = {
    id: freshId("rpt"),
    itemId: item.id,
    reporterId: reporter.id,
    reason: "malware",
    text: "It sends keys away.",
    status: "open",
    action: null,
    createdAt,
    resolvedAt: null
  }
  return yield* store.add(draft, createdAt - trustedAfter, reported(createdAt))
})

/** Accounts that are old enough and have bought something. */
const trustedReporters = Effect.fnUntraced(function* (count: number) {
  const now = yield* (yield* MarketClock).now
  const free = yield* listingOnSale(yield* openAccount(), { price: usdt(0), pricingModel: "free" })
  const accounts = yield* Effect.replicateEffect(openAccount({ createdAt: now - 8 * Timestamp.day }), count)
  yield* Effect.forEach(accounts, (account) =>
    Effect.gen(function* () {
      resultOf(yield* settle(Commands.buy(account, free)), "Bought")
    })
  )
  return accounts
})

const isQuarantined = Effect.fnUntraced(function* (item: { readonly id: ItemId }) {
  const listings = yield* ListingStore
  return Option.getOrThrow(yield* listings.find(item.id as never)).quarantined
})

/** The contract of `ReportStore`. */
export const reportStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ReportStore`, stores, (it) => {
    it.effect("of two reports by one account at once, one is kept (REPORT-2)", () =>
      Effect.gen(function* () {
        const item = yield* listingOnSale(yield* openAccount())
        const reporter = yield* openAccount()
        const outcomes = yield* Effect.forEach([1, 2, 3], () => Effect.result(report(item, reporter)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
      })
    )

    it.effect("a flood of reports at once quarantines an item only with four trusted reporters (REPORT-3)", () =>
      Effect.gen(function* () {
        const [few, many] = [yield* listingOnSale(yield* openAccount()), yield* listingOnSale(yield* openAccount())]
        const trusted = yield* trustedReporters(quarantiningReports)
        const young = yield* Effect.replicateEffect(openAccount(), 8)
        const flood = (item: typeof few, by: ReadonlyArray<Account>) =>
          Effect.forEach(by, (one) => report(item, one), { concurrency: "unbounded", discard: true })
        yield* flood(few, [...trusted.slice(1), ...young])
        assert.isFalse(yield* isQuarantined(few))
        yield* flood(many, trusted)
        assert.isTrue(yield* isQuarantined(many))
      })
    )

    it.effect("resolving decides about all open reports of the item, once (REPORT-5)", () =>
      Effect.gen(function* () {
        const store = yield* ReportStore
        const now = yield* (yield* MarketClock).now
        const item = yield* listingOnSale(yield* openAccount())
        const reporters = yield* Effect.replicateEffect(openAccount(), 3)
        const [one, two, three] = yield* Effect.forEach(reporters, (reporter) => report(item, reporter))
        if (one === undefined || two === undefined || three === undefined) return assert.fail("three reports")
        assert.strictEqual(yield* store.count(item.id), 3)
        const resolve = ({ id }: Report) => store.resolve(id, "none", now, () => Result.succeed({}))
        const outcomes = yield* Effect.forEach([one, two], (each) => Effect.result(resolve(each)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        const after = Option.getOrThrow(yield* store.find(three.id))
        assert.deepInclude(after, { status: "resolved", action: "none", resolvedAt: now })
        assert.isTrue(Option.isNone(yield* store.resolve(freshId("rpt"), "none", now, () => Result.succeed({}))))
        const open = yield* store.list("open", page)
        assert.isFalse(open.items.some(({ itemId }) => itemId === item.id))
        assert.strictEqual(yield* store.count(item.id), 0, "dismissed reports do not count")
        const upheld = yield* report(item, yield* openAccount())
        yield* store.resolve(upheld.id, "quarantine", now, () => Result.succeed({}))
        assert.strictEqual(yield* store.count(item.id), 1)
        assert.strictEqual(yield* store.count(freshId("lst")), 0)
      })
    )
  })
