import { Context, Effect, Layer, Option, Tracer } from "effect"
import { makeBatcher } from "../batching/Batcher.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Traceparent } from "../events/Traceparent.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Command } from "./Command.ts"
import type { Outcome, Refusal, Settled } from "./Outcome.ts"
import { SettlementStore } from "./SettlementStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The maximum number of commands in one transaction. */
export const batchSize = 64

/** The maximum number of concurrent batches: while one commits, the next one is read. */
const batchesInFlight = 2

interface Submitted {
  readonly command: Command
  /** The span of the caller; undefined where no spans are exported. */
  readonly span: Tracer.AnySpan | undefined
}

const callersSpan = Effect.map(Effect.serviceOption(Tracer.ParentSpan), (found) => {
  const span = Option.getOrUndefined(found)
  return span instanceof Tracer.NativeSpan ? undefined : span
})

/**
 * A batch is one span. It belongs to the trace of the first caller whose trace is recorded, and links to the spans of all others (SYSTEM-23): in a trace that
 * is not recorded, it would be missing for everybody.
 */
const traced = <A, E>(effect: Effect.Effect<A, E>, batch: ReadonlyArray<Submitted>): Effect.Effect<A, E> => {
  const spans = batch.flatMap(({ span }) => (span === undefined ? [] : [span]))
  const parent = spans.find(({ sampled }) => sampled) ?? spans[0]
  if (parent === undefined) return effect
  const links = spans.filter((span) => span !== parent).map((span) => ({ span, attributes: {} }))
  return Effect.withSpan(effect, "Settlement.settle", { parent, links, attributes: { commands: batch.length } })
}

const inTrace = (command: Command): Command => Traceparent.on(command, Traceparent.current())

/**
 * Settles commands in batches: commands that arrive while the last batch commits collect for the next one. There is no timer, so a single
 * command is not delayed. A submitted command is settled even if its caller is interrupted. Its events carry the trace context of its caller.
 */
export class Settlement extends Context.Service<
  Settlement,
  {
    readonly submit: (command: Command) => StoreEffect<Settled, Refusal>
    /** Settles commands in one transaction and in this order; preferably at most {@link batchSize}. */
    readonly submitAll: (commands: ReadonlyArray<Command>) => StoreEffect<ReadonlyArray<Outcome>>
    /**
     * Call this after the freeze of an account or of one of its agents is stored. It rejects the pending approvals, and returns when no
     * purchase, sale or withdrawal that was decided before the freeze can still commit.
     */
    readonly stop: (account: AccountId, agent: AgentId | null) => StoreEffect<void>
  }
>()("@agent-marketplace/core/settlement/Settlement") {
  static readonly layer = Layer.effect(
    Settlement,
    Effect.gen(function* () {
      const store = yield* SettlementStore
      const { submit } = yield* makeBatcher<Submitted, Settled, Refusal | StoreUnavailable>({
        size: batchSize,
        inFlight: batchesInFlight,
        run: (batch) => traced(store.settle(batch.map(({ command }) => command)), batch)
      })

      const submitAll = (commands: ReadonlyArray<Command>) => Effect.suspend(() => store.settle(commands.map(inTrace)))

      return {
        submit: (command) => Effect.flatMap(callersSpan, (span) => submit({ command: inTrace(command), span })),
        submitAll,
        stop: (accountId, agentId) =>
          Effect.andThen(
            submitAll([{ _tag: "RejectWaiting", accountId, agentId, reason: "frozen" }]),
            store.underWayDone
          )
      }
    })
  )
}
