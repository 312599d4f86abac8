import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import { MarketHttp } from "@agent-marketplace/http/MarketHttp"
import { HttpMetrics } from "@agent-marketplace/http/observability/HttpMetrics"
import { Readiness } from "@agent-marketplace/http/observability/Readiness"
import { SettlementMetrics } from "@agent-marketplace/http/observability/SettlementMetrics"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { MemoryRateLimits } from "@agent-marketplace/http/limits/MemoryRateLimits"
import { RedisRateLimits } from "@agent-marketplace/http/limits/RedisRateLimits"
import { Mount } from "@agent-marketplace/http/mount/Mount"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { NodeMac } from "@agent-marketplace/http/webhooks/NodeMac"
import { NodeUrlGuard } from "@agent-marketplace/http/webhooks/NodeUrlGuard"
import { NodeWebhookTransport } from "@agent-marketplace/http/webhooks/NodeWebhookTransport"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { keptSecret } from "@agent-marketplace/settings/KeptSecret"
import { logs } from "@agent-marketplace/settings/Logs"
import { marketSettings, secretBox } from "@agent-marketplace/settings/MarketSettings"
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { databaseStores } from "./DatabaseStores.ts"
import { demoKey } from "./DemoAccount.ts"
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts"
import { greeting } from "./Greeting.ts"
import { McpRoute } from "./McpRoute.ts"

/** How long a shutdown waits for what is in flight. */
const drainTime = "15 seconds"

const stores = (configuration: Configuration) => {
  if (configuration.storage === "memory") return MemoryStores.layer
  if (configuration.databaseUrl !== undefined) return databaseStores(configuration, configuration.databaseUrl)
  return Layer.unwrap(Effect.map(EmbeddedDatabase, ({ url }) => databaseStores(configuration, url))).pipe(
    Layer.provide(EmbeddedDatabase.layer(configuration.dataDir))
  )
}

const rateLimits = ({ rateLimits, redisUrl }: Configuration) =>
  rateLimits === "off"
    ? MemoryRateLimits.layerOff
    : redisUrl === undefined
      ? MemoryRateLimits.layer
      : RedisRateLimits.layer(redisUrl)

const httpOptions = (configuration: Configuration, adminToken: Redacted.Redacted) =>
  Layer.succeed(HttpOptions, {
    signup: configuration.signup,
    adminToken,
    metricsToken: configuration.metricsToken ?? null,
    testClock: configuration.testClock,
    trustedProxies: configuration.trustedProxies,
    requestLog:
      configuration.logLevel === "None"
        ? "none"
        : ["Warn", "Error", "Fatal"].includes(configuration.logLevel)
          ? "faults"
          : "all",
    logFormat: configuration.logFormat
  })

/** A proxy that serves the market below a path takes that path off; readers of the documents have to be told it. */
const mount = (baseUrl: string) =>
  Layer.succeed(Mount, { path: new URL(baseUrl).pathname.replace(/\/$/, ""), stripped: true })

/** Told once the server listens: where, and what to try with the key of a demo account. */
const greet = (configuration: Configuration, baseUrl: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const key =
        configuration.production || configuration.signup === "admin" ? undefined : yield* demoKey(configuration.dataDir)
      yield* Effect.sync(() => process.stdout.write(`${greeting(baseUrl, key)}\n`))
    })
  )

/** A shutdown begins with not being ready any more; then the listener closes and what is in flight ends. */
const drainFirst = Layer.effectDiscard(Effect.flatMap(Readiness, ({ drain }) => Effect.addFinalizer(() => drain)))

/** The whole server of a configuration; it runs for as long as the layer lives. */
export const Server = {
  layer: (configuration: Configuration) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { host } = configuration
        const port = configuration.port === 0 ? yield* freePort(host) : configuration.port
        const baseUrl = configuration.baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
        const adminToken = configuration.adminToken ?? (yield* keptSecret(configuration.dataDir, "admin-token"))
        const allowPrivate = configuration.webhookAllowPrivate
        const receivers = Layer.merge(
          NodeUrlGuard.layer({ allowPrivate }),
          NodeWebhookTransport.layer({ allowPrivate })
        )
        const market = Market.layer.pipe(
          Layer.provideMerge(SettlementMetrics.layer.pipe(Layer.provideMerge(stores(configuration)))),
          Layer.provide([marketSettings(configuration, baseUrl, adminToken), ExchangeRates.layer]),
          Layer.provide([secretBox(configuration, adminToken), receivers]),
          Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, NodeMac.layer, HttpMetrics.layer))
        )
        const http = MarketHttp.serveWith(McpRoute.layer([new URL(baseUrl).origin])).pipe(
          Layer.provide(NodeHttpServer.layer(makeMarketServer, { port, host, gracefulShutdownTimeout: drainTime })),
          Layer.provide([rateLimits(configuration), httpOptions(configuration, adminToken), mount(baseUrl)])
        )
        const jobs = configuration.worker === "embedded" ? Jobs.background.pipe(Layer.provide(Jobs.layer)) : Layer.empty
        return Layer.merge(greet(configuration, baseUrl), drainFirst).pipe(
          Layer.provideMerge(http),
          Layer.provideMerge(jobs),
          Layer.provide(market),
          Layer.provide(logs(configuration))
        )
      })
    )
}
