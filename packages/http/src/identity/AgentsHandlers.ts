import { toAgent, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { AgentControl } from "@agent-marketplace/core/identity/AgentControl"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Agents over HTTP (AGENT-1, AGENT-2, AGENT-4). */
export const AgentsHandlers = handlerGroup(
  ServedApi,
  "agents",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* AgentControl
    const identity = yield* Identity
    return handlers.handleAll({
      register: Effect.fnUntraced(function* ({ payload }) {
        const { agent, apiKey, claimCode } = yield* identity.registerAgent(payload.name)
        return toEnvelope({ agent: toAgent(agent), apiKey: toIssuedKey(apiKey), claimCode })
      }),
      claim: Effect.fnUntraced(function* ({ payload: { claimCode, policy } }) {
        return toEnvelope({ agent: toAgent(yield* identity.claimAgent(yield* currentCaller, claimCode, policy)) })
      }),
      create: ({ payload }) => forCaller.one(toAgent, (caller) => identity.createAgent(caller, payload.name)),
      list: ({ query }) => forCaller.page(query, toAgent, (caller, page) => identity.listAgents(caller, page)),
      get: ({ params }) => forCaller.one(toAgent, (caller) => identity.ownAgent(caller, params.id)),
      rename: ({ params, payload }) =>
        forCaller.one(toAgent, (caller) => identity.renameAgent(caller, params.id, payload.name)),
      retire: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(control.retire(caller, params.id), params)),
      freeze: ({ params, payload }) =>
        forCaller.one(toAgent, (caller) => control.freeze(caller, params.id, payload?.reason ?? null)),
      unfreeze: ({ params }) => forCaller.one(toAgent, (caller) => control.unfreeze(caller, params.id))
    })
  })
)
