import type { Timestamp } from "../clock/Timestamp.ts"
import type { LoggedEvent } from "../events/EventLog.ts"
import type { EventType } from "../events/MarketEvent.ts"
import type { AccountId, ChannelId } from "../ids/Ids.ts"
import type { NotificationChannel } from "./NotificationChannel.ts"
import { digestDue, isOpen } from "./NotificationChannel.ts"
import type { NotificationKind, NotificationPreferences } from "./NotificationKind.ts"
import { isUrgent } from "./NotificationKind.ts"

/** What a notification says, as it is shown; no keys, no license keys, and nothing about other people. */
export type NoticeFacts = Readonly<Record<string, string>>

/** One event that waits to be sent to one channel. */
export interface Notice {
  /** {@link noticeIdOf} the event and the channel, so that an event is sent to a channel only once (NOTIFY-5). */
  readonly id: string
  readonly channelId: ChannelId
  readonly kind: NotificationKind
  readonly facts: NoticeFacts
  readonly eventAt: Timestamp
  readonly dueAt: Timestamp
}

const noticeIdOf = (eventId: string, channelId: ChannelId): string =>
  `ntc_${eventId.slice("evt_".length)}${channelId.slice("nch_".length)}`

/** A TRON address with its middle left out. */
const masked = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`

interface Found {
  readonly kind: NotificationKind
  readonly facts: NoticeFacts
}

type Reading = (event: LoggedEvent, account: AccountId, text: (name: string) => string) => Found | undefined

const sale: Reading = (_, account, text) =>
  text("sellerId") === account && text("amount") !== "0.00"
    ? { kind: "sale", facts: { name: text("name"), amount: text("amount") } }
    : undefined

const withdrawal: Reading = ({ type }, _, text) => ({
  kind: "withdrawal",
  facts: {
    amount: text("amount"),
    to: masked(text("destinationAddress")),
    outcome: type === "withdrawal.completed" ? "completed" : "failed"
  }
})

/** How each event is read. All other events notify nobody. */
const readings = {
  "purchase.pending_approval": ({ agentId }, _, text) => ({
    kind: "approval",
    facts: {
      name: text("name"),
      amount: text("amount"),
      approvalId: text("approvalId"),
      ...(agentId === undefined ? {} : { agentId })
    }
  }),
  "purchase.completed": sale,
  "subscription.renewed": sale,
  "spending.limit_near": (_, __, text) => ({
    kind: "limit",
    facts: {
      window: text("window"),
      limit: text("limit"),
      spent: text("spent"),
      ...(text("agentId") === "" ? {} : { agentId: text("agentId") })
    }
  }),
  "agent.frozen": (_, __, text) => ({ kind: "agent_frozen", facts: { name: text("name") } }),
  "deposit.confirmed": (_, __, text) => ({ kind: "deposit", facts: { amount: text("amount") } }),
  "withdrawal.completed": withdrawal,
  "withdrawal.failed": withdrawal,
  "review.posted": (_, __, text) => ({ kind: "review", facts: { name: text("name"), rating: text("rating") } }),
  "advisory.published": (_, __, text) => ({
    kind: "advisory",
    facts: {
      advisoryId: text("advisoryId"),
      itemId: text("itemId"),
      severity: text("severity"),
      action: text("action")
    }
  }),
  "key.rotation_due": (_, __, text) => ({ kind: "key_rotation", facts: { name: text("name") } })
} as const satisfies Partial<Record<EventType, Reading>>

/** The events that can notify somebody. */
export const noticedEvents = Object.keys(readings) as ReadonlyArray<keyof typeof readings>

const isNoticed = (type: EventType): type is keyof typeof readings => type in readings

/** An account's channels and its preferences. */
export interface Listener {
  readonly accountId: AccountId
  readonly preferences: NotificationPreferences
  readonly channels: ReadonlyArray<NotificationChannel>
}

/** The notices of an event for the accounts that it concerns (NOTIFY-1, NOTIFY-2, NOTIFY-5, NOTIFY-7). Pure. */
export const noticesOf = (
  event: LoggedEvent,
  listeners: ReadonlyArray<Listener>,
  now: Timestamp
): ReadonlyArray<Notice> => {
  const { accounts, at, data, id, type } = event
  if (!isNoticed(type)) return []
  const read: Reading = readings[type]
  const text = (name: string): string => {
    const value = data[name]
    return typeof value === "string" || typeof value === "number" ? String(value) : ""
  }
  return listeners.flatMap(({ accountId, channels, preferences }) => {
    const found = accounts.includes(accountId) ? read(event, accountId, text) : undefined
    if (found === undefined || !preferences[found.kind]) return []
    return channels.filter(isOpen).map((channel) => ({
      id: noticeIdOf(id, channel.id),
      channelId: channel.id,
      ...found,
      eventAt: at,
      dueAt: isUrgent(found.kind) ? now : digestDue(channel.digest, now)
    }))
  })
}
