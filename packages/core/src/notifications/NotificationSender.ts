import { Context, Effect, FiberSet, Layer, Option, Redacted } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { SecretBox } from "../webhooks/SecretBox.ts"
import { makeChannelSecrets, unsubscribeUrl } from "./ChannelSecrets.ts"
import { messageOf, noticesPerMessage } from "./Message.ts"
import { noticesOf } from "./Notice.ts"
import type { ChannelTarget } from "./NotificationChannel.ts"
import { unreadable } from "./Notifications.ts"
import type { ClaimedMessage } from "./NotificationStore.ts"
import { NotificationStore } from "./NotificationStore.ts"
import type { SendResult } from "./Notifier.ts"
import { Notifier } from "./Notifier.ts"
import { afterSend } from "./SendRule.ts"

/** The number of events processed in one transaction. */
const eventBatchSize = 256

/** Messages that one process sends concurrently. */
const concurrency = 32

/** Messages of one account that are sent concurrently, so that the slow receivers of one account delay few others (NOTIFY-12). */
const perAccount = 4

/** The duration of a claim. After that, another worker sends what a killed worker had claimed. A send takes at most 20 s. */
const claimSeconds = 60

/** Due notifications are found within this time. */
const pause = "250 millis"

/** On shutdown, messages in flight have this long to finish. */
const shutdownGrace = "5 seconds"

/**
 * Creates notices from the event log and sends them (NOTIFY-5, NOTIFY-6). Any number of workers share the work; the claims of a killed worker
 * expire and are claimed again. A message is sent a second time, with the same id, only if a worker ended after the receiver
 * responded and before the response was recorded.
 */
export class NotificationSender extends Context.Service<
  NotificationSender,
  {
    /** Creates the notices of the next events. True if more events wait. */
    readonly dispatch: StoreEffect<boolean>
    /** Sends due messages and records the results. Returns their number. */
    readonly sendDue: StoreEffect<number>
    /** Sends until it is interrupted. */
    readonly run: Effect.Effect<void>
  }
>()("@agent-marketplace/core/notifications/NotificationSender") {
  static readonly layer = Layer.effect(
    NotificationSender,
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const notifier = yield* Notifier
      const clock = yield* MarketClock
      const box = yield* SecretBox
      const secrets = yield* makeChannelSecrets
      const { baseUrl, consoleUrl } = yield* MarketConfig

      const claim = Effect.fnUntraced(function* (limit: number) {
        return yield* store.claim({
          now: yield* clock.now,
          limit,
          perAccount,
          perMessage: noticesPerMessage,
          leaseSeconds: claimSeconds
        })
      })

      const result = Effect.fnUntraced(function* ({
        channel,
        id,
        notices
      }: ClaimedMessage): Effect.fn.Return<SendResult> {
        const target = yield* Effect.option(box.open(channel.target, channel.id))
        if (Option.isNone(target)) return { _tag: "Refused", problem: unreadable }
        const stop = unsubscribeUrl(baseUrl, yield* secrets.unsubscribeToken(channel.id))
        const message = messageOf(id, notices, { baseUrl, consoleUrl, unsubscribeUrl: stop })
        return yield* notifier.send(JSON.parse(Redacted.value(target.value)) as ChannelTarget, message)
      })

      const send = Effect.fnUntraced(function* (message: ClaimedMessage) {
        const sent = yield* result(message)
        const now = yield* clock.now
        yield* store.settle(message, now, (channel) => afterSend(channel, sent, now))
      })

      const warned = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<void> =>
        Effect.catchCause(Effect.asVoid(effect), (cause) => Effect.logWarning(`notifications: ${what}`, cause))

      const run = Effect.gen(function* () {
        const sends = yield* FiberSet.make()
        yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(sends), shutdownGrace))
        const next = Effect.gen(function* () {
          const room = concurrency - (yield* FiberSet.size(sends))
          if (room <= 0) return
          for (const message of yield* claim(room)) {
            const recorded = warned("a result could not be recorded; the message will be repeated", send(message))
            yield* FiberSet.run(sends, recorded)
          }
        })
        return yield* Effect.forever(Effect.andThen(warned("messages could not be claimed", next), Effect.sleep(pause)))
      })

      return {
        dispatch: Effect.gen(function* () {
          const now = yield* clock.now
          const taken = yield* store.dispatch(eventBatchSize, (event, listeners) => noticesOf(event, listeners, now))
          return taken === eventBatchSize
        }).pipe(Effect.withSpan("NotificationSender.dispatch")),
        sendDue: Effect.gen(function* () {
          const messages = yield* claim(concurrency)
          yield* Effect.forEach(messages, send, { concurrency, discard: true })
          return messages.length
        }).pipe(Effect.withSpan("NotificationSender.sendDue")),
        run: Effect.scoped(run)
      }
    })
  )
}
