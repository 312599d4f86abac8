import type { Option, Result } from "effect"
import { Context } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AppealId, ItemId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { ItemReleases } from "../releases/ItemReleases.ts"
import type { Appeal, AppealStatus, DecidedAppeal } from "./Appeal.ts"

/**
 * Appeals of decisions about items (APPEAL-1 to APPEAL-4).
 *
 * Contract: `add` and `decide` lock the item, so that appeals and decisions of one item happen one after another; each is one transaction.
 */
export class AppealStore extends Context.Service<
  AppealStore,
  {
    /** Adds the appeal that the rule returns for the item and its earlier appeals. None if there is no such item. */
    readonly add: <E>(
      item: ItemId,
      rule: (itemReleases: ItemReleases, earlier: ReadonlyArray<Appeal>) => Result.Result<Appeal, E>
    ) => StoreEffect<Option.Option<Result.Result<Appeal, E>>>
    /** Stores what the rule decides about the appeal and its item. None if there is no such appeal. */
    readonly decide: <E>(
      id: AppealId,
      rule: (itemReleases: ItemReleases, appeal: Appeal) => Result.Result<DecidedAppeal, E>
    ) => StoreEffect<Option.Option<Result.Result<Appeal, E>>>
    /** Of the item, newest first. */
    readonly ofItem: (item: ItemId, page: PageRequest) => StoreEffect<Page<Appeal>>
    /** Oldest first. */
    readonly list: (status: AppealStatus | undefined, page: PageRequest) => StoreEffect<Page<Appeal>>
  }
>()("@agent-marketplace/core/moderation/AppealStore") {}
