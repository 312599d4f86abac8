import type { ChannelId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import {
  Channel,
  ChannelChanges,
  ChannelCode,
  ChannelInput,
  ChannelTest,
  NotificationInput,
  NotificationSettings,
  PushKey
} from "./NotificationSchemas.ts"

const params = { id: field(idOf<ChannelId>(), "The channel's id.", "nch_01j9zq5k2f8h3m6n7p0r4s") }

const channels = "/api/v1/account/notifications/channels"

const get = endpoint.get("get", "/api/v1/account/notifications", {
  summary: "Read what the account is notified of",
  description: "Every kind is on until it is turned off.",
  access: access.ownerRead,
  success: enveloped(NotificationSettings)
})

const set = endpoint.put("set", "/api/v1/account/notifications", {
  summary: "Set what the account is notified of",
  description: "Replaces all preferences; every kind must be named.",
  access: access.owner,
  payload: NotificationInput,
  success: enveloped(NotificationSettings)
})

const list = endpoint.get("list", channels, {
  summary: "List channels",
  description: "The account's channels, newest first.",
  access: access.ownerRead,
  query: pageQuery,
  success: pageOf(Schema.Array(Channel).annotate({ description: "The channels of the page, newest first." }))
})

const add = endpoint.post("add", channels, {
  summary: "Add a channel",
  description:
    "An e-mail address gets a code, and nothing else before the code is entered. Other channels are notified from now on. At most 10 channels.",
  access: access.owner,
  payload: ChannelInput,
  success: enveloped(Channel).pipe(HttpApiSchema.status(201)),
  errors: ["CONFLICT"]
})

const update = endpoint.patch("update", `${channels}/:id`, {
  summary: "Change a channel",
  description:
    "Turns it on or off, or changes its digest. Notifications that wait for a channel that is turned off are dropped.",
  access: access.owner,
  params,
  payload: ChannelChanges,
  success: enveloped(Channel),
  errors: ["CHANNEL_NOT_FOUND"]
})

const remove = endpoint.delete("remove", `${channels}/:id`, {
  summary: "Remove a channel",
  description: "Notifications that wait for it are dropped.",
  access: access.owner,
  params,
  success: enveloped(Deleted),
  errors: ["CHANNEL_NOT_FOUND"]
})

const sendCode = endpoint.post("sendCode", `${channels}/:id/code`, {
  summary: "Send a new confirmation code",
  description:
    "The previous code becomes void. An account sends at most 10 codes in 24 hours, an address gets at most 5.",
  access: access.owner,
  params,
  success: enveloped(Channel),
  errors: ["CHANNEL_NOT_FOUND", "CONFLICT"]
})

const verify = endpoint.post("verify", `${channels}/:id/verify`, {
  summary: "Confirm an e-mail address",
  description: "A code is valid for 30 minutes, and void after 5 wrong ones.",
  access: access.owner,
  params,
  payload: ChannelCode,
  success: enveloped(Channel),
  errors: ["CHANNEL_NOT_FOUND", "CONFLICT"]
})

const test = endpoint.post("test", `${channels}/:id/test`, {
  summary: "Send a test message",
  description: "Sends one message now, and says whether it was accepted.",
  access: access.owner,
  params,
  success: enveloped(ChannelTest),
  errors: ["CHANNEL_NOT_FOUND", "CONFLICT"]
})

const pushKey = endpoint.get("pushKey", "/api/v1/notifications/push-key", {
  summary: "Read the key for push messages",
  description: "Browsers subscribe with it.",
  access: access.public,
  success: enveloped(PushKey)
})

/** Notifications of people (NOTIFY-1 to NOTIFY-15). */
export const NotificationsGroup = HttpApiGroup.make("notifications")
  .add(get, set, list, add, update, remove, sendCode, verify, test, pushKey)
  .annotateMerge(
    OpenApi.annotations({ title: "Notifications", description: "E-mail, push and chat messages about an account." })
  )
