import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { configuredScreening } from "@agent-marketplace/assembly/screening/configuredScreening"
import { configuredStores, embeddedStores } from "@agent-marketplace/assembly/ConfiguredStores"
import type { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { MarketHttp } from "@agent-marketplace/http/MarketHttp"
import { McpRoute } from "@agent-marketplace/http/mcp/McpRoute"
import { isLoopbackName } from "@agent-marketplace/http/edge/TrustedHost"
import { configuredRateLimits } from "@agent-marketplace/http/limits/ConfiguredRateLimits"
import { mountBelow } from "@agent-marketplace/http/mount/Mount"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import type { DataFolderRefused } from "@agent-marketplace/settings/DataFolder"
import { ownDataFolder } from "@agent-marketplace/settings/DataFolder"
import { keptSecret } from "@agent-marketplace/settings/KeptSecret"
import { collector } from "@agent-marketplace/settings/collector"
import { logs } from "@agent-marketplace/settings/Logs"
import { signInWarnings } from "@agent-marketplace/http/sessions/signInWarnings"
import { marketConfig, startWarnings, webhookAccess, webhookSecretKeys } from "@agent-marketplace/settings/marketConfig"
import { keepsSigningKey, configuredSigningSeed } from "@agent-marketplace/settings/configuredSigningSeed"
import { notifierOptions } from "@agent-marketplace/settings/NotificationsConfiguration"
import { openTelemetry } from "@agent-marketplace/telemetry/OpenTelemetry"
import { serverThatJoins } from "@agent-marketplace/http/server/serverThatJoins"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import type { Redacted } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { dirname, join } from "node:path"
import { demoKey } from "./DemoAccount.ts"
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts"
import type { EmbeddedDatabaseError } from "./EmbeddedDatabase.ts"
import { FirstRun, ServerDemonstration } from "./demonstration/ServerDemonstration.ts"
import { greeting } from "./Greeting.ts"
import { isGreeting, isSupervised, tell } from "./processes/Messages.ts"
import { sqliteStores } from "./sqliteStores.ts"
import { SharedMetrics } from "./processes/SharedMetrics.ts"
import { ConsoleRoutes } from "@agent-marketplace/console/ConsoleRoutes"
import { DemonstrationRoutes } from "@agent-marketplace/console/demonstration/DemonstrationRoutes"
import { GraphiqlRoute } from "@agent-marketplace/graphql/GraphiqlRoute"
import { GraphqlRoute } from "@agent-marketplace/graphql/GraphqlRoute"

/** How long a shutdown waits for requests in flight. */
const drainTime = "15 seconds"

type Stores = Layer.Layer<
  MarketStores | Chain,
  DataFolderRefused | EmbeddedDatabaseError | StoreUnavailable | ChainUnavailable,
  Digest.Digest | SecureRandom.SecureRandom
>

/** Imported only if the storage is `memory`, because the import slows the start. */
const memoryStores = Layer.unwrap(
  Effect.promise(async () => (await import("@agent-marketplace/memory/MemoryStores")).MemoryStores.layer)
)

const stores = (configuration: Configuration): Stores => {
  if (configuration.storage === "memory") return memoryStores
  if (configuration.storage === "sqlite") return sqliteStores(configuration)
  if (configuration.databaseUrl !== undefined) return configuredStores(configuration, configuration.databaseUrl)
  return Layer.unwrap(Effect.map(EmbeddedDatabase, ({ url }) => embeddedStores(configuration, url))).pipe(
    Layer.provide(EmbeddedDatabase.layer(configuration.dataDir))
  )
}

const httpOptions = (configuration: Configuration, baseUrl: string, adminToken: Redacted.Redacted) =>
  Layer.succeed(HttpOptions, {
    signup: configuration.signup,
    adminToken,
    metricsToken: configuration.metricsToken ?? null,
    testClock: configuration.testClock,
    openRegistration: configuration.oauthDynamicRegistration,
    trustedProxies: configuration.trustedProxies,
    baseUrl,
    corsOrigins: configuration.corsOrigins,
    loopbackOnly: isLoopbackName(configuration.host),
    requestLog:
      configuration.logLevel === "None"
        ? "none"
        : ["Warn", "Error", "Fatal"].includes(configuration.logLevel)
          ? "faults"
          : "all",
    logFormat: configuration.logFormat
  })

const hasDemoAccount = ({ production, signup }: Configuration): boolean => !production && signup === "open"

/** Whether the server keeps its database, the operator's token, the signing key or the demo key in the data folder. */
const usesDataFolder = (configuration: Configuration): boolean =>
  (configuration.storage === "postgres" && configuration.databaseUrl === undefined) ||
  (configuration.storage === "sqlite" && dirname(configuration.sqliteFile) === join(configuration.dataDir)) ||
  configuration.adminToken === undefined ||
  keepsSigningKey(configuration) ||
  hasDemoAccount(configuration)

/** Printed once the server listens: its address, and what to try with the key of a demo account. */
const greet = (configuration: Configuration, baseUrl: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      if (isSupervised) tell({ type: "serving" })
      if (!isGreeting) return
      const key = hasDemoAccount(configuration) ? yield* demoKey(configuration.dataDir) : undefined
      const tokenFile = configuration.adminToken === undefined ? join(configuration.dataDir, "admin-token") : undefined
      const firstRun = yield* FirstRun
      yield* Effect.sync(() => process.stdout.write(`${greeting(baseUrl, key, tokenFile, firstRun)}\n`))
      const warnings = [...startWarnings(configuration), ...signInWarnings(baseUrl)]
      yield* Effect.forEach(warnings, (warning) => Effect.logWarning(warning), { discard: true })
    })
  )

