import type { Effect } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Condition, ConditionKind, FoundCondition } from "./Condition.ts"

/** What `raise` did. Only `raised` appends an event. */
export type RaiseResult = "raised" | "changed" | "unchanged"

/**
 * The conditions that degrade the service, for all processes (SYSTEM-9).
 *
 * Contract: at most one open condition of each kind exists, also when several processes raise it at once. A raise and an end are each one
 * transaction with their event (`conditionEvent`).
 */
export class ConditionStore extends Context.Service<
  ConditionStore,
  {
    /** The open conditions, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<Condition>, StoreUnavailable>
    /** Open ones, ended ones or both, newest first. */
    readonly list: (
      filter: { readonly open?: boolean | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<Condition>, StoreUnavailable>
    /** If the kind is open already, `since` remains and only a different detail is written. */
    readonly raise: (found: FoundCondition) => Effect.Effect<RaiseResult, StoreUnavailable>
    /** False if the kind was not open. */
    readonly clear: (kind: ConditionKind, at: Timestamp) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/health/ConditionStore") {}
