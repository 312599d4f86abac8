import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { burst } from "@agent-marketplace/core/notifications/NotificationChannel"
import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { afterSend } from "@agent-marketplace/core/notifications/SendRule"
import type { SendResult } from "@agent-marketplace/core/notifications/Notifier"
import type { ClaimedMessage } from "@agent-marketplace/core/notifications/NotificationStore"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { happen } from "../webhooks/webhookFixtures.ts"
import { claimed, listening } from "./channelFixtures.ts"

const failed: SendResult = { _tag: "Failed", problem: "no answer", retryAfterMillis: null }

const settled = Effect.fnUntraced(function* (message: ClaimedMessage, result: SendResult) {
  const now = yield* (yield* MarketClock).now
  return yield* (yield* NotificationStore).settle(message, now, (channel) => afterSend(channel, result, now))
})

const only = (messages: ReadonlyArray<ClaimedMessage>): ClaimedMessage => {
  assert.lengthOf(messages, 1)
  return messages[0] ?? assert.fail("no message")
}

export const messageCases = (it: StoreIt): void => {
  it.effect("two workers never claim the same channel, and a sent message is not claimed again (NOTIFY-5)", () =>
    Effect.gen(function* () {
      const channels = yield* Effect.replicateEffect(Effect.flatMap(openAccount(), listening), 8)
      for (const { accountId } of channels) yield* happen({ id: accountId })
      const claims = yield* Effect.all(
        Array.from({ length: 6 }, () => claimed(channels)),
        { concurrency: "unbounded" }
      )
      const messages = claims.flat()
      assert.sameMembers(
        messages.map(({ channel }) => channel.id),
        channels.map(({ id }) => id)
      )
      for (const message of messages) assert.isTrue(yield* settled(message, { _tag: "Sent" }))
      assert.lengthOf(yield* claimed(channels), 0)
    })
  )

  it.effect(
    "the message of a killed worker is claimed again with the same id and notices; the old claim has ended (NOTIFY-6)",
    () =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const channel = yield* listening(account)
        yield* happen(account, 2)
        const first = only(yield* claimed([channel], { leaseSeconds: 1 }))
        yield* happen(account)
        assert.lengthOf(yield* claimed([channel]), 0, "the claim is still valid")
        let again: ClaimedMessage | undefined
        yield* eventually(
          "the lease ends",
          Effect.map(claimed([channel]), (messages) => {
            again = messages[0]
            return again !== undefined
          })
        )
        const second = again ?? assert.fail("no message")
        assert.strictEqual(second.id, first.id)
        assert.deepStrictEqual(second.notices, first.notices)
        assert.isFalse(yield* settled(first, { _tag: "Sent" }))
        assert.isTrue(yield* settled(second, { _tag: "Sent" }))
        const third = only(yield* claimed([channel]))
        assert.notStrictEqual(third.id, first.id)
        assert.lengthOf(third.notices, 1)
      })
  )

  it.effect(
    "a failed message waits for its retry and keeps its id; after the last attempt it is dropped (NOTIFY-6)",
    () =>
      Effect.gen(function* () {
        const store = yield* NotificationStore
        const account = yield* openAccount()
        const channel = yield* listening(account)
        yield* happen(account)
        const now = yield* (yield* MarketClock).now
        const ids = new Set<string>()
        let attempts = 0
        for (let time = now + 1000; attempts < 20; time += 2 * Timestamp.hour) {
          const [message] = yield* claimed([channel], { now: time })
          if (message === undefined) break
          attempts++
          ids.add(message.id)
          yield* store.settle(message, time, (before) => afterSend(before, failed, time))
          assert.lengthOf(yield* claimed([channel], { now: time }), 0)
        }
        assert.deepStrictEqual([attempts, ids.size], [9, 1])
        const after = Option.getOrThrow(yield* store.find(channel.id))
        assert.deepInclude(after, { problem: "no answer", tries: 0, retryAt: null })
        yield* happen(account)
        assert.lengthOf(yield* claimed([channel]), 1)
      })
  )

  it.effect("a message has at most the requested number of notices; the rest follow (NOTIFY-12)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const channel = yield* listening(account)
      yield* happen(account, 5)
      const sizes: Array<number> = []
      for (let i = 0; i < 3; i++) {
        const message = only(yield* claimed([channel], { perMessage: 2 }))
        sizes.push(message.notices.length)
        yield* settled(message, { _tag: "Sent" })
      }
      assert.deepStrictEqual(sizes, [2, 2, 1])
    })
  )

  it.effect("at most the requested number of channels of one account are claimed at the same time (NOTIFY-12)", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* openAccount(), yield* openAccount()]
      const channels = yield* Effect.replicateEffect(listening(account), 5)
      const strange = yield* listening(other)
      yield* happen(account)
      const all = [...channels, strange]
      const first = yield* claimed(all, { perAccount: 2 })
      assert.lengthOf(first, 2)
      yield* happen(other)
      const second = yield* claimed(all, { perAccount: 2 })
      assert.deepStrictEqual(
        second.map(({ channel }) => channel.id),
        [strange.id]
      )
      for (const message of first) yield* settled(message, { _tag: "Sent" })
      const third = yield* claimed(all, { perAccount: 3 })
      assert.lengthOf(third, 3)
    })
  )

  it.effect("a channel without room waits (NOTIFY-12)", () =>
    Effect.gen(function* () {
      const now = yield* (yield* MarketClock).now
      const account = yield* openAccount()
      const channel = yield* listening(account, { pacedUntil: now + burst })
      yield* happen(account)
      assert.lengthOf(yield* claimed([channel], { now }), 0)
      assert.lengthOf(yield* claimed([channel], { now: now + Timestamp.minute }), 1)
    })
  )

  it.effect("a push channel whose receiver is gone is removed, another one is turned off (NOTIFY-13)", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const account = yield* openAccount()
      const push = yield* listening(account, { kind: "push" })
      const slack = yield* listening(account, { kind: "slack" })
      yield* happen(account)
      for (const message of yield* claimed([push, slack]))
        yield* settled(message, { _tag: "Gone", problem: "HTTP 410" })
      assert.isTrue(Option.isNone(yield* store.find(push.id)))
      assert.deepInclude(Option.getOrThrow(yield* store.find(slack.id)), { enabled: false, problem: "HTTP 410" })
      yield* happen(account)
      assert.lengthOf(yield* claimed([push, slack]), 0)
    })
  )
}
