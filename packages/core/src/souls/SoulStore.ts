import type { Effect, Option, Result } from "effect"
import { Context } from "effect"
import type { AccountFrozen, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { SlugRequest } from "../slugs/Slug.ts"
import type { Soul } from "./Soul.ts"

export interface SoulFilter {
  /** Any of these; undefined takes every category. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** Souls that carry any of these. */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly limit: number
  readonly offset: number
}

/**
 * Souls, their versions and who downloaded them.
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
      event: (soul: Soul) => MarketEvent
    ) => Effect.Effect<Soul, AccountFrozen | QuotaExceeded | StoreUnavailable>
    /** The soul in whatever state, deleted ones too. */
    readonly findBySlug: (slug: string) => Effect.Effect<Option.Option<Soul>, StoreUnavailable>
    /** Locks the soul, applies the rule to it and writes what it gives; a raised version is kept as a new one. */
    readonly modify: <E>(
      slug: string,
      rule: (soul: Soul) => Result.Result<{ readonly soul: Soul; readonly events: ReadonlyArray<MarketEvent> }, E>
    ) => Effect.Effect<Option.Option<Result.Result<Soul, E>>, StoreUnavailable>
    /** Public, undeleted souls, newest first, each as the JSON text of SOUL-1, joined to a JSON array. */
    readonly list: (
      filter: SoulFilter
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** A public, undeleted soul as the JSON text of SOUL-2. */
    readonly detailJson: (slug: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Counts the account once per soul, and appends the event only then (SOUL-37, EVENT-6). */
    readonly download: (
      soul: Soul,
      account: AccountId,
      event: MarketEvent
    ) => Effect.Effect<{ readonly counted: boolean }, StoreUnavailable>
    /** Whether the account holds a live license for the soul. */
    readonly isLicensed: (soul: Soul, account: AccountId) => Effect.Effect<boolean, StoreUnavailable>
    /** Kept texts, newest first. */
    readonly versions: (
      slug: string
    ) => Effect.Effect<ReadonlyArray<{ readonly version: number; readonly content: string }>, StoreUnavailable>
    /** Renders the JSON of a batch of souls again that an earlier `soulRendering` wrote. True where more may be left. */
    readonly renderStale: Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/souls/SoulStore") {}
