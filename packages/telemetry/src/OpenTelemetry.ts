import { Effect, Layer, Redacted, References, Schedule, Tracer } from "effect"
import { UrlParams } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { randomUUID } from "node:crypto"
import { CollectorClient } from "./CollectorClient.ts"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import { withoutPrivateParts } from "./withoutPrivateParts.ts"

/** Where a process exports to, and its name there. */
export interface CollectorOptions {
  /** The URL of an OpenTelemetry collector without a final slash; undefined: nothing is exported. */
  readonly endpoint: string | undefined
  /** Headers of every export, such as a credential. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  readonly serviceVersion: string
}

export interface OpenTelemetry {
  /** Traces and logs. Build the market over this layer, and this layer over the loggers. */
  readonly signals: Layer.Layer<never>
  /** The metrics of the market. Build this layer over the market. */
  readonly metrics: Layer.Layer<never, never, ProcessMetrics>
}

/** How long the end of a process waits for each signal's last export. */
const shutdownTimeout = "2 seconds" as const

const metricsInterval = "10 seconds"

/** Values in the query of a URL may be one-time codes, so spans contain the names only. */
const withoutValues = Layer.succeed(UrlParams.CurrentRedactedNames, [/^/])

const spans = Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, withoutPrivateParts))

/** Memory and the delay of the event loop are sampled for each export, as they are for each scrape. */
const sampling = Layer.effectDiscard(
  Effect.flatMap(ProcessMetrics, ({ sample }) =>
    Effect.forkScoped(Effect.repeat(sample, Schedule.spaced(metricsInterval)), { startImmediately: true })
  )
)

/**
 * Exports traces, metrics and logs of a process to an OpenTelemetry collector over OTLP, as JSON below `/v1`, and the rest when the process
 * ends (SYSTEM-21). Without an endpoint nothing is recorded. A collector that is slow or unavailable delays no request (SYSTEM-22).
 */
export const openTelemetry = ({ endpoint, headers, serviceName, serviceVersion }: CollectorOptions): OpenTelemetry => {
  if (endpoint === undefined) return { signals: Layer.empty, metrics: Layer.empty }
  const to = (path: string) => ({
    url: `${endpoint}/v1/${path}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])),
    resource: { serviceName, serviceVersion, attributes: { "service.instance.id": instance } },
    shutdownTimeout
  })
  const exporting = Layer.provide([
    OtlpSerialization.layerJson,
    CollectorClient.layer,
    Layer.succeed(References.TracerEnabled, false)
  ])
  return {
    signals: Layer.mergeAll(
      spans.pipe(Layer.provideMerge(OtlpTracer.layer(to("traces")))),
      OtlpLogger.layer(to("logs")),
      withoutValues
    ).pipe(exporting),
    metrics: Layer.merge(sampling, OtlpMetrics.layer({ ...to("metrics"), exportInterval: metricsInterval })).pipe(
      exporting
    )
  }
}

/** Different for each start of a process. */
const instance = randomUUID()
