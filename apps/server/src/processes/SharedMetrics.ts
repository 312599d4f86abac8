import { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { isSupervised, tell } from "./Messages.ts"
import type { ProcessSample, ToProcess } from "./Messages.ts"
import { mergeMetrics } from "./mergeMetrics.ts"

/** How long a process waits for the metrics of the others. The supervisor answers earlier, also if one of them does not. */
const patience = "3 seconds"

/**
 * In one of several server processes, the metrics of all of them, whichever process serves the request (SYSTEM-20). In a single process, its own.
 */
export const SharedMetrics: Layer.Layer<ProcessMetrics, never, ProcessMetrics> = Layer.effect(
  ProcessMetrics,
  Effect.gen(function* () {
    const own = yield* ProcessMetrics
    if (!isSupervised) return own
    const waiting = new Map<string, (samples: ReadonlyArray<ProcessSample>) => void>()
    const receive = (message: ToProcess): void => {
      if (message.type === "sample") tell({ type: "sampled", id: message.id, text: Effect.runSync(own.text) })
      else waiting.get(message.id)?.(message.samples)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("message", receive)),
      () => Effect.sync(() => process.off("message", receive))
    )
    const gathered = Effect.callback<ReadonlyArray<ProcessSample>>((resume) => {
      const id = randomUUID()
      waiting.set(id, (samples) => resume(Effect.succeed(samples)))
      tell({ type: "gather", id })
      return Effect.sync(() => waiting.delete(id))
    })
    return ProcessMetrics.of({
      sample: own.sample,
      text: Effect.timeoutOrElse(Effect.map(gathered, mergeMetrics), { duration: patience, orElse: () => own.text })
    })
  })
)
