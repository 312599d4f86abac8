import { Clock, Deferred, Effect, Fiber, Option, Queue, Result, Schedule, Scope, Stream } from "effect"
import { unsafeBatcher } from "../batching/Batcher.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import { attemptRule } from "./DeliveryRules.ts"
import type { DeliverySend } from "./DeliverySend.ts"
import { makeSendLanes } from "./SendLanes.ts"
import type { SendLimits } from "./SendLimits.ts"
import { maxQueueTime } from "./SendLimits.ts"
import type { MadeAttempt, WebhookStore } from "./WebhookStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The number of attempts recorded in one transaction. */
const recordedAtOnce = 256

/** Deliveries that become due are found within this time. */
const pause = "250 millis"

/** On shutdown a worker waits this long for requests in flight, then gives its claims back. */
const shutdownGrace = "5 seconds"

/** Retries while the store is unavailable. After a longer outage the claims have expired anyway. */
const storeRetry = { schedule: Schedule.spaced("500 millis"), times: 60 }

export interface SendWorkerParts {
  readonly claim: (limit: number) => StoreEffect<ReadonlyArray<ClaimedDelivery>>
  readonly limits: SendLimits
  readonly sending: DeliverySend["Service"]
  readonly store: WebhookStore["Service"]
}

interface Made {
  readonly claimed: ClaimedDelivery
  readonly made: MadeAttempt
}

const warned = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<void> =>
  Effect.catchCause(Effect.asVoid(effect), (cause) => Effect.logWarning(`webhooks: ${what}`, cause))

/**
 * Claims, sends and records until it is interrupted. The three overlap: while some deliveries are sent, the next ones are claimed, and finished
 * ones are recorded in batches.
 */
export const sendWorker = (parts: SendWorkerParts): Effect.Effect<void> => Effect.scoped(work(parts))

const work = Effect.fnUntraced(function* ({
  claim,
  limits,
  sending,
  store
}: SendWorkerParts): Effect.fn.Return<void, never, Scope.Scope> {
  const scope = yield* Scope.Scope
  const context = yield* Effect.context<never>()
  const lanes = makeSendLanes(limits)
  const wake = yield* Queue.sliding<void>(1)
  const settled = Deferred.makeUnsafe<void>()
  /** When each delivery was claimed, in real time, until it is recorded or given back. */
  const held = new Map<ClaimedDelivery, number>()
  let unsettled = 0
  let ending = false

  const settle = (count: number): void => {
    unsettled -= count
    if (ending && unsettled === 0) Deferred.doneUnsafe(settled, Effect.void)
  }

  const record = Effect.fnUntraced(function* (batch: ReadonlyArray<Made>) {
    const attempts = batch.map(({ made }) => made)
    yield* warned(
      "webhook attempts could not be recorded and will be repeated",
      Effect.retry(store.record(attempts, attemptRule), storeRetry)
    )
    for (const { claimed } of batch) held.delete(claimed)
    settle(batch.length)
    Queue.offerUnsafe(wake, undefined)
    return batch.map(() => Result.void)
  })
  // Runs in the worker's scope, so that an unavailable store cannot keep the worker from shutting down.
  const fork = (effect: Effect.Effect<void>) => Fiber.runIn(Effect.runForkWith(context)(effect), scope)
  const recording = unsafeBatcher({ size: recordedAtOnce, inFlight: 1, run: record }, fork)

  const release = (claims: ReadonlyArray<ClaimedDelivery>): Effect.Effect<void> => {
    for (const each of claims) held.delete(each)
    if (claims.length === 0) return Effect.void
    const given = claims.map(({ claim: of, delivery }) => ({ deliveryId: delivery.id, claim: of }))
    return warned("webhook claims could not be released and will expire", store.release(given))
  }

  const send = Effect.fnUntraced(function* (claimed: ClaimedDelivery): Effect.fn.Return<void> {
    const attempted = yield* Effect.option(sending.attempt(claimed))
    lanes.done(claimed)
    if (Option.isNone(attempted)) {
      // Nothing was sent, because the market's time is not known.
      yield* release([claimed])
      settle(1)
      return yield* start
    }
    const made = attempted.value
    recording.offer({ claimed, made })
    // The circuit is probably open: the queued deliveries are given back, and claimed again when the circuit breaker allows it.
    if (made.attempt.error !== null) yield* release(lanes.empty(claimed))
    yield* start
  })

  const start: Effect.Effect<void> = Effect.gen(function* () {
    if (ending) return
    const now = yield* Clock.currentTimeMillis
    const late: Array<ClaimedDelivery> = []
    for (const claimed of lanes.next()) {
      if (now - (held.get(claimed) ?? now) > maxQueueTime) {
        lanes.done(claimed)
        late.push(claimed)
      } else {
        unsettled++
        yield* Effect.forkIn(send(claimed), scope)
      }
    }
    yield* release(late)
  })

  const claimMore = Effect.gen(function* () {
    const room = limits.held - held.size
    if (room <= 0) return
    const claimed = yield* claim(room)
    const now = yield* Clock.currentTimeMillis
    for (const each of claimed) {
      held.set(each, now)
      lanes.add(each)
    }
    yield* start
  })

  const end = Effect.suspend(() => {
    ending = true
    return unsettled === 0 ? Effect.void : Effect.asVoid(Effect.timeoutOption(Deferred.await(settled), shutdownGrace))
  })

  // Registered first, so that it runs last: after requests in flight have been aborted.
  yield* Effect.addFinalizer(() => Effect.suspend(() => release([...held.keys()])))
  yield* Effect.forkScoped(
    Stream.runForEach(store.due, () => Queue.offer(wake, undefined)),
    { startImmediately: true }
  )
  return yield* Effect.andThen(
    warned("webhook deliveries could not be claimed", claimMore),
    Effect.timeoutOption(Queue.take(wake), pause)
  ).pipe(Effect.forever, Effect.ensuring(end))
})