/** The whole server with this configuration; it runs as long as the layer exists. */
export const Server = {
  layer: (configuration: Configuration) =>
    Layer.unwrap(
      Effect.gen(function* () {
        if (usesDataFolder(configuration)) yield* ownDataFolder(configuration)
        const { host } = configuration
        const port = configuration.port === 0 ? yield* freePort(host) : configuration.port
        const baseUrl = configuration.baseUrl ?? `http://localhost:${port}`
        const adminToken = configuration.adminToken ?? (yield* keptSecret(configuration, "admin-token"))
        const signingKey = yield* configuredSigningSeed(configuration)
        const config = marketConfig(configuration, baseUrl, adminToken)
        const market = assembleMarket({
          config,
          stores: stores(configuration),
          secretKeys: webhookSecretKeys(configuration, adminToken),
          signingKey,
          notifier: notifierOptions(configuration.notifications, signingKey, baseUrl),
          receivers: webhookAccess(configuration),
          screening: configuredScreening(configuration.screening),
          rates: ExchangeRates.fixed(configuration.exchangeRates)
        })
        const telemetry = openTelemetry(collector(configuration, "agent-marketplace-server"))
        const address = { port, host, reusePort: !isGreeting, gracefulShutdownTimeout: drainTime } as const
        const http = MarketHttp.serveWith(
          Layer.merge(
            McpRoute.layer(baseUrl, () => import("@agent-marketplace/mcp/openMcp")),
            Layer.mergeAll(GraphqlRoute.layer, GraphiqlRoute.layer, ConsoleRoutes.layer, DemonstrationRoutes.layer)
          ),
          [
            ...McpRoute.routes,
            ...GraphqlRoute.routes,
            ...GraphiqlRoute.routes,
            ...ConsoleRoutes.routes,
            ...(configuration.demo ? DemonstrationRoutes.routes : [])
          ]
        ).pipe(
          Layer.provide(isGreeting ? NodeHttpServer.layer(makeMarketServer, address) : serverThatJoins(address)),
          Layer.provide([
            configuredRateLimits(configuration.rateLimits, configuration.redisUrl),
            httpOptions(configuration, baseUrl, adminToken),
            mountBelow(baseUrl, { stripped: true })
          ]),
          Layer.provide(SharedMetrics)
        )
        const jobs = configuration.worker === "embedded" ? Jobs.background : Layer.empty
        const demonstration = configuration.demo
          ? ServerDemonstration.layer(hasDemoAccount(configuration) ? 1 : 0).pipe(
              Layer.provide(Layer.succeed(MarketConfig, config))
            )
          : Layer.empty
        return greet(configuration, baseUrl).pipe(
          Layer.provideMerge(http),
          Layer.provideMerge(demonstration),
          Layer.provideMerge(jobs),
          Layer.provideMerge(telemetry.metrics),
          Layer.provide(market),
          Layer.provide(Layer.provideMerge(telemetry.signals, logs(configuration)))
        )
      })
    )
}
