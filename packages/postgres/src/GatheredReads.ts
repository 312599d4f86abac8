import { Deferred, Effect, Exit, Queue } from "effect"
import type { Scope } from "effect"

/** The most keys that one statement looks up. */
const batchSize = 32

/** How many statements are on their way at once: while one is answered, the next gathers. */
const inFlight = 2

interface Waiting<Row, E> {
  readonly key: string
  readonly answered: Deferred.Deferred<Row | undefined, E>
}

/**
 * Looks up rows by key, for all who ask while the last statements are under way in one statement. A lone reader is not delayed: there is no
 * timer. Nobody gets a row that was read before he asked.
 */
export const gatheredReads = Effect.fnUntraced(function* <Row extends { readonly key: string }, E>(
  read: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, E>
): Effect.fn.Return<(key: string) => Effect.Effect<Row | undefined, E>, never, Scope.Scope> {
  const queue = yield* Queue.unbounded<Waiting<Row, E>>()

  const answer = Effect.fnUntraced(function* (batch: ReadonlyArray<Waiting<Row, E>>) {
    const found = yield* Effect.exit(read([...new Set(batch.map(({ key }) => key))]))
    if (Exit.isFailure(found)) {
      // Who has come meanwhile has waited as long as anybody should.
      const failed = Exit.failCause(found.cause)
      for (const { answered } of [...batch, ...(yield* Queue.clear(queue))]) Deferred.doneUnsafe(answered, failed)
      return
    }
    const rows = new Map(found.value.map((row) => [row.key, row]))
    for (const { answered, key } of batch) Deferred.doneUnsafe(answered, Exit.succeed(rows.get(key)))
  })

  const worker = Effect.forever(
    Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(Queue.takeBetween(queue, 1, batchSize)), answer))
  )
  yield* Effect.forEach(Array.from({ length: inFlight }), () => Effect.forkScoped(worker), { discard: true })

  return (key) =>
    Effect.suspend(() => {
      const answered = Deferred.makeUnsafe<Row | undefined, E>()
      Queue.offerUnsafe(queue, { key, answered })
      return Deferred.await(answered)
    })
})
