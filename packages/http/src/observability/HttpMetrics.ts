import { Context, Effect, Layer, Metric } from "effect"

const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const inFlight = Metric.gauge("http_requests_in_flight", { description: "Requests without a response yet." })

const makeSeries = (method: string, route: string) => {
  const attributes = { method, route }
  const statuses = new Map<number, Metric.Counter<number>>()
  return {
    latency: Metric.histogram("http_request_duration_seconds", {
      description: "Time to the response.",
      boundaries: latencyBounds,
      attributes
    }),
    responses: (status: number) => {
      const known = statuses.get(status)
      if (known !== undefined) return known
      const counter = Metric.counter("http_requests_total", {
        description: "Responses sent.",
        incremental: true,
        attributes: { ...attributes, status: String(status) }
      })
      statuses.set(status, counter)
      return counter
    }
  }
}

/** Counts requests. A metric is kept for each route and status, so that counting allocates nothing. */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    readonly started: () => void
    /** `route` is the template, so that the number of series stays bounded. */
    readonly ended: (method: string, route: string, status: number, seconds: number) => void
    /** A request exceeded the limit of that name. */
    readonly limited: (limit: string) => void
  }
>()("@agent-marketplace/http/observability/HttpMetrics") {
  static readonly layer = Layer.effect(
    HttpMetrics,
    Effect.map(Effect.context<never>(), (context) => {
      const series = new Map<string, ReturnType<typeof makeSeries>>()
      const seriesOf = (method: string, route: string) => {
        const verb = methods.has(method) ? method : "OTHER"
        const key = `${verb} ${route}`
        const known = series.get(key)
        if (known !== undefined) return known
        const made = makeSeries(verb, route)
        series.set(key, made)
        return made
      }
      return HttpMetrics.of({
        started: () => inFlight.modifyUnsafe(1, context),
        ended: (method, route, status, seconds) => {
          const { latency, responses } = seriesOf(method, route)
          inFlight.modifyUnsafe(-1, context)
          responses(status).updateUnsafe(1, context)
          latency.updateUnsafe(seconds, context)
        },
        limited: (limit) =>
          Metric.counter("http_rate_limited_total", {
            description: "Requests that exceeded a limit.",
            incremental: true,
            attributes: { limit }
          }).updateUnsafe(1, context)
      })
    })
  )
}
