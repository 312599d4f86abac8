import { Context, Effect, Layer } from "effect"
import { makeBatcher } from "../batching/Batcher.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Command } from "./Command.ts"
import type { Outcome, Refusal, Settled } from "./Outcome.ts"
import { SettlementStore } from "./SettlementStore.ts"

/** The most commands that one transaction carries. */
export const batchSize = 64

/** How many batches are under way at once: while one commits, the next one is read. */
const batchesInFlight = 2

/**
 * Gathers the commands that arrive while the last batch commits and settles them together. A lone command is not delayed: there is no
 * timer. A command that was submitted is settled even if its caller is interrupted.
 */
export class Settlement extends Context.Service<
  Settlement,
  {
    readonly submit: (command: Command) => Effect.Effect<Settled, Refusal | StoreUnavailable>
    /** Commands that belong together, in one transaction and in this order; best at most {@link batchSize}. */
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
      const { submit } = yield* makeBatcher<Command, Settled, Refusal | StoreUnavailable>({
        size: batchSize,
        inFlight: batchesInFlight,
        run: store.settle
      })

      return {
        submit,
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
