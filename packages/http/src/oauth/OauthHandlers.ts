import { toClient, toDecision, toGrant, toRegisteredClient, toRequest } from "@agent-marketplace/api/oauth/OauthWire"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import { OauthClients } from "@agent-marketplace/core/oauth/OauthClients"
import { OauthGrants } from "@agent-marketplace/core/oauth/OauthGrants"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Clients, grants and requests of OAuth over HTTP (OAUTH-9, OAUTH-10, OAUTH-16, OAUTH-18). */
export const OauthHandlers = handlerGroup(
  ServedApi,
  "oauth",
  Effect.fnUntraced(function* (handlers) {
    const authorization = yield* Authorization
    const clients = yield* OauthClients
    const grants = yield* OauthGrants
    return handlers.handleAll({
      registerClient: ({ payload }) => forCaller.one(toRegisteredClient, (caller) => clients.register(caller, payload)),
      listClients: ({ query }) => forCaller.page(query, toClient, (caller, page) => clients.list(caller, page)),
      getClient: ({ params }) => forCaller.one(toClient, (caller) => clients.get(caller, params.id)),
      removeClient: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(clients.remove(caller, params.id), params)),
      listGrants: ({ query }) => forCaller.page(query, toGrant, (caller, page) => grants.list(caller, page)),
      endGrant: ({ params }) => forCaller.one(toDeleted, (caller) => Effect.as(grants.end(caller, params.id), params)),
      findRequest: ({ query }) =>
        Effect.map(authorization.requestByUserCode(query.user_code), (request) => toEnvelope(toRequest(request))),
      getRequest: ({ params }) =>
        Effect.map(authorization.request(params.id), (request) => toEnvelope(toRequest(request))),
      decide: ({ params, payload }) =>
        forCaller.one(toDecision, (caller) => authorization.decide(caller, params.id, payload))
    })
  })
)
