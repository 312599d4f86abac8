import type { Context, Fiber, Result } from "effect"
import { Deferred, Effect, Exit } from "effect"
import type { Scope } from "effect"

export interface BatcherOptions<Item, A, E> {
  /** The maximum number of items in one run. */
  readonly size: number
  /** The maximum number of concurrent runs. New items collect while runs are in flight. */
  readonly inFlight: number
  /** While another run is in progress, a new one starts only if at least this many items wait. The default is 1. Higher values give fewer, larger runs. */
  readonly besideOthers?: number
  /** The result of each item, in order. If the run fails, every item fails with that error. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>, E>
  /** If a run fails, the waiting items fail with it, because they have waited long enough. */
  readonly failWaiting?: boolean
  /** Called when no run is in flight and no item waits. */
  readonly onIdle?: () => void
}

export interface Batcher<Item, A, E> {
  /** Queues the item for the next run and returns its result. The item runs even if the caller is interrupted. */
  readonly submit: (item: Item) => Effect.Effect<A, E>
  /** Like `submit`, for a caller that does not need the result. */
  readonly offer: (item: Item) => void
  /** Completes when no run is in flight and no item waits. */
  readonly idle: Effect.Effect<void>
}

interface Waiting<Item, A, E> {
  readonly item: Item
  readonly done: Deferred.Deferred<A, E>
}

/** {@link makeBatcher} without a scope, for short-lived batchers. */
export const unsafeBatcher = <Item, A, E>(
  { besideOthers = 1, failWaiting = false, inFlight, onIdle, run, size }: BatcherOptions<Item, A, E>,
  fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
): Batcher<Item, A, E> => {
  const waiting: Array<Waiting<Item, A, E>> = []
  let runningBatches = 0
  let idle: Deferred.Deferred<void> | undefined

  const finish = (
    batch: ReadonlyArray<Waiting<Item, A, E>>,
    exit: Exit.Exit<ReadonlyArray<Result.Result<A, E>>, E>
  ) => {
    if (Exit.isFailure(exit)) {
      const failed = Exit.failCause(exit.cause)
      for (const { done } of failWaiting ? [...batch, ...waiting.splice(0)] : batch) Deferred.doneUnsafe(done, failed)
      return
    }
    batch.forEach(({ done }, i) => {
      const result = exit.value[i]
      Deferred.doneUnsafe(
        done,
        result === undefined ? Exit.die("a batch left an item without a result") : Effect.fromResult(result)
      )
    })
  }

  /** Whether the items that wait are enough for a run beside this number of others. */
  const isDue = (others: number) => waiting.length >= (others === 0 ? 1 : besideOthers)

  const runs: Effect.Effect<void> = Effect.gen(function* () {
    // Items that are submitted in the same tick join this run.
    yield* Effect.yieldNow
    while (isDue(runningBatches - 1)) {
      const batch = waiting.splice(0, size)
      finish(batch, yield* Effect.exit(run(batch.map(({ item }) => item))))
    }
    runningBatches--
    if (runningBatches > 0) return
    onIdle?.()
    if (idle !== undefined) Deferred.doneUnsafe(idle, Effect.void)
    idle = undefined
  })

  const enter = (item: Item): Deferred.Deferred<A, E> => {
    const done = Deferred.makeUnsafe<A, E>()
    waiting.push({ item, done })
    if (runningBatches < inFlight && isDue(runningBatches)) {
      runningBatches++
      fork(runs)
    }
    return done
  }

  return {
    submit: (item) => Effect.suspend(() => Deferred.await(enter(item))),
    offer: (item) => void enter(item),
    idle: Effect.suspend(() => {
      if (runningBatches === 0) return Effect.void
      idle ??= Deferred.makeUnsafe<void>()
      return Deferred.await(idle)
    })
  }
}

/**
 * Runs items in batches: items that arrive while runs are in flight collect for the next one. There is no timer, so a single item is not
 * delayed. The scope closes after every submitted item has its result.
 */
export const makeBatcher = Effect.fnUntraced(function* <Item, A, E>(
  options: BatcherOptions<Item, A, E>
): Effect.fn.Return<Batcher<Item, A, E>, never, Scope.Scope> {
  const context: Context.Context<never> = yield* Effect.context<never>()
  const batcher = unsafeBatcher(options, Effect.runForkWith(context))
  yield* Effect.addFinalizer(() => batcher.idle)
  return batcher
})
