import type { Option } from "effect"
import { Context } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AdvisoryId } from "../ids/Ids.ts"
import type { Advisory, AdvisoryDraft } from "./Advisory.ts"

/** The end of the feed when an advisory is published. */
export interface FeedEnd {
  /** The position of the last advisory; 0 if there is none. */
  readonly position: number
  readonly last: Advisory | null
}

/** Signs one draft as the advisory after the end of the feed. */
export type SignAdvisory = (draft: AdvisoryDraft, end: FeedEnd) => StoreEffect<Advisory>

/**
 * Advisories: drafts, which are recorded in the transaction of the change that they are about, and the feed.
 *
 * Contract: `publish` signs the drafts one after another, in the order in which they were recorded, and appends them to the feed with their
 * events, all in one transaction. Only one process publishes at a time, and positions have no gaps, so that a reader that continues after
 * the last advisory that it saw never misses one (ADVISORY-3).
 */
export class AdvisoryStore extends Context.Service<
  AdvisoryStore,
  {
    /** Records a draft on its own. Changes of releases record theirs through `ReleaseStore.modify`. */
    readonly add: (draft: AdvisoryDraft) => StoreEffect<void>
    /** Publishes at most `limit` drafts; returns how many. */
    readonly publish: (limit: number, sign: SignAdvisory) => StoreEffect<number>
    /** At most `limit` advisories after this one, oldest first; from the start without an id. None if there is no such advisory. */
    readonly list: (after: AdvisoryId | undefined, limit: number) => StoreEffect<Option.Option<ReadonlyArray<Advisory>>>
  }
>()("@agent-marketplace/core/advisories/AdvisoryStore") {}
