import { Context, Effect, Layer, Option } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import { Advisories } from "../advisories/Advisories.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed, Conflict, ValidationFailed } from "../errors/MarketError.ts"
import { Forbidden, NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { AppealId, ItemId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Appeal, AppealDecision, AppealStatus } from "./Appeal.ts"
import { appealed, decidedAppeal } from "./Appeal.ts"
import { AppealStore } from "./AppealStore.ts"
import { SeenItems } from "./SeenItems.ts"

const noAppeal = new NotFound({ resource: "APPEAL" })

type OwnFailure = AgentNotClaimed | Forbidden | NotFound

/** Appeals of rejections, suspensions and quarantines, and the operators' decisions about them (APPEAL-1 to APPEAL-4). */
export class Appeals extends Context.Service<
  Appeals,
  {
    /** For the item's creator. `version` selects the quarantine of that release. */
    readonly appeal: (
      caller: Caller,
      item: ItemId,
      appeal: { readonly text: string; readonly version?: string | undefined }
    ) => StoreEffect<Appeal, Conflict | OwnFailure | ValidationFailed>
    /** For the item's creator, newest first. */
    readonly own: (caller: Caller, item: ItemId, page: PageRequest) => StoreEffect<Page<Appeal>, OwnFailure>
    /** For operators, oldest first. */
    readonly list: (status: AppealStatus | undefined, page: PageRequest) => StoreEffect<Page<Appeal>>
    /** For operators. `overturned` undoes the decision in the same transaction, if it is still in force. */
    readonly decide: (
      id: AppealId,
      decision: { readonly decision: AppealDecision; readonly reason: string },
      operator: Operator
    ) => StoreEffect<Appeal, Conflict | NotFound | ValidationFailed>
  }
>()("@agent-marketplace/core/moderation/Appeals") {
  static readonly layer = Layer.effect(
    Appeals,
    Effect.gen(function* () {
      const store = yield* AppealStore
      const items = yield* SeenItems
      const administration = yield* Administration
      const advisories = yield* Advisories
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      const checkOwn = Effect.fnUntraced(function* (caller: Caller, item: ItemId) {
        const owner = yield* ownerOf(caller)
        if ((yield* items.creatorOf(caller, item)) !== owner) return yield* new Forbidden({ required: ["creator"] })
        return owner
      })

      /** If the advisory cannot be signed now, the decision remains in force and the worker publishes the advisory later (ADVISORY-6). */
      const publish = Effect.catch(advisories.publish, (error) =>
        Effect.logWarning("an advisory will be published later", error)
      )

      return {
        appeal: Effect.fn("Appeals.appeal")(function* (caller, itemId, { text, version }) {
          const creatorId = yield* checkOwn(caller, itemId)
          const id = yield* ids.make("appeal")
          const draft = { id, itemId, creatorId, text, wanted: version, createdAt: yield* clock.now }
          const added = yield* store.add(itemId, appealed(draft))
          if (Option.isNone(added)) return yield* new NotFound({ resource: "LISTING" })
          return yield* Effect.fromResult(added.value)
        }),
        own: Effect.fn("Appeals.own")(function* (caller, itemId, page) {
          yield* checkOwn(caller, itemId)
          return yield* store.ofItem(itemId, page)
        }),
        list: store.list,
        decide: Effect.fn("Appeals.decide")(function* (id, { decision, reason }, operator) {
          const name = decision === "upheld" ? "appeal.uphold" : "appeal.overturn"
          const action = yield* administration.draft(operator, name, id, reason)
          const decided = yield* store.decide(id, (shelf, appeal) =>
            decidedAppeal(decision, reason, { ...action, subject: appeal.itemId })(shelf, appeal)
          )
          if (Option.isNone(decided)) return yield* noAppeal
          const appeal = yield* Effect.fromResult(decided.value)
          if (decision === "overturned") yield* publish
          return appeal
        })
      }
    })
  )
}
