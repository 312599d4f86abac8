import type { Effect, Option, Result } from "effect"
import { Context } from "effect"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { ListingStats } from "../listings/Listing.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Soul } from "./Soul.ts"
import type { SoulChange } from "./SoulRules.ts"

/** A soul as one viewer needs it. */
export interface SoulDetail {
  readonly soul: Soul
  readonly stats: ListingStats
  /** The viewer holds a live license. */
  readonly licensed: boolean
  /** Everybody sees it: it is public, not deleted, not suspended, and its author is not frozen. */
  readonly listed: boolean
}

/** One kept text of a soul. */
export interface SoulVersion {
  readonly version: number
  readonly content: string
  readonly createdAt: Timestamp
}

/**
 * Souls, their versions and their downloads.
 *
 * Contract: a slug is given once for ever, also under concurrency, also after deletion; each method is one transaction and
 * its events are appended in it.
 */
export class SoulStore extends Context.Service<
  SoulStore,
  {
    /** Picks the slug (the base, or the base with the first free numeric suffix from 2: TEXT-6) and keeps version 1. */
    readonly insert: (
      soul: Omit<Soul, "slug">,
      slug: SlugRequest,
      events: (soul: Soul) => ReadonlyArray<MarketEvent>
    ) => Effect.Effect<Soul, AccountFrozen | QuotaExceeded | StoreUnavailable>
    /** The soul in any state, deleted ones too. */
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Soul>, StoreUnavailable>
    /** By id or slug, in any state, with what this viewer needs to know. One round trip. */
    readonly detail: (
      idOrSlug: string,
      viewer: AccountId | null
    ) => Effect.Effect<Option.Option<SoulDetail>, StoreUnavailable>
    /** Locks the soul, applies the rule to it and writes what it gives, the operator's action too; a raised version is kept as a new one. */
    readonly modify: <E>(
      slug: string,
      rule: (soul: Soul) => Result.Result<SoulChange, E>
    ) => Effect.Effect<Option.Option<Result.Result<Soul, E>>, StoreUnavailable>
    /** The souls of a filter, each as the JSON text of a list item, joined to a JSON array. A search counts at most `searchCap` matches. */
    readonly list: (
      filter: CatalogueFilter
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** A listed soul as the JSON text of the detail, which is the same for every viewer. */
    readonly detailJson: (slug: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Counts the account once per soul, and appends the event only then (SOUL-37, EVENT-6). */
    readonly download: (
      soul: Soul,
      account: AccountId,
      event: MarketEvent
    ) => Effect.Effect<{ readonly counted: boolean }, StoreUnavailable>
    /** Kept texts, newest first. */
    readonly versions: (slug: string, page: PageRequest) => Effect.Effect<Page<SoulVersion>, StoreUnavailable>
    readonly findVersion: (slug: string, version: number) => Effect.Effect<Option.Option<SoulVersion>, StoreUnavailable>
    /** Renders the JSON of a batch of souls again that an earlier `soulRendering` wrote. True where more may be left. */
    readonly renderStale: Effect.Effect<boolean, StoreUnavailable>
    /** For operators: souls that are not deleted, only suspended or only other ones where given, oldest first. */
    readonly queue: (suspended: boolean | undefined, page: PageRequest) => Effect.Effect<Page<Soul>, StoreUnavailable>
  }
>()("@agent-marketplace/core/souls/SoulStore") {}
