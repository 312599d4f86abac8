import { toAgent, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { AgentControl } from "@agent-marketplace/core/identity/AgentControl"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Agents over HTTP (AGENT-1, AGENT-2, AGENT-4). */
export const AgentsHandlers = HttpApiBuilder.group(
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
      create: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toAgent(yield* identity.createAgent(yield* currentCaller, payload.name)))
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* identity.listAgents(yield* currentCaller, page)
        return toPage(items.map(toAgent), page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAgent(yield* identity.ownAgent(yield* currentCaller, params.id)))
      }),
      rename: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toAgent(yield* identity.renameAgent(yield* currentCaller, params.id, payload.name)))
      }),
      retire: Effect.fnUntraced(function* ({ params }) {
        yield* control.retire(yield* currentCaller, params.id)
        return toEnvelope({ id: params.id, deleted: true as const })
      }),
      freeze: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toAgent(yield* control.freeze(yield* currentCaller, params.id, payload?.reason ?? null)))
      }),
      unfreeze: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toAgent(yield* control.unfreeze(yield* currentCaller, params.id)))
      })
    })
  })
)
