import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { approval, rejection } from "@agent-marketplace/core/listings/ListingRules"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option, Result } from "effect"
import * as fc from "fast-check"
import { Commands } from "../fixtures/Commands.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { settle } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { compareEndState } from "./compareEndState.ts"
import { modelOf } from "./HistoryWorld.ts"
import type { MarketHistory } from "./MarketHistory.ts"
import type { PendingItem } from "./MarketModel.ts"
import { marketHistory, ringHistory } from "./MarketHistory.ts"
import { checkInvariants } from "./marketInvariants.ts"
import type { Action } from "./playHistory.ts"
import { freezeReason, playHistory } from "./playHistory.ts"
import { RelativeTimes } from "./RelativeTimes.ts"
import { storedWorld } from "./storedWorld.ts"

/** The start of the model's time; the store's time starts with the test. */
const modelStart = 1_700_000_000_000

const isListing = (id: SaleItem["id"]): id is ListingId => id.startsWith("lst_")

const setItem = Effect.fnUntraced(function* ({ id, onSale, price, slug }: SaleItem, pending: PendingItem | null) {
  const listings = yield* ListingStore
  const souls = yield* SoulStore
  const changed = isListing(id)
    ? Option.isSome(
        yield* listings.modify(id, (listing) =>
          Result.succeed({
            listing: { ...listing, price, status: onSale ? "approved" : "suspended", pendingChanges: pending },
            events: []
          })
        )
      )
    : Option.isSome(
        yield* souls.modify(slug, (soul) =>
          Result.succeed({ soul: { ...soul, price, visibility: onSale ? "public" : "private" }, events: [] })
        )
      )
  assert.isTrue(changed, `${id} is there to be changed`)
})

/** Decides on the pending changes of a listing, as the operator does. */
const review = Effect.fnUntraced(function* ({ id, name, pricingModel }: SaleItem, approve: boolean) {
  const clock = yield* MarketClock
  const listings = yield* ListingStore
  const now = yield* clock.now
  if (!isListing(id)) return assert.fail(`${id} has no pending changes`)
  const decided = yield* listings.modify(id, (listing) =>
    approve ? approval(listing, now) : rejection(listing, { reason: "a history", code: "other" }, now)
  )
  const listing = Result.getOrThrow(Option.getOrThrow(decided))
  assert.deepInclude(listing, { name, pricingModel, pendingChanges: null })
})

const follow = Effect.fnUntraced(function* (action: Action, model: RelativeTimes, store: RelativeTimes) {
  const approvals = yield* ApprovalStore
  const clock = yield* MarketClock
  const settlement = yield* SettlementStore
  switch (action._tag) {
    case "Advance":
      return void (yield* clock.advance(action.seconds))
    case "SetPolicy":
      return yield* approvals.setPolicy(action.subject, action.policy)
    case "SetFrozen": {
      const identity = yield* IdentityStore
      const frozen = action.frozen ? { since: yield* clock.now, reason: freezeReason } : null
      return void (yield* identity.setFrozen(action.subject, frozen))
    }
    case "SetItem":
      return yield* setItem(action.item, action.pending)
    case "Review":
      return yield* review(action.item, action.approve)
    case "Settle": {
      const outcomes = yield* settlement.settle(action.commands)
      assert.deepStrictEqual(
        outcomes.map((outcome) => store.outcome(outcome)) as ReadonlyArray<unknown>,
        action.outcomes.map((outcome) => model.outcome(outcome))
      )
    }
  }
})

const settlePayouts = (paused: boolean, requestId: string) =>
  Effect.asVoid(
    settle(
      Commands.setPayouts(paused, {
        id: freshId("act"),
        at: modelStart,
        actor: "history",
        action: "payouts.resume",
        subject: "payouts",
        reason: null,
        requestId
      })
    )
  )

const replay = Effect.fnUntraced(function* (history: MarketHistory) {
  const clock = yield* MarketClock
  const world = yield* storedWorld
  const model = modelOf(world, modelStart)
  const relativeToModel = new RelativeTimes(modelStart)
  const relativeToStore = new RelativeTimes(yield* clock.now)
  const tag = freshText()
  // An earlier history may have left payouts paused.
  yield* settlePayouts(false, tag)
  for (const action of playHistory(model, world, history, tag)) yield* follow(action, relativeToModel, relativeToStore)
  checkInvariants(model)
  yield* compareEndState(model, `test:${tag}`, relativeToModel, relativeToStore)
  yield* settlePayouts(false, tag)
})

/**
 * Random histories of a market, executed by the stores and by the pure model: every caller gets the same result, and the final
 * state is the same, so any two stores that pass end in the same state. Each history has `steps` steps.
 */
export const marketHistoryContract = <E>(
  name: string,
  stores: Layer.Layer<MarketStores, E>,
  { seeds = [1, 2, 3], steps = 800 }: { readonly seeds?: ReadonlyArray<number>; readonly steps?: number } = {}
): void =>
  storeSuite(`${name}: random histories of a market (BUY-14, LEDGER-4)`, stores, (it) => {
    it.effect.each([...seeds])(
      "returns the same results and ends in the same state as the pure rule, seed %s",
      (seed) => {
        const [history] = fc.sample(marketHistory(steps, steps), { numRuns: 1, seed })
        return history === undefined ? Effect.die("no history") : replay(history)
      }
    )
    it.effect(
      "also for colluding accounts that sell to each other, withdraw and are refunded (REFUND-8, DEBT-2)",
      () => {
        const [history] = fc.sample(ringHistory(steps, steps), { numRuns: 1, seed: 4 })
        return history === undefined ? Effect.die("no history") : replay(history)
      }
    )
  })
