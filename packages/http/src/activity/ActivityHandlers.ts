import { ActivityFeed } from "@agent-marketplace/core/activity/ActivityFeed"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { rawJson } from "../edge/RawJson.ts"
import { ServedApi } from "../ServedApi.ts"

/** Past its limit the feed is answered from the last snapshot (LIMIT-4). */
export const ActivityHandlers = handlerGroup(
  ServedApi,
  "activity",
  Effect.fnUntraced(function* (handlers) {
    const feed = yield* ActivityFeed
    return handlers.handleAll({
      live: ({ query: { limit = 10 } }) =>
        Effect.flatMap(currentRequest, ({ pastSoftLimit }) =>
          Effect.map(pastSoftLimit ? feed.last(limit) : feed.live(limit), rawJson)
        )
    })
  })
)
