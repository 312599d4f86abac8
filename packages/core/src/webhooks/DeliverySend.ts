import { Cache, Clock, Context, Effect, Exit, Layer, Metric } from "effect"
import { Mac } from "effect/crypto"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { Traceparent } from "../events/Traceparent.ts"
import type { ClaimedDelivery, DeliveryAttempt } from "./Delivery.ts"
import { SecretBox } from "./SecretBox.ts"
import { sendTimeout } from "./SendLimits.ts"
import type { SealedSecret } from "./Webhook.ts"
import { signingKeys, signWith } from "./WebhookSignature.ts"
import type { MadeAttempt } from "./WebhookStore.ts"
import type { SendOutcome } from "./WebhookTransport.ts"
import { WebhookTransport } from "./WebhookTransport.ts"

/** The maximum number of decrypted secrets in the cache; the least recently used one is evicted. */
const keptSecrets = 1000

interface SealedOf {
  readonly sealed: SealedSecret
  readonly owner: string
}

const attempts = Metric.counter("webhook_attempts", { description: "Webhook requests by outcome.", incremental: true })

const unreadable: SendOutcome = {
  _tag: "Failed",
  error: "the subscription's secret cannot be decrypted with the service's present keys: rotate the secret",
  durationMs: 0
}

/** Why a response does not count as delivered (any 2xx does: DELIVERY-6). */
const problem = (statusCode: number): string | null => {
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400 ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`
}

const attemptOf = (at: number, outcome: SendOutcome): DeliveryAttempt =>
  outcome._tag === "Answered"
    ? {
        at,
        statusCode: outcome.statusCode,
        durationMs: outcome.durationMs,
        error: problem(outcome.statusCode),
        responseBody: outcome.body
      }
    : { at, statusCode: null, durationMs: outcome.durationMs, error: outcome.error, responseBody: null }

const outcomeName = (outcome: SendOutcome): string =>
  outcome._tag === "Answered" ? `${Math.floor(outcome.statusCode / 100)}xx` : "no_answer"

/** Makes one attempt: decrypts the secret, signs and sends. Writes nothing. Its span is in the trace of the event (SYSTEM-23). */
export class DeliverySend extends Context.Service<
  DeliverySend,
  {
    /** Fails only if the market's time is not known; then nothing was sent. Every other error is recorded in the attempt. */
    readonly attempt: (claimed: ClaimedDelivery) => StoreEffect<MadeAttempt>
  }
>()("@agent-marketplace/core/webhooks/DeliverySend") {
  static readonly layer = Layer.effect(
    DeliverySend,
    Effect.gen(function* () {
      const box = yield* SecretBox
      const clock = yield* MarketClock
      const mac = yield* Mac.Mac
      const transport = yield* WebhookTransport
      const opened = yield* Cache.makeWith(
        ({ owner, sealed }: SealedOf) => Effect.flatMap(box.open(sealed, owner), signingKeys),
        {
          capacity: keptSecrets,
          // Not cached: a secret that cannot be decrypted now may become readable with other keys.
          timeToLive: (exit) => (Exit.isSuccess(exit) ? "Infinity" : 0)
        }
      )

      const open = (sealed: SealedSecret, owner: string) => Cache.get(opened, { sealed, owner })

      const send = Effect.fnUntraced(function* ({ delivery, webhook }: ClaimedDelivery, now: number) {
        const { previous } = webhook
        // If the old secret can no longer be decrypted, the delivery is signed with the new one only.
        const old =
          previous !== null && previous.until > now
            ? yield* Effect.orElseSucceed(open(previous.secret, webhook.id), () => null)
            : null
        const signed = yield* signWith({
          id: delivery.id,
          payload: delivery.payload,
          // Receivers compare it with their own clock, so it must be real time and not the market's.
          at: yield* Clock.currentTimeMillis,
          secret: yield* open(webhook.secret, webhook.id),
          previous: old
        })
        return yield* transport.send({ url: webhook.url, timeoutMs: sendTimeout, ...signed })
      })

      const attempt = Effect.fn("DeliverySend.attempt")(function* (
        claimed: ClaimedDelivery
      ): Effect.fn.Return<MadeAttempt, StoreUnavailable, Mac.Mac> {
        yield* Effect.annotateCurrentSpan({
          "webhook.delivery": claimed.delivery.id,
          "webhook.event": claimed.delivery.event
        })
        const at = yield* clock.now
        const outcome = yield* Effect.catchTag(send(claimed, at), "SecretUnreadable", () => Effect.succeed(unreadable))
        yield* Metric.update(Metric.withAttributes(attempts, { outcome: outcomeName(outcome) }), 1)
        return {
          deliveryId: claimed.delivery.id,
          claim: claimed.claim,
          attempt: attemptOf(at, outcome),
          retryAfter: outcome._tag === "Answered" ? outcome.retryAfter : null
        }
      })

      return {
        attempt: (claimed) => {
          const made = Effect.provideService(attempt(claimed), Mac.Mac, mac)
          const cause = Traceparent.spanOf(claimed.delivery.traceparent)
          return cause === undefined ? made : Effect.withParentSpan(made, cause)
        }
      }
    })
  )
}
