import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Conflict } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { ItemId, ReportId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { ItemReleases, ItemReleasesChange } from "../releases/ItemReleases.ts"
import type { Report, ReportAction, ReportStatus } from "./Report.ts"

/**
 * Reports of items (REPORT-1 to REPORT-5).
 *
 * Contract: each method is one transaction that locks the item, so that reports of one item are counted one after another.
 */
export class ReportStore extends Context.Service<
  ReportStore,
  {
    /**
     * Adds the report and applies the rule to the item, with the number of trusted reporters of its open reports: accounts that were created before
     * `trustedBefore`, have bought something, and are neither frozen nor erased. Fails with Conflict `reported` if the account has already reported
     * the item, also if that report was resolved.
     */
    readonly add: (
      report: Report,
      trustedBefore: Timestamp,
      rule: (itemReleases: ItemReleases, trusted: number) => ItemReleasesChange
    ) => StoreEffect<Report, Conflict>
    readonly find: (id: ReportId) => StoreEffect<Option.Option<Report>>
    /** The number of reports of the item that are open or that an operator acted on. Dismissed reports do not count. */
    readonly count: (item: ItemId) => StoreEffect<number>
    /** Oldest first. */
    readonly list: (status: ReportStatus | undefined, page: PageRequest) => StoreEffect<Page<Report>>
    /**
     * Applies the rule to the item, and resolves all of its open reports with the action. Fails with Conflict `resolved` if this one was resolved.
     * None if there is no such report.
     */
    readonly resolve: <E>(
      id: ReportId,
      action: ReportAction,
      at: Timestamp,
      rule: (itemReleases: ItemReleases) => Result.Result<ItemReleasesChange, E>
    ) => StoreEffect<Option.Option<Report>, Conflict | E>
  }
>()("@agent-marketplace/core/moderation/ReportStore") {}
