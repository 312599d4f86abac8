import type { Send } from "../requests/Send.ts"
import type { Activity, ActivityItem } from "../wire/Endpoints.ts"
import type { WebhookEvent } from "../webhooks/verifyWebhook.ts"
import type { StreamOptions } from "./follow.ts"
import { follow } from "./follow.ts"

/** The names of the events that a stream can carry. */
export type StreamedEventName = Exclude<WebhookEvent["event"], "webhook.test">

/** One event of the account: comparing `event` narrows `data`. */
export type StreamedEvent<E extends StreamedEventName = StreamedEventName> = {
  readonly [Name in E]: Omit<WebhookEvent<Name>, "signature"> & {
    /** `after` of a later stream continues after it. */
    readonly cursor: string
  }
}[E]

/** The start, the end and the types of a stream of events. */
export interface EventStreamOptions extends StreamOptions {
  /** Only these events; all by default. */
  readonly types?: ReadonlyArray<StreamedEventName> | undefined
}

/** An item of the feed, or its statistics. */
export type ActivityMessage =
  | { readonly event: "activity"; readonly item: ActivityItem }
  | { readonly event: "stats"; readonly stats: Activity["stats"] }

const typesQuery = (types: ReadonlyArray<string> | undefined): string =>
  types === undefined ? "" : `?types=${encodeURIComponent(types.join(","))}`

/** The account's events as an asynchronous iterator (LIVE-12). */
export const eventStream = (send: Send) =>
  async function* ({ types, ...options }: EventStreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    for await (const { data, id = "" } of follow(send, `/api/v1/events/stream${typesQuery(types)}`, options))
      yield { cursor: id, ...(JSON.parse(data) as Omit<StreamedEvent, "cursor">) } as StreamedEvent
  }

/** The public activity feed as an asynchronous iterator (LIVE-12). */
export const activityStream = (send: Send) =>
  async function* (options: StreamOptions = {}): AsyncGenerator<ActivityMessage, void, undefined> {
    for await (const { data, event } of follow(send, "/api/activity/stream", options)) {
      if (event === "activity") yield { event, item: JSON.parse(data) as ActivityItem }
      else if (event === "stats") yield { event, stats: JSON.parse(data) as Activity["stats"] }
    }
  }
