import { matches } from "@agent-marketplace/http/edge/Secret"
import { HttpMetrics } from "@agent-marketplace/http/observability/HttpMetrics"
import { Readiness } from "@agent-marketplace/http/observability/Readiness"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { Data, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"

/** The port of `METRICS_PORT` cannot be listened on. */
export class PortTaken extends Data.TaggedError("PortTaken")<{ readonly message: string }> {}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: "application/json",
  body: JSON.stringify(body)
})

const bearer = ({ headers }: IncomingMessage): string => headers.authorization?.replace(/^Bearer /i, "") ?? ""

/**
 * What watches a worker, on `METRICS_PORT` where that is set: `/healthz`, `/readyz` (503 while the database is away; else 200, with warnings where money cannot
 * come in or go out) and `/metrics`,
 * which `METRICS_TOKEN` guards.
 */
const serve = Effect.fn("StatusServer.serve")(function* (configuration: Configuration, port: number) {
  const readiness = yield* Readiness
  const metrics = yield* HttpMetrics
  const { metricsToken } = configuration
  const mayScrape = matches(metricsToken ?? null)
  const answers: Readonly<Record<string, (request: IncomingMessage) => Effect.Effect<Answer>>> = {
    "/healthz": () => Effect.succeed(json(200, { status: "ok" })),
    "/readyz": () => Effect.map(readiness.told, (told) => json(told.status === "ready" ? 200 : 503, told)),
    "/metrics": (request) =>
      metricsToken !== undefined && !mayScrape(bearer(request))
        ? Effect.succeed(json(401, { status: "unauthorized" }))
        : Effect.map(metrics.text, (body) => ({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body }))
  }
  const services = yield* Effect.context<never>()
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""] ?? (() => Effect.succeed(json(404, { status: "unknown" })))
    Effect.runForkWith(services)(
      Effect.map(answer(request), ({ body, status, type }) => {
        response.writeHead(status, { "content-type": type }).end(body)
      })
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, PortTaken>((resume) => {
      server.once("error", ({ message }) => resume(Effect.fail(new PortTaken({ message }))))
      server.listen(port, configuration.host, () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const listening = typeof address === "object" && address !== null ? address.port : port
  process.stdout.write(`Watch it at http://${configuration.host}:${listening}/metrics\n`)
})

export const StatusServer = {
  layer: (configuration: Configuration) =>
    configuration.metricsPort === undefined
      ? Layer.empty
      : Layer.effectDiscard(serve(configuration, configuration.metricsPort))
}
