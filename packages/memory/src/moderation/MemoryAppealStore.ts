import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AppealId, ItemId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { reinstated } from "@agent-marketplace/core/listings/ListingRules"
import type { Appeal, DecidedAppeal } from "@agent-marketplace/core/moderation/Appeal"
import { AppealStore } from "@agent-marketplace/core/moderation/AppealStore"
import type { ItemReleases } from "@agent-marketplace/core/releases/ItemReleases"
import { restoration } from "@agent-marketplace/core/souls/SoulRules"
import { Effect, Layer, Option, Result } from "effect"
import { storeListing } from "../listings/storeListing.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { changeItemReleases } from "../releases/MemoryReleaseStore.ts"
import { storeSoul } from "../souls/storeSoul.ts"
import { resolveReports } from "./MemoryReportStore.ts"

const created = ({ createdAt }: Appeal) => createdAt

/** Ends the rejection or suspension of an item. */
const reinstate = ({ append, tables }: MemoryMarket["Service"], id: ItemId, at: Timestamp): void => {
  const listing = tables.listings.get(id as ListingId)?.listing
  if (listing !== undefined) {
    const change = reinstated(listing, at)
    storeListing(tables, change.listing)
    append(change.events)
  }
  const soul = tables.souls.get(id as SoulId)?.soul
  const restored = soul === undefined ? undefined : restoration(soul, at)
  if (restored !== undefined && Result.isSuccess(restored)) {
    storeSoul(tables, restored.success.soul)
    append(restored.success.events)
  }
}

export const MemoryAppealStore: { readonly layer: Layer.Layer<AppealStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    AppealStore,
    Effect.map(MemoryMarket, (market) => {
      const { tables } = market
      const all = () => [...tables.appeals.values()]
      const ofItem = (item: ItemId) => all().filter(({ itemId }) => itemId === item)

      const add = <E>(
        item: ItemId,
        rule: (itemReleases: ItemReleases, earlier: ReadonlyArray<Appeal>) => Result.Result<Appeal, E>
      ): Option.Option<Result.Result<Appeal, E>> => {
        const ruled: Array<Result.Result<Appeal, E>> = []
        changeItemReleases(market, item, (itemReleases) => {
          ruled.push(rule(itemReleases, ofItem(item)))
          return Result.succeed({})
        })
        for (const result of ruled) {
          if (Result.isSuccess(result)) tables.appeals.set(result.success.id, result.success)
        }
        return Option.fromUndefinedOr(ruled[0])
      }

      const decide = <E>(
        id: AppealId,
        rule: (itemReleases: ItemReleases, appeal: Appeal) => Result.Result<DecidedAppeal, E>
      ): Option.Option<Result.Result<Appeal, E>> => {
        const appeal = tables.appeals.get(id)
        if (appeal === undefined) return Option.none()
        const ruled: Array<DecidedAppeal> = []
        const changed = changeItemReleases(market, appeal.itemId, (itemReleases) =>
          Result.map(rule(itemReleases, appeal), (decided) => {
            ruled.push(decided)
            return decided.change
          })
        )
        if (Option.isSome(changed) && Result.isFailure(changed.value)) {
          return Option.some(Result.fail(changed.value.failure))
        }
        const [decided] = ruled
        if (decided === undefined) return Option.none()
        const at = decided.appeal.decidedAt ?? 0
        if (decided.reinstates) reinstate(market, appeal.itemId, at)
        if (decided.resolvesReports) resolveReports(tables, appeal.itemId, "none", at)
        tables.appeals.set(id, decided.appeal)
        return Option.some(Result.succeed(decided.appeal))
      }

      return {
        add: (item, rule) => Effect.sync(() => add(item, rule)),
        decide: (id, rule) => Effect.sync(() => decide(id, rule)),
        ofItem: (item, page) => Effect.sync(() => Timeline.page(Timeline.newestFirst(ofItem(item), created), page)),
        list: (status, page) =>
          Effect.sync(() =>
            Timeline.page(
              Timeline.oldestFirst(
                all().filter((appeal) => status === undefined || appeal.status === status),
                created
              ),
              page
            )
          )
      }
    })
  )
}
