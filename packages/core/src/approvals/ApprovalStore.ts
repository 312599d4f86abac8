import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, ApprovalId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Budget } from "../settlement/MarketState.ts"
import type { Approval, ApprovalStatus } from "./Approval.ts"
import type { SpendingPolicy } from "./SpendingPolicy.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

export interface ApprovalFilter {
  readonly status?: ApprovalStatus | undefined
  readonly agentId?: AgentId | undefined
}

/** Reads approvals, which only the SettlementStore changes, and stores spending policies. */
export class ApprovalStore extends Context.Service<
  ApprovalStore,
  {
    readonly find: (id: ApprovalId) => StoreEffect<Option.Option<Approval>>
    /** The owner's approvals, newest first; with an agent, only that agent's (APPROVAL-2). */
    readonly list: (account: AccountId, filter: ApprovalFilter, page: PageRequest) => StoreEffect<Page<Approval>>
    /** Pending approvals that have expired at `now`, earliest first. */
    readonly due: (now: Timestamp, limit: number) => StoreEffect<ReadonlyArray<Approval>>
    /** None if no policy was ever set; the default then applies. */
    readonly policy: (subject: AccountId | AgentId) => StoreEffect<Option.Option<SpendingPolicy>>
    /** Applies the rule to the current policy (the default if none was set) and stores its result. Concurrent changes are serialised. */
    readonly changePolicy: <E>(
      subject: AccountId | AgentId,
      rule: (policy: SpendingPolicy) => Result.Result<SpendingPolicy, E>
    ) => StoreEffect<SpendingPolicy, E>
    /** The policies of the given subjects, and what each has spent in the windows that end at `now`. */
    readonly budgets: (
      subjects: ReadonlyArray<AccountId | AgentId>,
      now: Timestamp
    ) => StoreEffect<ReadonlyArray<Budget>>
    /** Applies to every purchase that is settled afterwards, on every process. */
    readonly setPolicy: (subject: AccountId | AgentId, policy: SpendingPolicy) => StoreEffect<void>
  }
>()("@agent-marketplace/core/approvals/ApprovalStore") {}
