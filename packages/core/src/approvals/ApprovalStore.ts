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

/** Approvals (read; they change only through the SettlementStore) and spending policies. */
export class ApprovalStore extends Context.Service<
  ApprovalStore,
  {
    readonly find: (id: ApprovalId) => Effect.Effect<Option.Option<Approval>, StoreUnavailable>
    /** The owner's, newest first; of one agent where it is named (APPROVAL-2). */
    readonly list: (
      account: AccountId,
      filter: ApprovalFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Approval>, StoreUnavailable>
    /** Pending ones whose time is over at `now`, earliest first. */
    readonly due: (now: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable>
    /** None where nothing was ever set: the default holds. */
    readonly policy: (subject: AccountId | AgentId) => Effect.Effect<Option.Option<SpendingPolicy>, StoreUnavailable>
    /** The rule is given the policy in force, the default where none was set, and what it gives is in force; changes follow one another. */
    readonly changePolicy: <E>(
      subject: AccountId | AgentId,
      rule: (policy: SpendingPolicy) => Result.Result<SpendingPolicy, E>
    ) => Effect.Effect<SpendingPolicy, E | StoreUnavailable>
    /** The policies of those of the subjects that have one, and what each has spent in the windows that end at `now`. */
    readonly budgets: (
      subjects: ReadonlyArray<AccountId | AgentId>,
      now: Timestamp
    ) => Effect.Effect<ReadonlyArray<Budget>, StoreUnavailable>
    /** In force for every purchase that is settled after it, on every process. */
    readonly setPolicy: (subject: AccountId | AgentId, policy: SpendingPolicy) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/approvals/ApprovalStore") {}
