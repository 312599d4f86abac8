import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { ItemId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Command } from "../settlement/Command.ts"
import { batchSize, Settlement } from "../settlement/Settlement.ts"
import { SettlementStore } from "../settlement/SettlementStore.ts"
import type { Revocation, RevocationStep } from "./Revocation.ts"
import { refundsSince } from "./Revocation.ts"
import type { RefundTarget, WaitingApproval, WorkPage } from "./RevocationStore.ts"
import { RevocationStore } from "./RevocationStore.ts"

/** How many records one run of the job examines. The job's lease is renewed between runs. */
const examined = 512

/** The step after a finished one. Without refunds, nothing remains to be done after the approvals. */
const after = (revocation: Revocation): RevocationStep => {
  switch (revocation.step) {
    case "start":
      return revocation.rejectsWaiting ? "approvals" : refundsSince(revocation) === null ? "done" : "purchases"
    case "approvals":
      return refundsSince(revocation) === null ? "done" : "purchases"
    case "purchases":
      return "renewals"
    default:
      return "done"
  }
}

/** The platform pays what the seller cannot, without a limit (REVOKE-3). */
const refundOf =
  ({ id, itemId, reason }: Revocation) =>
  ({ buyerId, net, purchaseId, renewalId, sellerId }: RefundTarget): Command => ({
    _tag: "Refund",
    purchaseId,
    renewalId,
    buyerId,
    sellerId,
    itemId,
    net,
    by: "admin",
    reason,
    coverLimit: null,
    revocationId: id
  })

const endOf =
  ({ id }: Revocation) =>
  (waiting: WaitingApproval): Command => ({ _tag: "EndApproval", ...waiting, revocationId: id })

/** The background work of revocations: refunds, rejections of waiting approvals, and the progress (REVOKE-4 to REVOKE-8). */
export class Revocations extends Context.Service<
  Revocations,
  {
    /** Newest first. */
    readonly list: (
      filter: { readonly itemId?: ItemId | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<Revocation>, StoreUnavailable>
    /**
     * Does a part of the oldest unfinished revocation; true if more work is waiting. A refund and its count are one transaction, and refunded
     * purchases are skipped. So a process may die at any point, and two processes may work on the same part.
     */
    readonly work: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/advisories/Revocations") {
  static readonly layer = Layer.effect(
    Revocations,
    Effect.gen(function* () {
      const store = yield* RevocationStore
      const settlement = yield* Settlement
      const { underWayDone } = yield* SettlementStore
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      /** Settles in transactions of a bounded size. A refused command needs no retry: another process or an operator has already done the work. */
      const settle = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
        for (let first = 0; first < commands.length; first += batchSize) {
          yield* settlement.submitAll(commands.slice(first, first + batchSize))
        }
      })

      /** Records the end, with the totals in the operator's log. */
      const finish = Effect.fnUntraced(function* ({ id }: Revocation) {
        const found = yield* store.find(id)
        if (Option.isNone(found)) return
        const { amount, covered, itemId, operator, reason, refunded, rejected } = found.value
        const at = yield* clock.now
        yield* store.move(id, {
          step: "done",
          position: null,
          finishedAt: at,
          action: {
            id: yield* ids.make("action"),
            at,
            actor: operator.name,
            action: "item.revoke.done",
            subject: itemId,
            before: null,
            after: {
              revocationId: id,
              refunded,
              amount: Usdt.format(amount),
              covered: Usdt.format(covered),
              rejected
            },
            reason,
            requestId: operator.requestId
          }
        })
      })

      const moveOn = (revocation: Revocation) => {
        const step = after(revocation)
        return step === "done" ? finish(revocation) : store.move(revocation.id, { step, position: null })
      }

      /** Waits until every sale that was in progress has ended, and stores the time after which sales are not refunded (REVOKE-8). */
      const start = Effect.fnUntraced(function* (revocation: Revocation) {
        yield* underWayDone
        const until = revocation.until ?? (revocation.rejectsWaiting ? yield* clock.now : revocation.at)
        yield* store.move(revocation.id, { step: "start", position: null, until })
        yield* moveOn(revocation)
      })

      const part = <A>(
        revocation: Revocation,
        read: (revocation: Revocation, limit: number) => StoreEffect<WorkPage<A>>,
        command: (item: A) => Command
      ) =>
        Effect.gen(function* () {
          const { items, next } = yield* read(revocation, examined)
          yield* settle(items.map(command))
          if (next === null) yield* moveOn(revocation)
          else yield* store.move(revocation.id, { step: revocation.step, position: next })
        })

      const workOn = (revocation: Revocation): StoreEffect<void> => {
        switch (revocation.step) {
          case "start":
            return start(revocation)
          case "approvals":
            return part(revocation, store.waiting, endOf(revocation))
          case "purchases":
            return part(revocation, store.purchases, refundOf(revocation))
          case "renewals":
            return part(revocation, store.renewals, refundOf(revocation))
          case "done":
            return Effect.void
        }
      }

      return {
        list: store.list,
        work: Effect.gen(function* () {
          const running = yield* store.running
          if (Option.isNone(running)) return false
          yield* workOn(running.value)
          return true
        }).pipe(Effect.withSpan("Revocations.work"))
      }
    })
  )
}
