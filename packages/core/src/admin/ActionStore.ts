import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { OperatorAction } from "./OperatorAction.ts"

export interface ActionFilter {
  readonly actor?: string | undefined
  readonly subject?: string | undefined
}

/**
 * The log of the operator's actions (OPERATOR-14, OPERATOR-15).
 *
 * Contract: entries are only appended; the database refuses every change of one. A store that carries out an action appends its entry
 * in the same transaction; `append` is for actions that happen outside of the market's stores.
 */
export class ActionStore extends Context.Service<
  ActionStore,
  {
    readonly append: (action: OperatorAction) => Effect.Effect<void, StoreUnavailable>
    /** Newest first. */
    readonly list: (filter: ActionFilter, page: PageRequest) => Effect.Effect<Page<OperatorAction>, StoreUnavailable>
  }
>()("@agent-marketplace/core/admin/ActionStore") {}
