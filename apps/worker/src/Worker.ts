import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { HttpMetrics } from "@agent-marketplace/http/observability/HttpMetrics"
import { Readiness } from "@agent-marketplace/http/observability/Readiness"
import { SettlementMetrics } from "@agent-marketplace/http/observability/SettlementMetrics"
import { NodeMac } from "@agent-marketplace/http/webhooks/NodeMac"
import { NodeUrlGuard } from "@agent-marketplace/http/webhooks/NodeUrlGuard"
import { NodeWebhookTransport } from "@agent-marketplace/http/webhooks/NodeWebhookTransport"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { keptSecret } from "@agent-marketplace/settings/KeptSecret"
import { logs } from "@agent-marketplace/settings/Logs"
import { marketSettings, secretBox } from "@agent-marketplace/settings/MarketSettings"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { databaseStores } from "./DatabaseStores.ts"
import { StatusServer } from "./StatusServer.ts"

const atWork = Layer.effectDiscard(
  Effect.sync(() => process.stdout.write(`Agent Marketplace: worker ${process.pid} is at work\n`))
)

/**
 * Everything that goes on without anybody asking, on the database of a market: any number of these may run. It works for as long as
 * the layer lives; at its end what is on its way has a few seconds, and leases and claims are given back.
 */
export const Worker = {
  layer: (configuration: Configuration) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { databaseUrl = Redacted.make(""), webhookAllowPrivate: allowPrivate } = configuration
        const adminToken = configuration.adminToken ?? (yield* keptSecret(configuration.dataDir, "admin-token"))
        const baseUrl = configuration.baseUrl ?? `http://${configuration.host}:${configuration.port}`
        const stores = SettlementMetrics.layer.pipe(Layer.provideMerge(databaseStores(configuration, databaseUrl)))
        const receivers = Layer.merge(
          NodeUrlGuard.layer({ allowPrivate }),
          NodeWebhookTransport.layer({ allowPrivate })
        )
        const market = Market.layer.pipe(
          Layer.provideMerge(stores),
          Layer.provide([marketSettings(configuration, baseUrl, adminToken), ExchangeRates.layer]),
          Layer.provide([secretBox(configuration, adminToken), receivers]),
          Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, NodeMac.layer, HttpMetrics.layer))
        )
        const jobs = Jobs.background.pipe(Layer.provide(Jobs.layer))
        return atWork.pipe(
          Layer.provideMerge(StatusServer.layer(configuration)),
          Layer.provideMerge(jobs),
          Layer.provide(Readiness.layer),
          Layer.provide(market),
          Layer.provide(logs(configuration))
        )
      })
    )
}
