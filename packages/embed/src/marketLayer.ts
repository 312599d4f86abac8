import { assembleMarket } from "@agent-marketplace/assembly/assembleMarket"
import { ConsoleRoutes } from "@agent-marketplace/console/ConsoleRoutes"
import type { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { GraphqlRoute } from "@agent-marketplace/graphql/GraphqlRoute"
import { configuredRateLimits } from "@agent-marketplace/http/limits/ConfiguredRateLimits"
import { McpRoute } from "@agent-marketplace/http/mcp/McpRoute"
import { mountBelow } from "@agent-marketplace/http/mount/Mount"
import { MountedMarket } from "@agent-marketplace/http/mount/MountedMarket"
import { HttpOptions } from "@agent-marketplace/http/options/HttpOptions"
import { derivedSecret } from "@agent-marketplace/settings/marketConfig"
import { notifierOptions } from "@agent-marketplace/settings/NotificationsConfiguration"
import { Effect, Layer, Redacted } from "effect"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { hostScreening } from "./options/hostScreening.ts"
import { hostLog } from "./options/hostLog.ts"
import type { Settings } from "./options/readOptions.ts"
import type { RecogniseUser } from "./options/MarketplaceOptions.ts"

/** The port over the host's function. A function that throws makes the user unavailable. */
export const hostUserSource = (recognise: RecogniseUser): HostUserSource => ({
  recognise: (presented) =>
    Effect.tryPromise({
      try: async () => (await recognise(presented)) ?? null,
      catch: (cause) => new StoreUnavailable({ cause })
    })
})

const secretOrUndefined = (text: string | undefined) => (text === undefined ? undefined : Redacted.make(text))

const config = (settings: Settings): MarketConfig["Service"] => ({
  platformFeeBps: settings.platformFeeBps,
  withdrawalFee: settings.withdrawalFee,
  withdrawalMinimum: settings.withdrawalMinimum,
  withdrawalReviewAbove: settings.withdrawalReviewAbove,
  coinRate: settings.coinRate,
  proceedsHoldDays: settings.proceedsHoldDays,
  refundCoverLimit: settings.refundCoverLimit,
  listingReview: settings.review,
  soulContent: settings.soulContent,
  baseUrl: settings.baseUrl,
  consoleUrl: settings.console ? `${settings.baseUrl}/console` : undefined,
  secret: derivedSecret(Redacted.make(settings.secret), "activity-feed")
})

const http = (settings: Settings) =>
  Layer.mergeAll(
    Layer.succeed(HttpOptions, {
      signup: settings.signup === "open" ? "open" : "admin",
      adminToken: secretOrUndefined(settings.adminToken) ?? null,
      metricsToken: secretOrUndefined(settings.metricsToken) ?? null,
      testClock: settings.testClock,
      openRegistration: settings.oauthDynamicRegistration,
      trustedProxies: settings.trustedProxies,
      baseUrl: settings.baseUrl,
      allowedHosts: settings.allowedHosts,
      requestLog: "none",
      logFormat: "json"
    }),
    mountBelow(settings.baseUrl, { stripped: settings.pathStripped }),
    configuredRateLimits(settings.rateLimits, secretOrUndefined(settings.redisUrl)),
    Layer.succeed(HostUsers, settings.users === undefined ? null : hostUserSource(settings.users))
  )

const stores = ({ blobs, chain, storage }: Settings) => {
  const ports = chain === undefined ? storage.portsAndChain : chain.layer.pipe(Layer.provideMerge(storage.ports))
  return blobs === undefined ? ports : Layer.merge(ports, blobs.layer)
}

/** Loopback receivers are allowed if no real money is moved, outside of production (WEBHOOK-11). */
const webhookAccess = ({ chain, privateWebhooks }: Settings) => {
  if (privateWebhooks) return "any"
  return chain === undefined && process.env["NODE_ENV"] !== "production" ? "loopback" : "public"
}

/** GraphQL and MCP, unless the host does not want them (EMBED-10), and the console if the host wants it (EMBED-12). */
const mounted = ({ baseUrl, console, graphql, mcp }: Settings) =>
  MountedMarket.layerWith(
    Layer.mergeAll(
      graphql ? GraphqlRoute.layer : Layer.empty,
      mcp ? McpRoute.layer(baseUrl, () => import("@agent-marketplace/mcp/openMcp")) : Layer.empty,
      console ? ConsoleRoutes.layer : Layer.empty
    ),
    [...(graphql ? GraphqlRoute.routes : []), ...(mcp ? McpRoute.routes : []), ...(console ? ConsoleRoutes.routes : [])]
  )

/** The market with these settings: services, routes, and the background jobs if this process runs them. */
export const marketLayer = (settings: Settings) =>
  mounted(settings).pipe(
    Layer.provide(http(settings)),
    Layer.provideMerge(settings.jobs ? Jobs.background : Layer.empty),
    Layer.provideMerge(
      assembleMarket({
        config: config(settings),
        stores: stores(settings),
        screening: hostScreening(settings.screening),
        secretKeys: [derivedSecret(Redacted.make(settings.secret), "webhook-secrets")],
        signingKey: settings.signingKey,
        notifier: notifierOptions(settings.notifications, settings.signingKey, settings.baseUrl),
        receivers: webhookAccess(settings)
      })
    ),
    Layer.provide(hostLog(settings.log))
  )
