import type { Effect, Option, Result } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId, ApprovalId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Budget } from "../settlement/MarketState.ts"
import type { Approval, ApprovalStatus } from "./Approval.ts"
import type { SpendingPolicy } from "./SpendingPolicy.ts"

export interface ApprovalFilter {
  readonly status?: ApprovalStatus | undefined
  readonly agentId?: AgentId | undefined
}

/** Reads approvals, which only the SettlementStore changes, and stores spending policies. */
export class ApprovalStore extends Context.Service<
  ApprovalStore,
  {
    readonly find: (id: ApprovalId) => Effect.Effect<Option.Option<Approval>, StoreUnavailable>
    /** The owner's approvals, newest first; with an agent, only that agent's (APPROVAL-2). */
    readonly list: (
      account: AccountId,
      filter: ApprovalFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Approval>, StoreUnavailable>
    /** Pending approvals that have expired at `now`, earliest first. */
    readonly due: (now: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable>
    /** None if no policy was ever set; the default then applies. */
    readonly policy: (subject: AccountId | AgentId) => Effect.Effect<Option.Option<SpendingPolicy>, StoreUnavailable>
    /** Applies the rule to the current policy (the default if none was set) and stores its result. Concurrent changes are serialised. */
    readonly changePolicy: <E>(
      subject: AccountId | AgentId,
      rule: (policy: SpendingPolicy) => Result.Result<SpendingPolicy, E>
    ) => Effect.Effect<SpendingPolicy, E | StoreUnavailable>
    /** The policies of the given subjects, and what each has spent in the windows that end at `now`. */
    readonly budgets: (
      subjects: ReadonlyArray<AccountId | AgentId>,
      now: Timestamp
    ) => Effect.Effect<ReadonlyArray<Budget>, StoreUnavailable>
    /** Applies to every purchase that is settled afterwards, on every process. */
    readonly setPolicy: (subject: AccountId | AgentId, policy: SpendingPolicy) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/approvals/ApprovalStore") {}
