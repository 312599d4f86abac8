import { Clock, Deferred, Effect, Fiber, Queue, Result, Schedule, Scope, Stream } from "effect"
import { unsafeBatcher } from "../batching/Batcher.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { ClaimedDelivery } from "./Delivery.ts"
import { attemptRule } from "./DeliveryRules.ts"
import type { DeliverySend } from "./DeliverySend.ts"
import { makeSendLanes } from "./SendLanes.ts"
import type { SendLimits } from "./SendLimits.ts"
import { longestInLine } from "./SendLimits.ts"
import type { MadeAttempt, WebhookStore } from "./WebhookStore.ts"

/** Attempts that one transaction records. */
const recordedAtOnce = 256

/** What falls due by itself is found within this time. */
const pause = "250 millis"

/** At its end a worker waits so long for what is on its way, then gives back what it holds. */
const farewell = "5 seconds"

/** After a longer outage of the store the claims have expired. */
const untilStoreIsBack = { schedule: Schedule.spaced("500 millis"), times: 60 }

export interface SendWorkerParts {
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
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
 * Claims, sends and records until it is interrupted. The three overlap: while some are on their way the next are claimed, and what ended
 * meanwhile is recorded together.
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
  /** When each was claimed, in real time, until it is recorded or given back. */
  const held = new Map<ClaimedDelivery, number>()
  let underWay = 0
  let ending = false

  const record = Effect.fnUntraced(function* (batch: ReadonlyArray<Made>) {
    const attempts = batch.map(({ made }) => made)
    yield* warned(
      "attempts could not be recorded and will be made again",
      Effect.retry(store.record(attempts, attemptRule), untilStoreIsBack)
    )
    for (const { claimed } of batch) held.delete(claimed)
    underWay -= batch.length
    if (ending && underWay === 0) Deferred.doneUnsafe(settled, Effect.void)
    Queue.offerUnsafe(wake, undefined)
    return batch.map(() => Result.void)
  })
  // In the worker's scope, so that a store that stays unavailable does not keep the worker from ending.
  const fork = (effect: Effect.Effect<void>) => Fiber.runIn(Effect.runForkWith(context)(effect), scope)
  const recording = unsafeBatcher({ size: recordedAtOnce, inFlight: 1, run: record }, fork)

  const giveBack = (claims: ReadonlyArray<ClaimedDelivery>): Effect.Effect<void> => {
    for (const each of claims) held.delete(each)
    if (claims.length === 0) return Effect.void
    const given = claims.map(({ claim: of, delivery }) => ({ deliveryId: delivery.id, claim: of }))
    return warned("claims could not be given back", store.release(given))
  }

  const send = Effect.fnUntraced(function* (claimed: ClaimedDelivery): Effect.fn.Return<void> {
    const made = yield* sending.attempt(claimed)
    lanes.done(claimed)
    recording.offer({ claimed, made })
    // The rest of the line need not find out one by one: it is claimed again as the circuit breaker lets it.
    if (made.attempt.error !== null) yield* giveBack(lanes.empty(claimed))
    yield* start
  })

  const start: Effect.Effect<void> = Effect.gen(function* () {
    if (ending) return
    const now = yield* Clock.currentTimeMillis
    const late: Array<ClaimedDelivery> = []
    for (const claimed of lanes.next()) {
      if (now - (held.get(claimed) ?? now) > longestInLine) {
        lanes.done(claimed)
        late.push(claimed)
      } else {
        underWay++
        yield* Effect.forkIn(send(claimed), scope)
      }
    }
    yield* giveBack(late)
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
    return underWay === 0 ? Effect.void : Effect.asVoid(Effect.timeoutOption(Deferred.await(settled), farewell))
  })

  // Registered first, so that it runs last: after whatever is still on its way was given up.
  yield* Effect.addFinalizer(() => Effect.suspend(() => giveBack([...held.keys()])))
  yield* Effect.forkScoped(
    Stream.runForEach(store.due, () => Queue.offer(wake, undefined)),
    { startImmediately: true }
  )
  return yield* Effect.andThen(
    warned("deliveries could not be claimed", claimMore),
    Effect.timeoutOption(Queue.take(wake), pause)
  ).pipe(Effect.forever, Effect.ensuring(end))
})
