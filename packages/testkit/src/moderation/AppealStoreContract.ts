import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { quarantined, released } from "@agent-marketplace/core/advisories/itemRules"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { ItemId, ListingId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { rejection, suspension } from "@agent-marketplace/core/listings/ListingRules"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { Appeal, AppealDecision } from "@agent-marketplace/core/moderation/Appeal"
import { appealed, decidedAppeal } from "@agent-marketplace/core/moderation/Appeal"
import { AppealStore } from "@agent-marketplace/core/moderation/AppealStore"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import * as SoulRules from "@agent-marketplace/core/souls/SoulRules"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { Layer } from "effect"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const page = { page: 1, limit: 100 }
const reason = { reason: "It is not what it claims to be.", code: "misleading" } as const

const action = (name: string, subject: string, at: number): ActionDraft => ({
  id: freshId("act"),
  at,
  actor: "ada",
  action: name,
  subject,
  reason: "A second look.",
  requestId: "req_1"
})

const now = Effect.flatMap(MarketClock, (clock) => clock.now)

const appeal = Effect.fnUntraced(function* (item: { readonly id: ItemId }, wanted?: string) {
  const store = yield* AppealStore
  const creatorId = freshId("usr")
  const draft = { id: freshId("apl"), itemId: item.id, creatorId, text: "It is.", wanted, createdAt: yield* now }
  return Option.getOrThrow(yield* store.add(item.id, appealed(draft)))
})

const decide = Effect.fnUntraced(function* ({ id, itemId }: Appeal, decision: AppealDecision) {
  const store = yield* AppealStore
  const draft = action("appeal.decide", itemId, yield* now)
  return Option.getOrThrow(yield* store.decide(id, decidedAppeal(decision, "A second look.", draft)))
})

const suspend = Effect.fnUntraced(function* ({ id }: Listing) {
  const at = yield* now
  yield* (yield* ListingStore).modify(id, (listing) => suspension(listing, reason, at))
})

const found = Effect.fnUntraced(function* (id: ListingId) {
  return Option.getOrThrow(yield* (yield* ListingStore).find(id))
})

const quarantine = Effect.fnUntraced(function* ({ id }: Listing, at: number) {
  const decision = { versions: undefined, reason: { code: "theft", text: "It sends keys away." }, at }
  yield* (yield* ReleaseStore).modify(id, quarantined({ ...decision, action: action("item.quarantine", id, at) }))
})

const release = Effect.fnUntraced(function* ({ id }: Listing) {
  const at = yield* now
  const decision = { versions: undefined, reason: { code: "other", text: "Fine." }, at }
  return yield* (yield* ReleaseStore).modify(id, released({ ...decision, action: action("item.release", id, at) }))
})

/** The contract of `AppealStore`. */
export const appealStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: AppealStore`, stores, (it) => {
    it.effect("of appeals of one decision at once, one is kept (APPEAL-2)", () =>
      Effect.gen(function* () {
        const item = yield* listingOnSale(yield* openAccount())
        const early = yield* appeal(item)
        assert.deepInclude(Result.getFailure(early).pipe(Option.getOrThrow), { state: "nothing_to_appeal" })
        yield* suspend(item)
        const outcomes = yield* Effect.forEach([1, 2, 3], () => appeal(item), { concurrency: "unbounded" })
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        const { items } = yield* (yield* AppealStore).ofItem(item.id, page)
        assert.lengthOf(items, 1)
        assert.deepInclude(items[0], { subject: "suspension", code: "misleading", reason: reason.reason })
      })
    )

    it.effect("of two decisions at once, one counts and is carried out once (APPEAL-3, APPEAL-4)", () =>
      Effect.gen(function* () {
        const item = yield* listingOnSale(yield* openAccount())
        yield* suspend(item)
        const filed = Result.getOrThrow(yield* appeal(item))
        const outcomes = yield* Effect.forEach(
          ["upheld", "overturned", "upheld"] as const,
          (one) => decide(filed, one),
          {
            concurrency: "unbounded"
          }
        )
        const decided = outcomes.filter(Result.isSuccess).map(({ success }) => success.status)
        assert.lengthOf(decided, 1)
        assert.strictEqual((yield* found(item.id)).status, decided[0] === "upheld" ? "suspended" : "approved")
        const { items } = yield* (yield* AppealStore).list(decided[0], page)
        assert.isTrue(items.some(({ answer, id }) => id === filed.id && answer === "A second look."))
      })
    )

    it.effect(
      "an overturned rejection or suspension ends, and a later one for the same reason does not (APPEAL-2, APPEAL-4)",
      () =>
        Effect.gen(function* () {
          const item = yield* listingOnSale(yield* openAccount(), { status: "pending_review" })
          const at = yield* now
          yield* (yield* ListingStore).modify(item.id, (listing) => rejection(listing, reason, at))
          const filed = Result.getOrThrow(yield* appeal(item))
          assert.strictEqual(Result.getOrThrow(yield* decide(filed, "overturned")).status, "overturned")
          assert.deepInclude(yield* found(item.id), { status: "approved", rejectionReason: null, reasonCode: null })
          yield* suspend(item)
          const second = Result.getOrThrow(yield* appeal(item))
          yield* (yield* ListingStore).modify(item.id, (listing) =>
            Result.succeed({ listing: { ...listing, decidedAt: at + 60_000 }, events: [] })
          )
          Result.getOrThrow(yield* decide(second, "overturned"))
          assert.strictEqual((yield* found(item.id)).status, "suspended", "another decision is in force")
          Result.getOrThrow(yield* appeal(item))
        })
    )

    it.effect("an overturned suspension of a soul ends (APPEAL-4)", () =>
      Effect.gen(function* () {
        const soul = yield* publishedSoul(yield* openAccount())
        const souls = yield* SoulStore
        const at = yield* now
        yield* souls.modify(soul.slug, (before) => SoulRules.suspension(before, reason, at))
        Result.getOrThrow(yield* decide(Result.getOrThrow(yield* appeal(soul)), "overturned"))
        const { suspension } = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
        assert.isNull(suspension)
      })
    )

    it.effect("an overturned quarantine ends, also beside a release, but no later one (APPEAL-4)", () =>
      Effect.gen(function* () {
        const item = yield* listingOnSale(yield* openAccount())
        const at = yield* now
        yield* quarantine(item, at)
        const filed = Result.getOrThrow(yield* appeal(item))
        const [decided] = yield* Effect.all([decide(filed, "overturned"), release(item)], { concurrency: "unbounded" })
        assert.isTrue(Result.isSuccess(decided))
        assert.isFalse((yield* found(item.id)).quarantined)
        yield* quarantine(item, at + 1)
        const later = Result.getOrThrow(yield* appeal(item))
        yield* release(item)
        yield* quarantine(item, at + 2)
        Result.getOrThrow(yield* decide(later, "overturned"))
        assert.isTrue((yield* found(item.id)).quarantined)
      })
    )
  })
