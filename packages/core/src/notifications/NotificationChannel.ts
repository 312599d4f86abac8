import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AccountId, ChannelId } from "../ids/Ids.ts"
import type { SealedSecret } from "../webhooks/Webhook.ts"

export const channelKinds = ["email", "push", "slack", "telegram", "discord"] as const

export type ChannelKind = (typeof channelKinds)[number]

export const digests = ["none", "hourly", "daily"] as const

/** How often notifications that are not urgent are sent: each at once, or together every hour or every day (NOTIFY-7). */
export type Digest = (typeof digests)[number]

/** Where the messages of a channel go. Contains secrets, so it is stored encrypted. */
export type ChannelTarget =
  | { readonly kind: "email"; readonly address: string }
  | { readonly kind: "push"; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  | { readonly kind: "slack" | "discord"; readonly url: string }
  | { readonly kind: "telegram"; readonly url: string; readonly chatId: string }

/** One way in which an account is notified (NOTIFY-3). */
export interface NotificationChannel {
  readonly id: ChannelId
  readonly accountId: AccountId
  readonly kind: ChannelKind
  /** What the owner recognises it by: the e-mail address, or the host of its URL. */
  readonly label: string
  /** The {@link ChannelTarget} as JSON, encrypted by `SecretBox` for this channel's id. */
  readonly target: SealedSecret
  readonly enabled: boolean
  readonly digest: Digest
  /** Null until the address is confirmed. Until then, only confirmation codes are sent (NOTIFY-10). */
  readonly verifiedAt: Timestamp | null
  /** The keyed hash of the confirmation code; null if none is open. */
  readonly codeHash: string | null
  readonly codeExpiresAt: Timestamp | null
  /** Wrong codes that were entered for the present code. */
  readonly codeTries: number
  /** Why the last message was not accepted; null if it was. */
  readonly problem: string | null
  /** Failed attempts for the message that is being sent. */
  readonly tries: number
  /** When the message is tried again; null if no attempt failed. */
  readonly retryAt: Timestamp | null
  /** Each message moves this time by {@link pace}. A message is sent while it is at most {@link burst} ahead (NOTIFY-12). */
  readonly pacedUntil: Timestamp
  readonly lastSentAt: Timestamp | null
  readonly createdAt: Timestamp
}

/** The maximum number of channels of an account (NOTIFY-12). */
export const channelLimit = 10

/** Confirmation codes that are sent in 24 hours: for one account, and to one address by all accounts (NOTIFY-10). */
export const confirmationLimits = { account: 10, address: 5 } as const

/** How long a confirmation code is valid. */
export const codeLifetime = 30 * Time.minute

/** Wrong codes after which a code is void. */
export const codeTries = 5

/** A channel sends one message a minute on average, and up to 60 at once (NOTIFY-12). */
export const pace = Time.minute
export const burst = 60 * Time.minute

/** Whether the channel may send a message at this time (NOTIFY-12). */
export const hasRoom = ({ pacedUntil }: Pick<NotificationChannel, "pacedUntil">, now: Timestamp): boolean =>
  pacedUntil + pace <= now + burst

export const paced = (channel: NotificationChannel, now: Timestamp): NotificationChannel => ({
  ...channel,
  pacedUntil: Math.max(channel.pacedUntil, now) + pace
})

/** Whether notifications are created and sent for the channel. */
export const isOpen = ({ enabled, verifiedAt }: NotificationChannel): boolean => enabled && verifiedAt !== null

/** The hour of the daily digest, UTC. */
const digestHour = 8 * Time.hour

/** When a notification that is not urgent is sent: now, at the next full hour, or at the next 8:00 UTC (NOTIFY-7). */
export const digestDue = (digest: Digest, now: Timestamp): Timestamp => {
  if (digest === "none") return now
  if (digest === "hourly") return (Math.floor(now / Time.hour) + 1) * Time.hour
  return (Math.floor((now - digestHour) / Time.day) + 1) * Time.day + digestHour
}
