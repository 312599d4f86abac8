import { toDomain } from "@agent-marketplace/api/domains/DomainsGroup"
import { Domains } from "@agent-marketplace/core/domains/Domains"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Domains of creators over HTTP (DOMAIN-1 to DOMAIN-8). */
export const DomainsHandlers = handlerGroup(
  ServedApi,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    return handlers.handleAll({
      add: ({ payload }) => forCaller.one(toDomain, (caller) => domains.add(caller, payload.domain)),
      list: ({ query }) => forCaller.page(query, toDomain, (caller, page) => domains.list(caller, page)),
      verify: ({ params }) => forCaller.one(toDomain, (caller) => domains.verify(caller, params.domain)),
      remove: ({ params: { domain } }) =>
        forCaller.one(
          () => ({ id: domain, deleted: true as const }),
          (caller) => domains.remove(caller, domain)
        )
    })
  })
)
