import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { AccountFrozen, Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { AccountId, ChannelId } from "@agent-marketplace/core/ids/Ids"
import type { Listener, Notice } from "@agent-marketplace/core/notifications/Notice"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import {
  channelLimit,
  confirmationLimits,
  digestDue,
  hasRoom,
  isOpen
} from "@agent-marketplace/core/notifications/NotificationChannel"
import { defaultPreferences, isUrgent } from "@agent-marketplace/core/notifications/NotificationKind"
import type {
  ClaimedMessage,
  Confirmation,
  MessageClaimRequest,
  NoticeFanOut
} from "@agent-marketplace/core/notifications/NotificationStore"
import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { Clock, Effect, Layer, Option, Result } from "effect"
import type { MarketTables, StoredChannel, StoredNotice } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { holdsItem } from "../purchases/holdsItem.ts"
import { dropChannel, dropNotices, noticesOfChannel } from "./channelTable.ts"

const channelsOf = (tables: MarketTables, account: AccountId): ReadonlyArray<StoredChannel> =>
  [...tables.channels.values()].filter(({ channel }) => channel.accountId === account)

const frozen = (tables: MarketTables, account: AccountId): AccountFrozen | undefined => {
  const freeze = tables.accounts.get(account)?.frozen ?? null
  return freeze === null ? undefined : new AccountFrozen(freeze)
}

const confirm = (tables: MarketTables, given: Confirmation): AccountFrozen | Conflict | undefined => {
  const refused = frozen(tables, given.accountId)
  if (refused !== undefined) return refused
  const recent = tables.confirmations.filter(({ at }) => at > given.at - Timestamp.day)
  tables.confirmations.splice(0, tables.confirmations.length, ...recent)
  const ofAccount = recent.filter(({ accountId }) => accountId === given.accountId).length
  const ofAddress = recent.filter(({ targetHash }) => targetHash === given.targetHash).length
  for (const [count, limit] of [
    [ofAccount, confirmationLimits.account],
    [ofAddress, confirmationLimits.address]
  ] as const) {
    if (count >= limit) return new Conflict({ state: "confirmation_limit", limit })
  }
  tables.confirmations.push(given)
  return undefined
}

/** Stores a changed channel, with the consequences for its notices. */
const write = (tables: MarketTables, stored: StoredChannel, channel: NotificationChannel, now: Timestamp): void => {
  tables.channels.set(channel.id, { ...stored, channel })
  if (!isOpen(channel)) return dropNotices(tables, channel.id)
  if (channel.digest === stored.channel.digest) return
  const due = digestDue(channel.digest, now)
  for (const { message, notice } of noticesOfChannel(tables, channel.id)) {
    tables.notices.set(notice.id, { message, notice: { ...notice, dueAt: Math.min(notice.dueAt, due) } })
  }
}

/** The accounts that an event concerns and that have channels since before it, with those. */
const listenersOf = (tables: MarketTables, event: LoggedEvent, position: number): ReadonlyArray<Listener> => {
  const concerned = new Set(event.accounts)
  if (event.audience === "holders") {
    for (const { channel } of tables.channels.values()) {
      if (holdsItem(tables, event.subject, channel.accountId)) concerned.add(channel.accountId)
    }
  }
  return [...concerned].map((accountId) => ({
    accountId,
    preferences: tables.notificationPreferences.get(accountId) ?? defaultPreferences,
    channels: channelsOf(tables, accountId)
      .filter(({ start }) => start <= position)
      .map(({ channel }) => channel)
  }))
}

const fanOutNext = (tables: MarketTables, limit: number, fanOut: NoticeFanOut): number => {
  const from = tables.fannedOut.notified
  const events = tables.events.slice(from, from + limit)
  events.forEach((event, i) => {
    const listeners = listenersOf(tables, event, from + i)
    const accounts = listeners.map(({ accountId }) => accountId)
    for (const notice of fanOut({ ...event, accounts }, listeners)) {
      if (!tables.notices.has(notice.id)) tables.notices.set(notice.id, { notice, message: null })
    }
  })
  tables.fannedOut.notified = from + events.length
  return events.length
}

const urgentFirst = ({ notice: a }: StoredNotice, { notice: b }: StoredNotice): number =>
  Number(isUrgent(b.kind)) - Number(isUrgent(a.kind)) || a.eventAt - b.eventAt || (a.id < b.id ? -1 : 1)

/** The notices of the channel's next message: those of an unfinished one, or else the due ones. */
const nextMessage = (tables: MarketTables, id: ChannelId, { now, perMessage }: MessageClaimRequest) => {
  const all = noticesOfChannel(tables, id)
  const begun = all.filter(({ message }) => message !== null)
  return begun.length > 0
    ? begun.toSorted(urgentFirst)
    : all
        .filter(({ notice }) => notice.dueAt <= now)
        .toSorted(urgentFirst)
        .slice(0, perMessage)
}

const oldest = (notices: ReadonlyArray<StoredNotice>): number => Math.min(...notices.map(({ notice }) => notice.dueAt))

/** Whether one more channel of its account may be claimed, in turn. */
const bounded = (tables: MarketTables, perAccount: number, realNow: number) => {
  const claimed = new Map<AccountId, number>()
  const count = (account: AccountId) => {
    const next = (claimed.get(account) ?? 0) + 1
    claimed.set(account, next)
    return next
  }
  for (const { channel, claim } of tables.channels.values()) {
    if (claim !== null && claim.until > realNow) count(channel.accountId)
  }
  return ({ accountId }: NotificationChannel): boolean => count(accountId) <= perAccount
}

const claimable = (tables: MarketTables, request: MessageClaimRequest, realNow: number) => {
  const hasPlace = bounded(tables, request.perAccount, realNow)
  return [...tables.channels.values()]
    .filter(
      ({ channel, claim }) =>
        isOpen(channel) &&
        (claim === null || claim.until <= realNow) &&
        (channel.retryAt === null || channel.retryAt <= request.now) &&
        hasRoom(channel, request.now)
    )
    .map((stored) => ({ stored, notices: nextMessage(tables, stored.channel.id, request) }))
    .filter(({ notices }) => notices.length > 0)
    .sort((a, b) => oldest(a.notices) - oldest(b.notices))
    .filter(({ stored }) => hasPlace(stored.channel))
    .slice(0, request.limit)
}

export const MemoryNotificationStore: { readonly layer: Layer.Layer<NotificationStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    NotificationStore,
    Effect.map(MemoryMarket, ({ tables }) => {
      let claims = 0

      const claimOne = (stored: StoredChannel, notices: ReadonlyArray<StoredNotice>, until: number): ClaimedMessage => {
        const claim = `${++claims}`
        tables.channels.set(stored.channel.id, { ...stored, claim: { id: claim, until } })
        const id = notices.find(({ message }) => message !== null)?.message ?? notices[0]?.notice.id ?? ""
        for (const { notice } of notices) tables.notices.set(notice.id, { notice, message: id })
        return { id, claim, channel: stored.channel, notices: notices.map(({ notice }): Notice => notice) }
      }

      return {
        create: (channel, confirmation) =>
          Effect.suspend(() => {
            const refused = frozen(tables, channel.accountId)
            if (refused !== undefined) return Effect.fail(refused)
            if (channelsOf(tables, channel.accountId).length >= channelLimit) {
              return Effect.fail(new Conflict({ state: "channel_limit", limit: channelLimit }))
            }
            const unconfirmed = confirmation === null ? undefined : confirm(tables, confirmation)
            if (unconfirmed !== undefined) return Effect.fail(unconfirmed)
            tables.channels.set(channel.id, { channel, start: tables.events.length, claim: null })
            return Effect.void
          }),
        list: (account, page) =>
          Effect.sync(() => {
            const channels = channelsOf(tables, account).map(({ channel }) => channel)
            return Timeline.page(
              Timeline.newestFirst(channels, ({ createdAt }) => createdAt),
              page
            )
          }),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.channels.get(id)?.channel)),
        update: (id, now, rule) =>
          Effect.suspend(() => {
            const stored = tables.channels.get(id)
            if (stored === undefined) return Effect.succeedNone
            const after = rule(stored.channel)
            if (Result.isFailure(after)) return Effect.fail(after.failure)
            write(tables, stored, after.success, now)
            return Effect.succeedSome(after.success)
          }),
        confirm: (confirmation) =>
          Effect.suspend(() => {
            const refused = confirm(tables, confirmation)
            return refused === undefined ? Effect.void : Effect.fail(refused)
          }),
        remove: (id) => Effect.sync(() => dropChannel(tables, id)),
        preferences: (account) =>
          Effect.sync(() => Option.fromUndefinedOr(tables.notificationPreferences.get(account))),
        setPreferences: (account, preferences) =>
          Effect.suspend(() => {
            const refused = frozen(tables, account)
            if (refused !== undefined) return Effect.fail(refused)
            tables.notificationPreferences.set(account, preferences)
            return Effect.void
          }),
        dispatch: (limit, fanOut) => Effect.sync(() => fanOutNext(tables, limit, fanOut)),
        claim: (request) =>
          Effect.map(Clock.currentTimeMillis, (realNow) => {
            const until = realNow + request.leaseSeconds * Timestamp.second
            return claimable(tables, request, realNow).map(({ notices, stored }) => claimOne(stored, notices, until))
          }),
        settle: ({ channel: { id }, claim }, now, rule) =>
          Effect.sync(() => {
            const stored = tables.channels.get(id)
            if (stored?.claim?.id !== claim) return false
            const { channel, finished } = rule(stored.channel)
            if (channel === null) return dropChannel(tables, id)
            if (finished) {
              for (const { message, notice } of noticesOfChannel(tables, id)) {
                if (message !== null) tables.notices.delete(notice.id)
              }
            }
            write(tables, { ...stored, claim: null }, channel, now)
            return true
          })
      }
    })
  )
}
