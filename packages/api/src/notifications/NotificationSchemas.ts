import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ChannelDraft } from "@agent-marketplace/core/notifications/ChannelDraft"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import { channelKinds, digests } from "@agent-marketplace/core/notifications/NotificationChannel"
import type { NotificationKind } from "@agent-marketplace/core/notifications/NotificationKind"
import { notificationKinds } from "@agent-marketplace/core/notifications/NotificationKind"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { flag, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const meanings: Readonly<Record<NotificationKind, string>> = {
  approval: "A purchase waits for your approval.",
  limit: "80 % of a spending limit is reached.",
  agent_frozen: "An agent was frozen.",
  deposit: "A deposit has arrived.",
  withdrawal: "A withdrawal was completed or has failed.",
  sale: "One of your items was sold, or a subscription to it was renewed.",
  review: "One of your items has a new review.",
  advisory: "There is an advisory about an item that you sell or bought.",
  key_rotation: "An API key is due for rotation."
}

const required = flag.annotateKey({ messageMissingKey: "is required" })

const preferenceFields = Object.fromEntries(
  notificationKinds.map((kind) => [kind, field(required, meanings[kind], true)])
) as Record<NotificationKind, typeof required>

export const Preferences = Schema.Struct(preferenceFields).annotate({
  identifier: "NotificationPreferences",
  description: "Whether the account is notified of each kind."
})

export const NotificationInput = Schema.Struct({ preferences: Preferences }).annotate({
  identifier: "NotificationInput",
  description: "What the account wants to be notified of."
})

export const NotificationSettings = Schema.Struct({
  preferences: Preferences,
  kinds: Schema.Array(Schema.Literals(channelKinds)).annotate({
    description: "The kinds of channels that the market can send to.",
    examples: [["email", "push", "slack", "telegram", "discord"]]
  })
}).annotate({
  identifier: "NotificationSettings",
  description: "What an account is notified of, and how it can be notified."
})

const label = (description: string, example: string, max: number) =>
  field(optional(boundedText({ min: 1, max })), description, example)

const digestMeaning =
  "When notifications other than approvals are sent: `none` sends each at once, `hourly` and `daily` send them together."

export const ChannelInput = Schema.Struct({
  kind: field(
    Schema.Literals(channelKinds)
      .annotate({ message: `must be one of ${channelKinds.join(", ")}` })
      .annotateKey({ messageMissingKey: "is required" }),
    "Where the messages go.",
    "email"
  ),
  digest: field(
    optional(Schema.Literals(digests).annotate({ message: `must be one of ${digests.join(", ")}` })),
    digestMeaning,
    "none"
  ),
  address: label("For `email`: the address.", "ada@ada.dev", 254),
  url: label(
    "For `slack` and `discord`: the URL of an incoming webhook. For `telegram`: that of a bot's `sendMessage`.",
    "https://hooks.slack.com/services/T0/B0/x",
    2048
  ),
  chatId: label("For `telegram`: the chat.", "123456789", 64),
  endpoint: label("For `push`: `endpoint` of the browser's subscription.", "https://push.ada.dev/send/1", 2048),
  p256dh: label(
    "For `push`: `keys.p256dh` of the subscription.",
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    100
  ),
  auth: label("For `push`: `keys.auth` of the subscription.", "BTBZMqHH6r4Tts7J_aSIgg", 40)
}).annotate({ identifier: "ChannelInput", description: "A channel to add. Each kind has its own fields." })

export const ChannelChanges = Schema.Struct({
  enabled: field(optional(flag), "Whether messages are sent.", true),
  digest: field(
    optional(Schema.Literals(digests).annotate({ message: `must be one of ${digests.join(", ")}` })),
    digestMeaning,
    "daily"
  )
}).annotate({ identifier: "ChannelChanges", description: "What changes." })

export const ChannelCode = Schema.Struct({
  code: field(boundedText({ min: 1, max: 40 }), "The code in the e-mail.", "4f7k2m9q")
}).annotate({ identifier: "ChannelCode", description: "The confirmation of an e-mail address." })

export const Channel = Schema.Struct({
  id: ResponseField.text("Prefix `nch_`.", "nch_01j9zq5k2f8h3m6n7p0r4s"),
  kind: ResponseField.choice(channelKinds, "Where the messages go.", "email"),
  label: ResponseField.text("The e-mail address, or the host of the URL.", "ada@ada.dev"),
  enabled: ResponseField.flag("Whether messages are sent.", true),
  digest: ResponseField.choice(digests, digestMeaning, "none"),
  verified: ResponseField.flag("Whether the address is confirmed; nothing is sent before.", true),
  problem: ResponseField.textOrNull("Why the last message was not accepted; null if it was.", null),
  lastSentAt: ResponseField.timeOrNull("When the last message was accepted; null if none was."),
  createdAt: ResponseField.time("When it was added.")
}).annotate({ identifier: "NotificationChannel", description: "One way in which an account is notified." })

export const ChannelTest = Schema.Struct({
  sent: ResponseField.flag("Whether the test message was accepted.", true),
  problem: ResponseField.textOrNull("Why it was not accepted; null if it was.", null)
}).annotate({ identifier: "ChannelTest", description: "The result of a test message." })

export const PushKey = Schema.Struct({
  publicKey: ResponseField.textOrNull(
    "The key for `applicationServerKey`, in base64url; null if the market sends no push messages.",
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  )
}).annotate({ identifier: "PushKey", description: "The key with which browsers subscribe to push messages." })

/** A channel in a response (NOTIFY-3). */
export const toChannel = (channel: NotificationChannel): typeof Channel.Type => ({
  id: channel.id,
  kind: channel.kind,
  label: channel.label,
  enabled: channel.enabled,
  digest: channel.digest,
  verified: channel.verifiedAt !== null,
  problem: channel.problem,
  lastSentAt: channel.lastSentAt === null ? null : Timestamp.toIso(channel.lastSentAt),
  createdAt: Timestamp.toIso(channel.createdAt)
})

/** The fields that each kind needs. */
export const channelFields = {
  email: ["address"],
  push: ["endpoint", "p256dh", "auth"],
  slack: ["url"],
  discord: ["url"],
  telegram: ["url", "chatId"]
} as const satisfies Record<NotificationChannel["kind"], ReadonlyArray<keyof typeof ChannelInput.Type>>

/** The draft of an input in which no field of its kind is missing. */
export const toChannelDraft = (input: typeof ChannelInput.Type): ChannelDraft => {
  const { address = "", auth = "", chatId = "", digest = "none", endpoint = "", kind, p256dh = "", url = "" } = input
  switch (kind) {
    case "email":
      return { digest, target: { kind, address } }
    case "push":
      return { digest, target: { kind, endpoint, p256dh, auth } }
    case "telegram":
      return { digest, target: { kind, url, chatId } }
    default:
      return { digest, target: { kind, url } }
  }
}
