import { Context, Effect, Layer, Option } from "effect"
import type { Operator } from "../admin/OperatorAction.ts"
import { ItemControl } from "../advisories/ItemControl.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed, ValidationFailed } from "../errors/MarketError.ts"
import { Conflict, Forbidden, NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { ItemId, ListingId, ReportId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import { Listings } from "../listings/Listings.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { Souls } from "../souls/Souls.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import type { ReasonCode } from "./ReasonCode.ts"
import type { Report, ReportAction, ReportReason, ReportStatus } from "./Report.ts"
import { decided, reported, trustedAfter } from "./Report.ts"
import { ReportStore } from "./ReportStore.ts"
import { SeenItems } from "./SeenItems.ts"

const noReport = new NotFound({ resource: "REPORT" })

/** An operator's decision about the reports of an item. */
export interface ReportDecision {
  readonly action: ReportAction
  /** By default the code of the report's reason. */
  readonly code?: ReasonCode | undefined
  readonly reason: string
}

interface Why {
  readonly reason: string
  readonly code: ReasonCode
}

/** Reports of items that should not be sold, and the operators' decisions about them (REPORT-1 to REPORT-5). */
export class Reports extends Context.Service<
  Reports,
  {
    /** For every account that can see the item, except its creator. */
    readonly report: (
      caller: Caller,
      item: ItemId,
      report: { readonly reason: ReportReason; readonly text: string }
    ) => StoreEffect<Report, AgentNotClaimed | Conflict | Forbidden | NotFound>
    /** For operators, oldest first. */
    readonly list: (status: ReportStatus | undefined, page: PageRequest) => StoreEffect<Page<Report>>
    /** For operators. It decides about all open reports of the item. */
    readonly resolve: (
      id: ReportId,
      decision: ReportDecision,
      operator: Operator
    ) => StoreEffect<Report, Conflict | NotFound | ValidationFailed>
  }
>()("@agent-marketplace/core/moderation/Reports") {
  static readonly layer = Layer.effect(
    Reports,
    Effect.gen(function* () {
      const store = yield* ReportStore
      const listings = yield* Listings
      const souls = yield* Souls
      const listingStore = yield* ListingStore
      const soulStore = yield* SoulStore
      const control = yield* ItemControl
      const items = yield* SeenItems
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      /** Runs before the reports are resolved, so that the reports stay open if the item cannot be suspended. */
      const suspend = Effect.fnUntraced(function* (item: ItemId, why: Why, operator: Operator) {
        if (!item.startsWith("soul_")) {
          const found = yield* listingStore.find(item as ListingId)
          if (Option.isSome(found) && found.value.status === "suspended") return
          yield* listings.suspend(item as ListingId, why, operator)
          return
        }
        const found = yield* soulStore.detail(item, null)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "SOUL" })
        if (found.value.soul.suspension !== null) return
        yield* souls.suspend(found.value.soul.slug, why, operator)
      })

      return {
        list: store.list,
        report: Effect.fn("Reports.report")(function* (caller, itemId, { reason, text }) {
          const reporterId = yield* ownerOf(caller)
          if ((yield* items.creatorOf(caller, itemId)) === reporterId) {
            return yield* new Forbidden({ required: ["another account"] })
          }
          const createdAt = yield* clock.now
          const id = yield* ids.make("report")
          const open = { status: "open", action: null, resolvedAt: null } as const
          let stops = false
          const added = yield* store.add(
            { ...open, id, itemId, reporterId, reason, text, createdAt },
            createdAt - trustedAfter,
            (shelf, trusted) => {
              const change = reported(createdAt)(shelf, trusted)
              stops = change.quarantine !== undefined
              return change
            }
          )
          if (stops) yield* control.stopped
          return added
        }),
        resolve: Effect.fn("Reports.resolve")(function* (id, { action, code, reason }, operator) {
          const found = yield* store.find(id)
          if (Option.isNone(found)) return yield* noReport
          const { itemId, reason: reportReason, status } = found.value
          if (status === "resolved") return yield* new Conflict({ state: "resolved" })
          const decision = { reason, code: code ?? reportReason }
          // Each of them can be repeated, if a process stops before the reports are resolved.
          if (action === "suspend") yield* suspend(itemId, decision, operator)
          if (action === "quarantine") yield* control.quarantine(operator, itemId, decision)
          if (action === "revoke") yield* control.revoke(operator, itemId, decision)
          const at = yield* clock.now
          const log = {
            id: yield* ids.make("action"),
            at,
            actor: operator.name,
            action: `report.resolve.${action}`,
            subject: itemId,
            before: { reports: "open" },
            after: { reports: "resolved", reportId: id },
            reason,
            requestId: operator.requestId
          }
          const resolved = yield* store.resolve(id, action, at, (shelf) => decided(shelf, action, log))
          return Option.isSome(resolved) ? resolved.value : yield* noReport
        })
      }
    })
  )
}
