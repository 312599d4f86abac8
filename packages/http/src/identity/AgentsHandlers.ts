import { toAgent, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
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
    const identity = yield* Identity
    return handlers.handleAll({
      register: Effect.fnUntraced(function* ({ payload }) {
        const { agent, apiKey, claimCode } = yield* identity.registerAgent(payload.name)
        return toEnvelope({ agent: toAgent(agent), apiKey: toIssuedKey(apiKey), claimCode })
      }),
      claim: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope({ agent: toAgent(yield* identity.claimAgent(yield* currentCaller, payload.claimCode)) })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return toEnvelope(toAgent(yield* identity.createAgent(yield* currentCaller, payload.name)))
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* identity.listAgents(yield* currentCaller, page)
        return toPage(items.map(toAgent), page, total)
      })
    })
  })
)
