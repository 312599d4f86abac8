import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { cursorRule } from "@agent-marketplace/api/wire/Query"
import { isEventCursor } from "@agent-marketplace/core/events/EventLog"
import type { LiveMessage } from "@agent-marketplace/core/live/LiveMessage"
import { Result } from "effect"

const topics = ["events", "activity"] as const

export type Topic = (typeof topics)[number]

/** The messages of a client (LIVE-15). */
export type ClientMessage =
  | { readonly type: "auth"; readonly key: string }
  | { readonly type: "subscribe"; readonly topic: Topic; readonly after: string | undefined }
  | { readonly type: "unsubscribe"; readonly topic: Topic }

type Fields = Readonly<Record<string, unknown>>

const parsed = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const isTopic = (value: unknown): value is Topic => topics.some((topic) => topic === value)

const afterOf = ({ after, topic }: Fields): Result.Result<string | undefined, string> => {
  if (after === undefined || after === null) return Result.succeed(undefined)
  if (typeof after !== "string" || after.length > 128)
    return Result.fail("after: must be the id of a message, as a string")
  return topic === "events" && !isEventCursor(after) ? Result.fail(`after: ${cursorRule}`) : Result.succeed(after)
}

/** The message, or the rule that it breaks. */
export const clientMessage = (text: string): Result.Result<ClientMessage, string> => {
  const fields = parsed(text)
  if (fields === undefined) return Result.fail("The message must be a JSON object")
  const { key, topic, type } = fields
  if (type === "auth") {
    return typeof key === "string" && /^[ -~]{1,1000}$/.test(key)
      ? Result.succeed({ type, key })
      : Result.fail("key: must be an API key or an access token")
  }
  if (type !== "subscribe" && type !== "unsubscribe") {
    return Result.fail("type: must be auth, subscribe or unsubscribe")
  }
  if (!isTopic(topic)) return Result.fail(`topic: must be ${topics.join(" or ")}`)
  return type === "unsubscribe"
    ? Result.succeed({ type, topic })
    : Result.map(afterOf(fields), (after) => ({ type, topic, after }))
}

/** The texts of messages, made once for all readers; a message belongs to one topic. */
const rendered = new WeakMap<LiveMessage, string>()

/** The messages of the service (LIVE-15). */
export const ServerMessage = {
  authenticated: JSON.stringify({ type: "authenticated" }),
  subscribed: (topic: Topic): string => JSON.stringify({ type: "subscribed", topic }),
  unsubscribed: (topic: Topic): string => JSON.stringify({ type: "unsubscribed", topic }),
  invalid: (message: string): string => JSON.stringify({ type: "error", code: "VALIDATION_ERROR", message }),
  conflict: (message: string): string => JSON.stringify({ type: "error", code: "CONFLICT", message }),
  failed: (failure: Failure, requestId: string): string => {
    const { code, details, message } = toWire(failure, requestId).body.error
    const issues = (details["issues"] ?? []) as ReadonlyArray<{ readonly path: string; readonly message: string }>
    const text = issues.length === 0 ? message : issues.map((issue) => `${issue.path}: ${issue.message}`).join("; ")
    return JSON.stringify({ type: "error", code, message: text })
  },
  event: (topic: Topic, live: LiveMessage): string => {
    const known = rendered.get(live)
    if (known !== undefined) return known
    const { data, event, id } = live
    const head = JSON.stringify({ type: "event", topic, id, event })
    const text = `${head.slice(0, -1)},"data":${data}}`
    rendered.set(live, text)
    return text
  }
}
