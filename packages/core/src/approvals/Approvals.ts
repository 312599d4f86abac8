import { Context, Effect, Layer, Option, Result } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { AccountFrozen, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { AccountId, AgentId, ApprovalId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { Identity } from "../identity/Identity.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { LicenseKey } from "../purchases/LicenseKey.ts"
import type { Replayable } from "../settlement/Idempotency.ts"
import { fingerprint, keyed } from "../settlement/Idempotency.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { batchSize, Settlement } from "../settlement/Settlement.ts"
import type { Approval, ApprovalStatus } from "./Approval.ts"
import { ApprovalStore } from "./ApprovalStore.ts"
import type { EffectiveBudget } from "./Budgets.ts"
import { effectiveBudget } from "./Budgets.ts"
import type { SpendingPolicy } from "./SpendingPolicy.ts"
import { defaultPolicy, isTightening, limitViolations } from "./SpendingPolicy.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

type Failure = AgentNotClaimed | StoreUnavailable

/** Spending policies, remaining budgets and pending approvals (APPROVAL-1, POLICY-1, BUDGET-1). */
export class Approvals extends Context.Service<
  Approvals,
  {
    /** The owner's approvals; an agent's key lists only that agent's (APPROVAL-2). */
    readonly list: (
      caller: Caller,
      status: ApprovalStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Approval>, Failure>
    /** An agent's key can read only that agent's approvals (APPROVAL-2). */
    readonly get: (caller: Caller, id: ApprovalId) => Effect.Effect<Approval, Failure | NotFound>
    /** An approval repeats every check except the balance. If a check fails, the hold is returned and the result is Conflict. */
    readonly decide: (
      caller: Caller,
      id: ApprovalId,
      decision: "approve" | "reject",
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Approval>, Failure | Refusal>
    readonly policy: (caller: Caller) => Effect.Effect<SpendingPolicy, Failure>
    /** A frozen account may only tighten its policy (ACCOUNT-12). */
    readonly setPolicy: (
      caller: Caller,
      policy: SpendingPolicy
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure | ValidationFailed>
    readonly agentPolicy: (caller: Caller, agent: AgentId) => Effect.Effect<SpendingPolicy, Failure | NotFound>
    readonly setAgentPolicy: (
      caller: Caller,
      agent: AgentId,
      policy: SpendingPolicy
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure | NotFound | ValidationFailed>
    /** Changes the given fields and keeps the others (POLICY-4). */
    readonly changePolicy: (
      caller: Caller,
      changes: Partial<SpendingPolicy>
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure | ValidationFailed>
    readonly changeAgentPolicy: (
      caller: Caller,
      agent: AgentId,
      changes: Partial<SpendingPolicy>
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure | NotFound | ValidationFailed>
    /** The caller's remaining budget: the owner's rules and, for an agent's key, also the agent's (BUDGET-1, BUDGET-3). */
    readonly budget: (caller: Caller) => Effect.Effect<EffectiveBudget, Failure>
    /** The remaining budget of an agent, for its owner and for the agent itself (BUDGET-2). */
    readonly agentBudget: (caller: Caller, agent: AgentId) => Effect.Effect<EffectiveBudget, Failure | NotFound>
    /** Expires approvals that were not decided in time. Returns the number examined, at most one batch. */
    readonly expireDue: StoreEffect<number>
  }
>()("@agent-marketplace/core/approvals/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function* () {
      const store = yield* ApprovalStore
      const settlement = yield* Settlement
      const clock = yield* MarketClock
      const { proceedsHoldDays } = yield* MarketConfig
      const identity = yield* Identity
      const ids = yield* idGenerator
      const policyOf = (subject: AccountId | AgentId) =>
        Effect.map(
          store.policy(subject),
          Option.getOrElse(() => defaultPolicy)
        )

      /** Checks and changes in one step, so that two concurrent changes cannot undo each other's limits. */
      const change = ({ frozen }: Caller, subject: AccountId | AgentId, changes: Partial<SpendingPolicy>) =>
        store.changePolicy(subject, (before): Result.Result<SpendingPolicy, AccountFrozen | ValidationFailed> => {
          const policy: SpendingPolicy = { ...before, ...changes }
          const issues = limitViolations(policy)
          if (issues.length > 0) return Result.fail(new ValidationFailed({ issues }))
          if (frozen !== null && !isTightening(before, policy)) return Result.fail(new AccountFrozen(frozen))
          return Result.succeed(policy)
        })

      const budgetOf = (owner: AccountId, agent: AgentId | null) =>
        Effect.flatMap(clock.now, (now) =>
          Effect.map(store.budgets(agent === null ? [owner] : [owner, agent], now), effectiveBudget)
        )

      return {
        list: Effect.fn("Approvals.list")(function* (caller, status, page) {
          const owner = yield* ownerOf(caller)
          return yield* store.list(owner, { status, agentId: caller.agentId ?? undefined }, page)
        }),
        get: Effect.fn("Approvals.get")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          const found = Option.filter(
            yield* store.find(id),
            ({ accountId, agentId }) => accountId === owner && (caller.agentId === null || caller.agentId === agentId)
          )
          return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "APPROVAL" })
        }),
        changePolicy: Effect.fn("Approvals.changePolicy")(function* (caller, changes) {
          return yield* change(caller, yield* ownerOf(caller), changes)
        }),
        changeAgentPolicy: Effect.fn("Approvals.changeAgentPolicy")(function* (caller, agent, changes) {
          const { id } = yield* identity.ownAgent(caller, agent)
          return yield* change(caller, id, changes)
        }),
        budget: Effect.fn("Approvals.budget")(function* (caller) {
          return yield* budgetOf(yield* ownerOf(caller), caller.agentId)
        }),
        agentBudget: Effect.fn("Approvals.agentBudget")(function* (caller, agent) {
          const { id, ownerId } = yield* identity.ownAgent(caller, agent)
          if (ownerId === null || (caller.agentId !== null && caller.agentId !== id)) {
            return yield* new NotFound({ resource: "AGENT" })
          }
          return yield* budgetOf(ownerId, id)
        }),
        decide: Effect.fn("Approvals.decide")(function* (caller, approvalId, decision, idempotencyKey) {
          const accountId = yield* ownerOf(caller)
          const found = yield* store.find(approvalId)
          if (Option.isNone(found) || found.value.accountId !== accountId) {
            return yield* new NotFound({ resource: "APPROVAL" })
          }
          const { agentId, item, purchaseId } = found.value
          const { result, replayed } = yield* settlement.submit({
            _tag: "Decide",
            approvalId,
            accountId,
            agentId,
            purchaseId,
            itemId: item.id,
            decision,
            holdProceeds: proceedsHoldDays * Timestamp.day,
            licenseKey: LicenseKey.make(yield* ids.bytes(15)),
            subscriptionId: yield* ids.make("subscription"),
            idempotency: keyed(accountId, idempotencyKey, fingerprint(decision, approvalId))
          })
          if (result._tag !== "Decided") return yield* Effect.die(new Error("not the result of a decision"))
          return { value: result.approval, replayed }
        }),
        policy: Effect.fn("Approvals.policy")(function* (caller) {
          return yield* policyOf(yield* ownerOf(caller))
        }),
        setPolicy: Effect.fn("Approvals.setPolicy")(function* (caller, policy) {
          return yield* change(caller, yield* ownerOf(caller), policy)
        }),
        agentPolicy: Effect.fn("Approvals.agentPolicy")(function* (caller, agent) {
          const { id } = yield* identity.ownAgent(caller, agent)
          return yield* policyOf(id)
        }),
        setAgentPolicy: Effect.fn("Approvals.setAgentPolicy")(function* (caller, agent, policy) {
          const { id } = yield* identity.ownAgent(caller, agent)
          return yield* change(caller, id, policy)
        }),
        expireDue: Effect.gen(function* () {
          const due = yield* store.due(yield* clock.now, batchSize)
          if (due.length > 0) {
            yield* settlement.submitAll(
              due.map(({ accountId, id, purchaseId }) => ({ _tag: "Expire", approvalId: id, accountId, purchaseId }))
            )
          }
          return due.length
        })
      }
    })
  )
}
