import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { matchesSecret } from "@agent-marketplace/telemetry/SharedSecret"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { createServer } from "node:http"

const json = (body: unknown, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })

const prometheus = { contentType: "text/plain; version=0.0.4; charset=utf-8" }

const bearerToken = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  headers["authorization"]?.replace(/^Bearer /i, "") ?? ""

const health = HttpRouter.add("GET", "/healthz", json({ status: "ok" }))

/** 503 while the database is unavailable; otherwise 200, with the conditions and warnings that need attention. */
const readiness = Layer.unwrap(
  Effect.map(Readiness, ({ report }) =>
    HttpRouter.add(
      "GET",
      "/readyz",
      Effect.map(report, (ready) => json(ready, ready.status === "unavailable" ? 503 : 200))
    )
  )
)

/** Requires `METRICS_TOKEN` if it is set. */
const metrics = ({ metricsToken }: Configuration) =>
  Layer.unwrap(
    Effect.map(ProcessMetrics, ({ text }) => {
      const matches = matchesSecret(metricsToken ?? null)
      const scrape = Effect.map(text, (body) => HttpServerResponse.text(body, prometheus))
      return HttpRouter.add("GET", "/metrics", (request) =>
        metricsToken === undefined || matches(bearerToken(request))
          ? scrape
          : Effect.succeed(json({ status: "unauthorized" }, 401))
      )
    })
  )

const unknown = HttpRouter.add("*", "/*", json({ status: "unknown" }, 404))

const announce = Layer.effectDiscard(
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    process.stdout.write(`Watch it at ${HttpServer.formatAddress(address)}/metrics\n`)
  })
)

/** Reports on a worker, on `METRICS_PORT` if it is set: `/healthz`, `/readyz` and `/metrics`. */
export const StatusServer = {
  layer: (configuration: Configuration) =>
    configuration.metricsPort === undefined
      ? Layer.empty
      : Layer.mergeAll(
          HttpRouter.serve(Layer.mergeAll(health, readiness, metrics(configuration), unknown), {
            disableListenLog: true,
            disableLogger: true
          }),
          announce
        ).pipe(
          Layer.provide(
            NodeHttpServer.layer(createServer, {
              port: configuration.metricsPort,
              host: configuration.host,
              gracefulShutdownTimeout: 0
            })
          )
        )
}
