import { ActivityFeed } from "@agent-marketplace/core/activity/ActivityFeed"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { rawJson } from "../edge/RawJson.ts"
import { ServedApi } from "../ServedApi.ts"

/** Specification 4.3: past its limit the feed is answered from the last snapshot. */
export const ActivityHandlers = HttpApiBuilder.group(
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
