import { access } from "@agent-marketplace/api/access/Access"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { MarketError } from "@agent-marketplace/core/errors/MarketError"
import { ownerOf } from "@agent-marketplace/core/identity/Caller"
import { Live } from "@agent-marketplace/core/live/Live"
import { Effect } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, PeerAddress } from "../edge/ClientAddress.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import type { RequestRecord } from "../edge/CurrentRequest.ts"
import { setOpenLimit } from "../limits/LimitHeaders.ts"
import { makeLimitRequest } from "../limits/limitRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import type { Holder } from "./LiveConnections.ts"
import { LiveConnections } from "./LiveConnections.ts"
import { LiveLimits } from "./LiveLimits.ts"
import { isUpgrade, openSocket } from "./SocketServer.ts"
import type { SocketHost, SocketSession } from "./SocketSession.ts"
import { makeSocketSession } from "./SocketSession.ts"
import { everyType } from "./streamedTypes.ts"

/** A handshake counts as one request, of its key or of its address. */
const metered = { limit: undefined, unmetered: false, control: false }

const noUpgrade = new ValidationFailed({
  issues: [{ path: "headers.upgrade", message: "must be websocket, over a connection that can be upgraded" }]
})

/** The request with this credential only. A cookie cannot open a socket, because requests of other origins send it too (LIVE-14). */
const presenting = (request: HttpServerRequest.HttpServerRequest, authorization: string) => {
  const { host, "x-forwarded-for": forwarded } = request.headers
  return request.modify({ headers: Headers.fromInput({ host, "x-forwarded-for": forwarded, authorization }) })
}

/** Opens a WebSocket and serves it until it closes (LIVE-14). */
export const makeServeSocket = Effect.gen(function* () {
  const live = yield* Live
  const connections = yield* LiveConnections
  const limits = yield* LiveLimits
  const { limitRequest } = yield* makeLimitRequest
  const { trustedProxies } = yield* HttpOptions
  const trusted = new Set(trustedProxies)

  const holderOf = (
    request: HttpServerRequest.HttpServerRequest,
    { identify }: RequestRecord,
    authorization: string
  ): Effect.Effect<Holder, MarketError | HttpFault> => {
    const presented = identify(presenting(request, authorization), access.any)
    return Effect.map(presented, (caller) => ({ caller, identify: presented }))
  }

  const follow: SocketHost["follow"] = (topic, { caller }, after, options) =>
    topic === "activity"
      ? live.activity(after, options)
      : Effect.flatMap(ownerOf(caller), (accountId) =>
          live.events(
            { accountId, agentId: caller.agentId, types: everyType },
            after === undefined ? undefined : { cursor: after, path: "after" },
            options
          )
        )

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const record = yield* currentRequest
    if (!isUpgrade(request)) return yield* noUpgrade
    const { authorization } = request.headers
    const holder = authorization === undefined ? null : yield* holderOf(request, record, authorization)
    record.caller = holder?.caller ?? null
    yield* limitRequest(metered, request, record)
    const running: { session?: SocketSession } = {}
    const connection = yield* connections
      .open({
        address: clientAddress(request, trusted, yield* PeerAddress),
        holder,
        quiet: () => {},
        end: (reason) => running.session?.end(reason)
      })
      .pipe(Effect.tapErrorTag("RateLimited", (refused) => Effect.sync(() => setOpenLimit(record.headers, refused))))
    const socket = yield* openSocket(request)
    record.respondedAt = performance.now()
    const session = makeSocketSession(socket, {
      limits,
      requestId: record.id,
      holder,
      identify: (key) => holderOf(request, record, `Bearer ${key}`),
      hold: (found) =>
        Effect.tap(connection.hold(found), () =>
          Effect.sync(() => {
            record.caller = found.caller
          })
        ),
      follow
    })
    running.session = session
    if (!connection.isOpen()) session.end("stopping")
    yield* session.run
    return HttpServerResponse.empty({ status: 101 })
  })
})
