import { Schema, SchemaGetter } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { limits } from "../access/EndpointLimits.ts"
import { field } from "../wire/Field.ts"
import { textOf } from "../wire/Query.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const fallback = 10
const maximum = 50

/** FEED-2: a missing or malformed `limit` counts as 10, a number outside 1 to 50 as the nearest bound. */
export const feedLimit = (text: string | undefined): number => {
  if (text === undefined || !/^[+-]?\d+(?:\.\d+)?$/.test(text.trim())) return fallback
  const value = Number(text)
  if (value < 1) return 1
  if (value > maximum) return maximum
  return Number.isInteger(value) ? value : fallback
}

/** An item of the feed (FEED-4, FEED-7). */
const ActivityItem = Schema.Struct({
  id: ResponseField.text("Unique; prefix `purchase-`, `earning-`, `reg-` or `listing-`.", "purchase-3f9c2d71a8b4"),
  type: ResponseField.choice(["purchase", "earning", "registration", "listing"], "What happened.", "purchase"),
  icon: ResponseField.text("An emoji for it.", "🛍️"),
  message: ResponseField.text("A sentence for people.", "🦀 traded CSV Cleaner"),
  timestamp: ResponseField.time("When it happened."),
  amount: Schema.optionalKey(ResponseField.money("In USDT; of purchases and earnings.", "12.50"))
}).annotate({ identifier: "ActivityItem", description: "One event, without the names of those involved." })

/** The feed (FEED-1, FEED-11, FEED-12, FEED-13). */
const Activity = Schema.Struct({
  activities: Schema.Array(ActivityItem).annotate({ description: "The events of the last 24 hours, newest first." }),
  stats: Schema.Struct({
    activeAgents: ResponseField.count("Agents and accounts that were active in the last hour.", 7),
    tradesLast24h: ResponseField.count("Confirmed purchases of the last 24 hours.", 31),
    revenueLast24h: ResponseField.text("Their total value in USDT; `0` while the store cannot be read.", "412.75")
  }).annotate({ description: "The market in numbers." })
}).annotate({ identifier: "Activity", description: "Recent events of the market." })

/** Every value is decoded to a number: the feed never refuses a request. */
const limit = field(
  textOf({ type: "integer", minimum: 1, maximum: 50, default: 10 }),
  "The most items to return. A malformed value counts as 10, a value outside the bounds as the nearest bound.",
  "10"
)

const lenientLimit = Schema.optionalKey(Schema.Union([limit, Schema.Array(Schema.String)])).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Finite), {
    decode: SchemaGetter.transform((given: string | ReadonlyArray<string>) =>
      feedLimit(typeof given === "string" ? given : given[0])
    ),
    encode: SchemaGetter.transform((value: number): string => String(value))
  })
)

/** The route of the feed (FEED-1). */
export const ActivityGroup = HttpApiGroup.make("activity")
  .add(
    endpoint.get("live", "/api/activity/live", {
      summary: "Read the activity feed",
      description:
        "Anonymised. Always 200; poll every 10-30 seconds. Requests that exceed the rate limit get the last snapshot.",
      // Its readers share one snapshot.
      priority: "exempt",
      access: access.public,
      limit: limits.activity,
      errorFormat: "never",
      unmetered: true,
      query: { limit: lenientLimit },
      success: Activity,
      failures: []
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Activity", description: "The public feed." }))
