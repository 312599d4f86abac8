import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, ItemId, ReportId } from "@agent-marketplace/core/ids/Ids"
import type { Report, ReportAction } from "@agent-marketplace/core/moderation/Report"
import { ReportStore } from "@agent-marketplace/core/moderation/ReportStore"
import type { ItemReleasesRule } from "@agent-marketplace/core/releases/ReleaseStore"
import { Effect, Layer, Option, Result } from "effect"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { changeItemReleases } from "../releases/MemoryReleaseStore.ts"

const isTrusted = (tables: MarketTables, id: AccountId, before: Timestamp): boolean => {
  const account = tables.accounts.get(id)
  if (account === undefined || account.createdAt >= before || account.frozen !== null) return false
  return Index.records(tables.purchasesByBuyer, id, tables.purchases).some(({ status }) => status === "completed")
}

const openOf = (tables: MarketTables, { itemId }: Pick<Report, "itemId">): ReadonlyArray<Report> =>
  [...tables.reports.values()].filter((report) => report.itemId === itemId && report.status === "open")

/** Resolves the open reports of the item; part of a step. */
export const resolveReports = (tables: MarketTables, itemId: ItemId, action: ReportAction, at: Timestamp): void => {
  for (const open of openOf(tables, { itemId })) {
    tables.reports.set(open.id, { ...open, status: "resolved", action, resolvedAt: at })
  }
}

export const MemoryReportStore: { readonly layer: Layer.Layer<ReportStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ReportStore,
    Effect.map(MemoryMarket, (market) => {
      const { tables } = market
      return {
        add: (report, trustedBefore, rule) =>
          Effect.suspend((): ReturnType<ReportStore["Service"]["add"]> => {
            const known = [...tables.reports.values()].some(
              ({ itemId, reporterId }) => itemId === report.itemId && reporterId === report.reporterId
            )
            if (known) return Effect.fail(new Conflict({ state: "reported" }))
            tables.reports.set(report.id, report)
            const trusted = openOf(tables, report).filter(({ reporterId }) =>
              isTrusted(tables, reporterId, trustedBefore)
            )
            changeItemReleases(market, report.itemId, (itemReleases) =>
              Result.succeed(rule(itemReleases, trusted.length))
            )
            return Effect.succeed(report)
          }),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.reports.get(id))),
        count: (item) =>
          Effect.sync(
            () =>
              [...tables.reports.values()].filter(({ action, itemId }) => itemId === item && action !== "none").length
          ),
        list: (status, page) =>
          Effect.sync(() =>
            Timeline.page(
              Timeline.oldestFirst(
                [...tables.reports.values()].filter((report) => status === undefined || report.status === status),
                ({ createdAt }) => createdAt
              ),
              page
            )
          ),
        resolve: <E>(id: ReportId, action: ReportAction, at: Timestamp, rule: ItemReleasesRule<E>) =>
          Effect.suspend((): Effect.Effect<Option.Option<Report>, Conflict | E> => {
            const report = tables.reports.get(id)
            if (report === undefined) return Effect.succeed(Option.none())
            if (report.status === "resolved") return Effect.fail(new Conflict({ state: "resolved" }))
            const changed = changeItemReleases(market, report.itemId, rule)
            if (Option.isSome(changed) && Result.isFailure(changed.value)) return Effect.fail(changed.value.failure)
            resolveReports(tables, report.itemId, action, at)
            return Effect.succeed(Option.fromUndefinedOr(tables.reports.get(id)))
          })
      }
    })
  )
}
