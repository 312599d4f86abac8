import { Effect } from "effect"

/** Over once one of the signals is aborted. */
export const untilAborted = (...signals: ReadonlyArray<AbortSignal | undefined>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const stop = () => resume(Effect.void)
    if (signals.some((signal) => signal?.aborted === true)) return stop()
    for (const signal of signals) signal?.addEventListener("abort", stop)
    return Effect.sync(() => {
      for (const signal of signals) signal?.removeEventListener("abort", stop)
    })
  })
