import { access } from "@agent-marketplace/api/access/Access"
import { cursorRule } from "@agent-marketplace/api/wire/Query"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { isEventCursor } from "@agent-marketplace/core/events/EventLog"
import type { EventType } from "@agent-marketplace/core/events/MarketEvent"
import { ownerOf } from "@agent-marketplace/core/identity/Caller"
import type { Follower } from "@agent-marketplace/core/live/Follower"
import { Live } from "@agent-marketplace/core/live/Live"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { clientAddress, PeerAddress } from "../edge/ClientAddress.ts"
import { currentCaller, currentRequest } from "../edge/CurrentRequest.ts"
import { setOpenLimit } from "../limits/LimitHeaders.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { ServedApi } from "../ServedApi.ts"
import type { EventStream } from "./EventStream.ts"
import { makeEventStream } from "./EventStream.ts"
import type { Holder } from "./LiveConnections.ts"
import { LiveConnections } from "./LiveConnections.ts"
import { makeServeSocket } from "./serveSocket.ts"
import { severResponse } from "./severResponse.ts"
import { everyType } from "./streamedTypes.ts"

/** The cursor of a request: the header of a browser that reconnects comes before the parameter of its URL (LIVE-2). */
const resumeFrom = (header: string | undefined, after: string | undefined) => {
  if (header === undefined || header === "") return after === undefined ? undefined : { cursor: after, path: "after" }
  return { cursor: header, path: "Last-Event-ID" }
}

/** Streams of server-sent events (LIVE-1, LIVE-4, LIVE-5, LIVE-10). */
export const LiveHandlers = handlerGroup(
  ServedApi,
  "live",
  Effect.fnUntraced(function* (handlers) {
    const live = yield* Live
    const connections = yield* LiveConnections
    const { trustedProxies } = yield* HttpOptions
    const trusted = new Set(trustedProxies)

    /** The response with the follower's messages, while the connection is open. */
    const streamed = Effect.fnUntraced(function* <E>(
      request: HttpServerRequest.HttpServerRequest,
      holder: Holder | null,
      cursors: boolean,
      follow: Effect.Effect<Follower, E, Scope.Scope>
    ) {
      const { headers } = yield* currentRequest
      const running: { follower?: Follower; stream?: EventStream } = {}
      const connection = yield* connections
        .open({
          address: clientAddress(request, trusted, yield* PeerAddress),
          holder,
          quiet: () => running.follower?.nudge(),
          end: () => {
            running.stream?.end()
            severResponse(request)
          }
        })
        .pipe(Effect.tapErrorTag("RateLimited", (refused) => Effect.sync(() => setOpenLimit(headers, refused))))
      const follower = yield* follow
      const stream = makeEventStream({ follower, cursors, sent: connection.sent })
      Object.assign(running, { follower, stream })
      if (!connection.isOpen()) stream.end()
      return stream.response
    })

    const serveSocket = yield* makeServeSocket

    return handlers.handleAll({
      events: Effect.fnUntraced(function* ({ headers, query: { after, types }, request }) {
        const caller = yield* currentCaller
        const { identify } = yield* currentRequest
        const from = resumeFrom(headers["last-event-id"], after)
        if (from !== undefined && !isEventCursor(from.cursor)) {
          return yield* new ValidationFailed({ issues: [{ path: from.path, message: cursorRule }] })
        }
        const reader = {
          accountId: yield* ownerOf(caller),
          agentId: caller.agentId,
          types: types === undefined ? everyType : new Set<EventType>(types)
        }
        const holder = { caller, identify: identify(request, access.any) }
        return yield* streamed(request, holder, true, live.events(reader, from))
      }),
      activity: ({ headers, request }) => streamed(request, null, false, live.activity(headers["last-event-id"])),
      socket: ({ request }) => serveSocket(request)
    })
  })
)
