import { channelFields, toChannel, toChannelDraft } from "@agent-marketplace/api/notifications/NotificationSchemas"
import type { ChannelInput } from "@agent-marketplace/api/notifications/NotificationSchemas"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { NotificationPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import type { TestResult } from "@agent-marketplace/core/notifications/Notifications"
import { Notifications } from "@agent-marketplace/core/notifications/Notifications"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

const complete = (input: typeof ChannelInput.Type) => {
  const fields: ReadonlyArray<keyof typeof ChannelInput.Type> = channelFields[input.kind]
  const missing = fields.filter((name) => input[name] === undefined)
  return missing.length === 0
    ? Effect.succeed(toChannelDraft(input))
    : Effect.fail(
        new ValidationFailed({ issues: missing.map((path) => ({ path, message: `is required for ${input.kind}` })) })
      )
}

/** Notifications over HTTP (NOTIFY-2, NOTIFY-3, NOTIFY-10, NOTIFY-14, NOTIFY-15). */
export const NotificationsHandlers = handlerGroup(
  ServedApi,
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const notifications = yield* Notifications
    const toSettings = (preferences: NotificationPreferences) => ({ preferences, kinds: notifications.kinds })
    return handlers.handleAll({
      get: () => forCaller.one(toSettings, notifications.preferences),
      set: ({ payload }) =>
        forCaller.one(toSettings, (caller) => notifications.setPreferences(caller, payload.preferences)),
      list: ({ query }) => forCaller.page(query, toChannel, (caller, page) => notifications.list(caller, page)),
      add: ({ payload }) =>
        forCaller.one(toChannel, (caller) =>
          Effect.flatMap(complete(payload), (draft) => notifications.add(caller, draft))
        ),
      update: ({ params, payload }) =>
        forCaller.one(toChannel, (caller) => notifications.update(caller, params.id, payload)),
      remove: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(notifications.remove(caller, params.id), params)),
      sendCode: ({ params }) => forCaller.one(toChannel, (caller) => notifications.sendCode(caller, params.id)),
      verify: ({ params, payload }) =>
        forCaller.one(toChannel, (caller) => notifications.verify(caller, params.id, payload.code)),
      test: ({ params }) =>
        forCaller.one(
          (result: TestResult) => result,
          (caller) => notifications.test(caller, params.id)
        ),
      pushKey: () => Effect.succeed(toEnvelope({ publicKey: notifications.pushKey }))
    })
  })
)
