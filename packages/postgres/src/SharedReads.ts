import { Deferred, Effect, Exit } from "effect"

interface Line<A, E> {
  /** What those wait for who came after the present one had begun. */
  next: Deferred.Deferred<A, E> | undefined
}

/**
 * Reads that many ask for at once. Who comes while the same read is under way shares the next one with all others who wait, so a read
 * that is asked for without end runs once at a time, and nobody gets what was read before he asked.
 */
export const makeSharedReads = <A, E>(): ((key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const lines = new Map<string, Line<A, E>>()
  const run = (key: string, line: Line<A, E>, read: Effect.Effect<A, E>, answered: Deferred.Deferred<A, E>) =>
    Effect.onExit(read, (exit) =>
      Effect.sync(() => {
        Deferred.doneUnsafe(answered, exit)
        const next = line.next
        line.next = undefined
        if (next !== undefined && Exit.isSuccess(exit)) {
          Effect.runFork(run(key, line, read, next))
          return
        }
        lines.delete(key)
        // Who has come meanwhile has waited as long as anybody should.
        if (next !== undefined) Deferred.doneUnsafe(next, exit)
      })
    )
  return (key, read) =>
    Effect.suspend(() => {
      const line = lines.get(key)
      const answered = line?.next ?? Deferred.makeUnsafe<A, E>()
      if (line !== undefined) line.next = answered
      else {
        const begun: Line<A, E> = { next: undefined }
        lines.set(key, begun)
        Effect.runFork(run(key, begun, read, answered))
      }
      return Deferred.await(answered)
    })
}
