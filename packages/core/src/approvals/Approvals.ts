import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { AccountFrozen, NotFound } from "../errors/MarketError.ts"
import type { AccountId, AgentId, ApprovalId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { Identity } from "../identity/Identity.ts"
import { ownerOf } from "../identity/Owner.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { LicenseKey } from "../purchases/LicenseKey.ts"
import type { Replayable } from "../settlement/Idempotency.ts"
import { fingerprint, keyed } from "../settlement/Idempotency.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { batchSize, Settlement } from "../settlement/Settlement.ts"
import type { Approval, ApprovalStatus } from "./Approval.ts"
import { ApprovalStore } from "./ApprovalStore.ts"
import type { SpendingPolicy } from "./SpendingPolicy.ts"
import { defaultPolicy, isTightening } from "./SpendingPolicy.ts"

type Failure = AgentNotClaimed | StoreUnavailable

/** What an owner allows, and what waits for the owner's approval (APPROVAL-1, POLICY-1). */
export class Approvals extends Context.Service<
  Approvals,
  {
    readonly list: (
      caller: Caller,
      status: ApprovalStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Approval>, Failure>
    /** Approving checks everything again but the balance; where that fails, the hold returns and the answer is Conflict. */
    readonly decide: (
      caller: Caller,
      id: ApprovalId,
      decision: "approve" | "reject",
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Approval>, Failure | Refusal>
    readonly policy: (caller: Caller) => Effect.Effect<SpendingPolicy, Failure>
    /** A frozen account may only tighten (ACCOUNT-12). */
    readonly setPolicy: (
      caller: Caller,
      policy: SpendingPolicy
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure>
    readonly agentPolicy: (caller: Caller, agent: AgentId) => Effect.Effect<SpendingPolicy, Failure | NotFound>
    readonly setAgentPolicy: (
      caller: Caller,
      agent: AgentId,
      policy: SpendingPolicy
    ) => Effect.Effect<SpendingPolicy, AccountFrozen | Failure | NotFound>
    /** Ends what was not decided in time; returns how many it looked at, at most one batch. */
    readonly expireDue: Effect.Effect<number, StoreUnavailable>
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

      const write = Effect.fnUntraced(function* (
        { frozen }: Caller,
        subject: AccountId | AgentId,
        policy: SpendingPolicy
      ) {
        if (frozen !== null && !isTightening(yield* policyOf(subject), policy)) return yield* new AccountFrozen(frozen)
        yield* store.setPolicy(subject, policy)
        return policy
      })

      return {
        list: Effect.fn("Approvals.list")(function* (caller, status, page) {
          return yield* store.list(yield* ownerOf(caller), status, page)
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
          return yield* write(caller, yield* ownerOf(caller), policy)
        }),
        agentPolicy: Effect.fn("Approvals.agentPolicy")(function* (caller, agent) {
          const { id } = yield* identity.ownAgent(caller, agent)
          return yield* policyOf(id)
        }),
        setAgentPolicy: Effect.fn("Approvals.setAgentPolicy")(function* (caller, agent, policy) {
          const { id } = yield* identity.ownAgent(caller, agent)
          return yield* write(caller, id, policy)
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
