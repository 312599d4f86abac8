import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import { MemoryRateLimits } from "@agent-marketplace/http/limits/MemoryRateLimits"
import { RedisRateLimits } from "@agent-marketplace/http/limits/RedisRateLimits"
import { Mount } from "@agent-marketplace/http/mount/Mount"
import { MountedMarket } from "@agent-marketplace/http/mount/MountedMarket"
import { HttpMetrics } from "@agent-marketplace/http/observability/HttpMetrics"
import { SettlementMetrics } from "@agent-marketplace/http/observability/SettlementMetrics"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { NodeMac } from "@agent-marketplace/http/webhooks/NodeMac"
import { NodeUrlGuard } from "@agent-marketplace/http/webhooks/NodeUrlGuard"
import { NodeWebhookTransport } from "@agent-marketplace/http/webhooks/NodeWebhookTransport"
import { derivedSecret } from "@agent-marketplace/settings/derivedSecret"
import { NodeCrypto } from "@effect/platform-node"
import { Layer, Redacted } from "effect"
import { hostLog } from "./options/hostLog.ts"
import { hostUserSource } from "./options/hostUserSource.ts"
import type { Settings } from "./options/readOptions.ts"

const secretOrNull = (text: string | undefined) => (text === undefined ? null : Redacted.make(text))

const config = (settings: Settings) =>
  Layer.succeed(MarketConfig, {
    platformFeeBps: settings.platformFeeBps,
    withdrawalFee: settings.withdrawalFee,
    withdrawalMinimum: settings.withdrawalMinimum,
    listingReview: settings.review,
    soulContent: settings.soulContent,
    baseUrl: settings.baseUrl,
    secret: derivedSecret(Redacted.make(settings.secret), "activity-feed")
  })

const http = (settings: Settings) =>
  Layer.mergeAll(
    Layer.succeed(HttpOptions, {
      signup: settings.signup === "open" ? "open" : "admin",
      adminToken: secretOrNull(settings.adminToken),
      metricsToken: secretOrNull(settings.metricsToken),
      testClock: settings.testClock,
      trustedProxies: settings.trustedProxies,
      requestLog: "none",
      logFormat: "json"
    }),
    Layer.succeed(Mount, {
      path: new URL(settings.baseUrl).pathname.replace(/\/$/, ""),
      stripped: settings.pathStripped
    }),
    Layer.succeed(HostUsers, settings.users === undefined ? null : hostUserSource(settings.users))
  )

const rateLimits = ({ rateLimits, redisUrl }: Settings) => {
  if (rateLimits === "off") return MemoryRateLimits.layerOff
  return redisUrl === undefined ? MemoryRateLimits.layer : RedisRateLimits.layer(Redacted.make(redisUrl))
}

const stores = ({ chain, storage }: Settings) =>
  chain === undefined ? storage.portsAndChain : chain.layer.pipe(Layer.provideMerge(storage.ports))

/** The whole market of some settings: services, routes, and its jobs where they are to run here. */
export const marketLayer = (settings: Settings) => {
  const receivers = Layer.merge(
    NodeUrlGuard.layer({ allowPrivate: settings.privateWebhooks }),
    NodeWebhookTransport.layer({ allowPrivate: settings.privateWebhooks })
  )
  const secretKey = derivedSecret(Redacted.make(settings.secret), "webhook-secrets")
  const market = Jobs.layer.pipe(
    Layer.provideMerge(Market.layer),
    Layer.provideMerge(SettlementMetrics.layer.pipe(Layer.provideMerge(stores(settings)))),
    Layer.provide([config(settings), ExchangeRates.layer, SecretBox.layer([secretKey]), receivers]),
    Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, NodeMac.layer, HttpMetrics.layer))
  )
  return MountedMarket.layer.pipe(
    Layer.provide([http(settings), rateLimits(settings)]),
    Layer.provideMerge(settings.jobs ? Jobs.background : Layer.empty),
    Layer.provideMerge(market),
    Layer.provide(hostLog(settings.log))
  )
}
