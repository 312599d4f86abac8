import { performance } from "node:perf_hooks"
import { ServiceOverloaded } from "@agent-marketplace/api/errors/HttpFault"
import { priorities } from "@agent-marketplace/api/access/LoadPriority"
import type { Priority } from "@agent-marketplace/api/access/LoadPriority"
import { Context, Effect, Layer, Metric } from "effect"
import { HttpOptions } from "../options/HttpOptions.ts"
import { LoadBounds } from "./LoadBounds.ts"
import { makeAdmission } from "./makeAdmission.ts"
import type { Admission, Place } from "./makeAdmission.ts"

/** The interval at which waiting requests are checked, in milliseconds (LOAD-4). */
const checkMillis = 20

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const limit = gauge("market_admission_limit", "Requests that may be in progress at once.")
const inProgress = gauge("market_admission_in_progress", "Requests in progress that count against the limit.")
const waiting = gauge("market_admission_waiting", "Requests that wait for others to end.")

/** Counts refused requests of this priority (LOAD-8). */
const shedOf = (priority: Priority) =>
  Metric.counter("market_shed_requests_total", {
    description: "Requests that were refused because the process was overloaded.",
    incremental: true,
    attributes: { priority }
  })

/** The share of the time since the last call in which the event loop was busy. */
const makeUtilization = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, last)
    last = current
    return utilization
  }
}

/** Made once, because the stack trace of an error costs more than the rest of a refusal. */
export const overloaded = new ServiceOverloaded()

const refusal = Effect.fail(overloaded)

const make = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const bounds = yield* LoadBounds
  const { shedsLoad = true } = yield* HttpOptions
  const shed = { control: shedOf("control"), money: shedOf("money"), read: shedOf("read") }
  for (const priority of priorities) shed[priority].updateUnsafe(0, context)
  const admission: Admission = makeAdmission({
    bounds,
    now: () => performance.now(),
    utilization: makeUtilization(),
    refused: (priority) => shed[priority].updateUnsafe(1, context)
  })
  let timer: NodeJS.Timeout | undefined

  const report = (): void => {
    const state = admission.state()
    limit.updateUnsafe(state.limit, context)
    inProgress.updateUnsafe(state.inProgress, context)
    waiting.updateUnsafe(state.waiting, context)
  }
  report()
  const reporting = setInterval(report, bounds.windowMillis).unref()

  /** While requests wait, a timer refuses those who have waited for too long. */
  const check = (): void => {
    admission.expire()
    if (admission.state().waiting > 0) return
    clearInterval(timer)
    timer = undefined
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      clearInterval(timer)
      clearInterval(reporting)
      admission.close()
    })
  )

  /** Ends once the request may start. */
  const turn = (place: Place): Effect.Effect<void, ServiceOverloaded> =>
    Effect.callback((resume) => {
      const decided = (admitted: boolean) => resume(admitted ? Effect.void : refusal)
      if (place.state !== "waiting") return decided(place.state === "admitted")
      place.decided = decided
      timer ??= setInterval(check, checkMillis)
    })

  return LoadShedding.of({
    arrive: admission.arrive,
    depart: admission.depart,
    shouldRefuseRead: () => shedsLoad && admission.shouldRefuseRead(),
    refuseRead: Effect.acquireUseRelease(
      Effect.sync(admission.startRefusal),
      (millis) => Effect.sleep(millis),
      () => Effect.sync(admission.endRefusal)
    ),
    admit: (request, priority, subject, work) =>
      shedsLoad
        ? Effect.acquireUseRelease(
            Effect.sync(() => {
              if (!request.counted) admission.arrive()
              request.counted = true
              return admission.enter(priority, subject)
            }),
            // One that has waited yields first: otherwise its end could start the next one within, and so on for the whole line.
            (place) =>
              place.state === "admitted"
                ? work
                : turn(place).pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(work)),
            (place) => Effect.sync(() => admission.leave(place))
          )
        : work
  })
})

/** Keeps the requests that a process accepts fast, and refuses others, the least important first (LOAD-1). */
export class LoadShedding extends Context.Service<
  LoadShedding,
  {
    /** A request arrives whose caller may not be known yet. */
    readonly arrive: () => void
    /** The response to a request that has arrived starts, or its client has left. A refusal is no answer. */
    readonly depart: (isAnswered: boolean) => void
    /** Whether to refuse a read that has just arrived, before its caller is known. */
    readonly shouldRefuseRead: () => boolean
    /** Counts such a refusal, and ends when the response may be sent. */
    readonly refuseRead: Effect.Effect<void>
    /** Runs the work of a request once there is room for it. `subject` is its caller, whose requests are counted together. */
    readonly admit: <A, E, R>(
      request: { counted: boolean },
      priority: Priority,
      subject: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ServiceOverloaded, R>
  }
>()("@agent-marketplace/http/overload/LoadShedding") {
  static readonly layer = Layer.effect(LoadShedding, make)
}
