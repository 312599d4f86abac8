import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { noticesOf } from "@agent-marketplace/core/notifications/Notice"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import type { MessageClaimRequest } from "@agent-marketplace/core/notifications/NotificationStore"
import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { Effect, Result } from "effect"
import { freshId, freshText } from "../fixtures/freshId.ts"

/** A channel that is open, unless the fields say otherwise. */
export const channelOf = Effect.fnUntraced(function* (
  account: { readonly id: AccountId },
  fields: Partial<NotificationChannel> = {}
) {
  const now = yield* (yield* MarketClock).now
  const channel: NotificationChannel = {
    id: freshId("nch"),
    accountId: account.id,
    kind: "email",
    label: `${freshText()}@example.org`,
    target: `v1.${freshText()}`,
    enabled: true,
    digest: "none",
    verifiedAt: now,
    codeHash: null,
    codeExpiresAt: null,
    codeTries: 0,
    problem: null,
    tries: 0,
    retryAt: null,
    pacedUntil: now,
    lastSentAt: null,
    createdAt: now,
    ...fields
  }
  return channel
})

/** The same, stored. */
export const listening = Effect.fnUntraced(function* (
  account: { readonly id: AccountId },
  fields: Partial<NotificationChannel> = {}
) {
  const channel = yield* channelOf(account, fields)
  yield* (yield* NotificationStore).create(channel, null)
  return channel
})

/** Creates the notices of all events of the log. */
export const dispatched = Effect.gen(function* () {
  const store = yield* NotificationStore
  const now = yield* (yield* MarketClock).now
  while ((yield* store.dispatch(50, (event, listeners) => noticesOf(event, listeners, now))) === 50);
})

/** Creates notices, claims what is due, and returns the messages of these channels. */
export const claimed = Effect.fnUntraced(function* (
  channels: ReadonlyArray<Pick<NotificationChannel, "id">>,
  request: Partial<MessageClaimRequest> = {}
) {
  yield* dispatched
  const store = yield* NotificationStore
  const now = yield* (yield* MarketClock).now
  // The time in a process may be a few milliseconds behind the market's.
  const defaults = { now: now + 1000, limit: 1000, perAccount: 1000, perMessage: 20, leaseSeconds: 60 }
  const messages = yield* store.claim({ ...defaults, ...request })
  return messages.filter(({ channel }) => channels.some(({ id }) => id === channel.id))
})

export const changed = Effect.fnUntraced(function* (
  { id }: Pick<NotificationChannel, "id">,
  fields: Partial<NotificationChannel>
) {
  const now = yield* (yield* MarketClock).now
  return yield* (yield* NotificationStore).update(id, now, (channel) => Result.succeed({ ...channel, ...fields }))
})
