import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import type { AgentId } from "../ids/Ids.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { Agent } from "./Agent.ts"
import type { Caller } from "./Caller.ts"
import { Identity } from "./Identity.ts"
import { IdentityStore } from "./IdentityStore.ts"
import { ownerOf } from "./Caller.ts"

type Failure = AgentNotClaimed | Conflict | NotFound | StoreUnavailable

/** Freezing and retiring agents, for their owners (AGENT-7 to AGENT-11). */
export class AgentControl extends Context.Service<
  AgentControl,
  {
    /**
     * When this returns, every process refuses the writes of the agent's keys, its pending approvals are rejected, and no purchase that was
     * decided before can still commit. Freezing a frozen agent changes only the reason.
     */
    readonly freeze: (caller: Caller, id: AgentId, reason: string | null) => Effect.Effect<Agent, Failure>
    readonly unfreeze: (caller: Caller, id: AgentId) => Effect.Effect<Agent, Failure>
    /** Permanent: ends the agent's keys and rejects its pending approvals. Its records remain. */
    readonly retire: (caller: Caller, id: AgentId) => Effect.Effect<Agent, Failure>
  }
>()("@agent-marketplace/core/identity/AgentControl") {
  static readonly layer = Layer.effect(
    AgentControl,
    Effect.gen(function* () {
      const identity = yield* Identity
      const store = yield* IdentityStore
      const settlement = yield* Settlement
      const clock = yield* MarketClock

      const setFrozen = Effect.fnUntraced(function* (caller: Caller, id: AgentId, freeze: Agent["frozen"]) {
        const owner = yield* ownerOf(caller)
        const { retiredAt } = yield* identity.ownAgent(caller, id)
        if (retiredAt !== null) return yield* new Conflict({ state: "retired" })
        yield* store.setFrozen(id, freeze)
        if (freeze !== null) yield* settlement.stop(owner, id)
        return yield* identity.ownAgent(caller, id)
      })

      return {
        freeze: Effect.fn("AgentControl.freeze")(function* (caller, id, reason) {
          return yield* setFrozen(caller, id, { since: yield* clock.now, reason })
        }),
        unfreeze: Effect.fn("AgentControl.unfreeze")((caller, id) => setFrozen(caller, id, null)),
        retire: Effect.fn("AgentControl.retire")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          const retired = yield* store.retireAgent(id, owner, yield* clock.now)
          if (Option.isNone(retired)) return yield* new NotFound({ resource: "AGENT" })
          yield* settlement.submitAll([{ _tag: "RejectWaiting", accountId: owner, agentId: id, reason: "rejected" }])
          return retired.value
        })
      }
    })
  )
}
