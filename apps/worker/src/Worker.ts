import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { configuredScreening } from "@agent-marketplace/assembly/screening/configuredScreening"
import { configuredStores } from "@agent-marketplace/assembly/ConfiguredStores"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { keptSecret } from "@agent-marketplace/settings/KeptSecret"
import { collector } from "@agent-marketplace/settings/collector"
import { logs } from "@agent-marketplace/settings/Logs"
import {
  marketConfig,
  webhookAccess,
  webhookSecretKeys,
  workerWarnings
} from "@agent-marketplace/settings/marketConfig"
import { configuredSigningSeed } from "@agent-marketplace/settings/configuredSigningSeed"
import { notifierOptions } from "@agent-marketplace/settings/NotificationsConfiguration"
import { openTelemetry } from "@agent-marketplace/telemetry/OpenTelemetry"
import { Effect, Layer, Redacted } from "effect"
import { StatusServer } from "./StatusServer.ts"

/** Printed once the jobs run: the process id, and warnings about the configuration. */
const announce = (configuration: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Effect.sync(() => process.stdout.write(`Agent Marketplace: worker ${process.pid} is at work\n`))
      yield* Effect.forEach(workerWarnings(configuration), (warning) => Effect.logWarning(warning), { discard: true })
    })
  )

/**
 * The background jobs of a market, on its database; any number of workers may run. A worker runs as long as the layer exists. At the
 * end, work in progress has a few seconds to finish, and leases and claims are released.
 */
export const Worker = {
  layer: (configuration: Configuration) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { databaseUrl = Redacted.make("") } = configuration
        const adminToken = configuration.adminToken ?? (yield* keptSecret(configuration, "admin-token"))
        const baseUrl = configuration.baseUrl ?? `http://localhost:${configuration.port}`
        const signingKey = yield* configuredSigningSeed(configuration)
        const market = assembleMarket({
          config: marketConfig(configuration, baseUrl, adminToken),
          stores: configuredStores(configuration, databaseUrl),
          secretKeys: webhookSecretKeys(configuration, adminToken),
          signingKey,
          notifier: notifierOptions(configuration.notifications, signingKey, baseUrl),
          receivers: webhookAccess(configuration),
          screening: configuredScreening(configuration.screening),
          rates: ExchangeRates.fixed(configuration.exchangeRates)
        })
        const telemetry = openTelemetry(collector(configuration, "agent-marketplace-worker"))
        return announce(configuration).pipe(
          Layer.provideMerge(StatusServer.layer(configuration)),
          Layer.provideMerge(Jobs.background),
          Layer.provideMerge(telemetry.metrics),
          Layer.provide(market),
          Layer.provide(Layer.provideMerge(telemetry.signals, logs(configuration)))
        )
      })
    )
}
