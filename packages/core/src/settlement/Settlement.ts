import { Context, Deferred, Effect, Exit, Layer, Queue } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Command } from "./Command.ts"
import type { Outcome, Refusal, Settled } from "./Outcome.ts"
import { SettlementStore } from "./SettlementStore.ts"

interface Waiting {
  readonly command: Command
  readonly answered: Deferred.Deferred<Settled, Refusal | StoreUnavailable>
}

/** The most orders one transaction carries. */
export const batchSize = 64

/** How many batches are on their way at once: while one commits, the next one is read. */
const batchesInFlight = 2

/**
 * Gathers the orders that arrive while the last batch commits and hands them over together. A lone order is not delayed: there
 * is no timer. An order that was handed over is carried out even if its caller has gone.
 */
export class Settlement extends Context.Service<
  Settlement,
  {
    readonly submit: (command: Command) => Effect.Effect<Settled, Refusal | StoreUnavailable>
    /** Several orders that belong together, in one transaction and in this order; at most {@link batchSize} are wise. */
    readonly submitAll: (commands: ReadonlyArray<Command>) => Effect.Effect<ReadonlyArray<Outcome>, StoreUnavailable>
    /**
     * To be called when the freeze of an account or of one of its agents is stored: rejects what waits for the owner's approval, and returns
     * when no purchase, sale or withdrawal that was decided before the freeze can still commit.
     */
    readonly stop: (account: AccountId, agent: AgentId | null) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/settlement/Settlement") {
  static readonly layer = Layer.effect(
    Settlement,
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const queue = yield* Queue.unbounded<Waiting>()

      const settle = Effect.fnUntraced(function* (batch: ReadonlyArray<Waiting>) {
        const settled = yield* Effect.exit(store.settle(batch.map(({ command }) => command)))
        batch.forEach(({ answered }, i) => {
          const outcome = Exit.isSuccess(settled) ? settled.value[i] : undefined
          Deferred.doneUnsafe(
            answered,
            Exit.isFailure(settled)
              ? Exit.failCause(settled.cause)
              : outcome === undefined
                ? Effect.die("the store left an order without an outcome")
                : Effect.fromResult(outcome)
          )
        })
      })

      const worker = Effect.forever(
        Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(Queue.takeBetween(queue, 1, batchSize)), settle))
      )
      yield* Effect.forEach(Array.from({ length: batchesInFlight }), () => Effect.forkScoped(worker), { discard: true })

      return {
        submit: (command) =>
          Effect.suspend(() => {
            const answered = Deferred.makeUnsafe<Settled, Refusal | StoreUnavailable>()
            Queue.offerUnsafe(queue, { command, answered })
            return Deferred.await(answered)
          }),
        submitAll: store.settle,
        stop: (accountId, agentId) =>
          Effect.andThen(
            store.settle([{ _tag: "RejectWaiting", accountId, agentId, reason: "frozen" }]),
            store.underWayDone
          )
      }
    })
  )
}
