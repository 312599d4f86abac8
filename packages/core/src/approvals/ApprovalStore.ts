import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId, ApprovalId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Approval, ApprovalStatus } from "./Approval.ts"
import type { SpendingPolicy } from "./SpendingPolicy.ts"

/** Approvals (read; they change only through the SettlementStore) and spending policies. */
export class ApprovalStore extends Context.Service<
  ApprovalStore,
  {
    readonly find: (id: ApprovalId) => Effect.Effect<Option.Option<Approval>, StoreUnavailable>
    /** The owner's, newest first. */
    readonly list: (
      account: AccountId,
      status: ApprovalStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Approval>, StoreUnavailable>
    /** Pending ones whose time is over at `now`, earliest first. */
    readonly due: (now: Timestamp, limit: number) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable>
    /** None where nothing was ever set: the default holds. */
    readonly policy: (subject: AccountId | AgentId) => Effect.Effect<Option.Option<SpendingPolicy>, StoreUnavailable>
    /** In force for every purchase that is settled after it, on every process. */
    readonly setPolicy: (subject: AccountId | AgentId, policy: SpendingPolicy) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/approvals/ApprovalStore") {}
