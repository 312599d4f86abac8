import { Layer, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/**
 * Exports the spans of a process to an OpenTelemetry collector, a few times a minute and at its end (CONFIG-18). Without an endpoint
 * nothing is recorded. A collector that does not respond causes no delay.
 */
export const traces = (endpoint: string | undefined, serviceName: string): Layer.Layer<never> =>
  endpoint === undefined
    ? Layer.empty
    : OtlpTracer.layer({ url: `${endpoint}/v1/traces`, resource: { serviceName } }).pipe(
        Layer.provide([
          OtlpSerialization.layerJson,
          FetchHttpClient.layer,
          Layer.succeed(References.TracerEnabled, false)
        ])
      )
