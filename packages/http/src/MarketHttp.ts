import type { Administration } from "@agent-marketplace/core/admin/Administration"
import type { ActivityFeed } from "@agent-marketplace/core/activity/ActivityFeed"
import type { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AgentControl } from "@agent-marketplace/core/identity/AgentControl"
import type { AccountExports } from "@agent-marketplace/core/identity/AccountExports"
import type { Conditions } from "@agent-marketplace/core/health/Conditions"
import type { Identity } from "@agent-marketplace/core/identity/Identity"
import type { Passkeys } from "@agent-marketplace/core/passkeys/Passkeys"
import type { Sessions } from "@agent-marketplace/core/sessions/Sessions"
import type { Live } from "@agent-marketplace/core/live/Live"
import type { Listings } from "@agent-marketplace/core/listings/Listings"
import type { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import type { OauthClients } from "@agent-marketplace/core/oauth/OauthClients"
import type { OauthGrants } from "@agent-marketplace/core/oauth/OauthGrants"
import type { OauthTokens } from "@agent-marketplace/core/oauth/OauthTokens"
import type { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import type { Subscriptions } from "@agent-marketplace/core/purchases/Subscriptions"
import type { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import type { Souls } from "@agent-marketplace/core/souls/Souls"
import type { Payouts } from "@agent-marketplace/core/wallets/Payouts"
import type { ForeignAssets } from "@agent-marketplace/core/wallets/ForeignAssets"
import type { HeldDeposits } from "@agent-marketplace/core/screening/HeldDeposits"
import type { TreasuryControl } from "@agent-marketplace/core/wallets/TreasuryControl"
import type { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import type { WithdrawalControl } from "@agent-marketplace/core/wallets/WithdrawalControl"
import type { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import type { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { ActivityHandlers } from "./activity/ActivityHandlers.ts"
import { AdminAccountsHandlers } from "./admin/AdminAccountsHandlers.ts"
import { AdminPayoutsHandlers } from "./admin/AdminPayoutsHandlers.ts"
import { AdminForeignAssetsHandlers } from "./admin/AdminForeignAssetsHandlers.ts"
import { AdminDepositsHandlers } from "./admin/AdminDepositsHandlers.ts"
import { AdminTreasuryHandlers } from "./admin/AdminTreasuryHandlers.ts"
import { AdminHandlers } from "./admin/AdminHandlers.ts"
import { ConditionsHandlers } from "./health/ConditionsHandlers.ts"
import { AccountsHandlers } from "./identity/AccountsHandlers.ts"
import { AgentsHandlers } from "./identity/AgentsHandlers.ts"
import { KeysHandlers } from "./identity/KeysHandlers.ts"
import { ApprovalRoutes } from "./approvals/ApprovalRoutes.ts"
import { ApprovalsHandlers } from "./approvals/ApprovalsHandlers.ts"
import { PoliciesHandlers } from "./approvals/PoliciesHandlers.ts"
import { PeerAddress } from "./edge/ClientAddress.ts"
import { EndpointGuard } from "./edge/EndpointGuard.ts"
import { Failures } from "./edge/Failures.ts"
import { makeRequestContext } from "./edge/RequestContext.ts"
import { makeRouteTable, routerConfig } from "./edge/RouteTable.ts"
import type { Route } from "./edge/RouteTable.ts"
import { EnvelopedListingsHandlers, ListingsHandlers } from "./listings/ListingsHandlers.ts"
import { SessionAccess } from "./sessions/SessionAccess.ts"
import { SignInRoute } from "./sessions/SignInRoute.ts"
import { SignInLimit } from "./sessions/SignInLimit.ts"
import { SessionsHandlers } from "./sessions/SessionsHandlers.ts"
import { LiveConnections } from "./live/LiveConnections.ts"
import { LiveHandlers } from "./live/LiveHandlers.ts"
import { SkillsHandlers } from "./listings/SkillsHandlers.ts"
import type { RateLimits } from "./limits/RateLimits.ts"
import { HttpMetrics } from "./observability/HttpMetrics.ts"
import { RequestLog } from "./observability/RequestLog.ts"
import type { HttpOptions } from "./options/HttpOptions.ts"
import { ConsentRoutes } from "./oauth/ConsentRoutes.ts"
import { OauthHandlers } from "./oauth/OauthHandlers.ts"
import { OauthRoutes } from "./oauth/OauthRoutes.ts"
import { PasskeysHandlers } from "./passkeys/PasskeysHandlers.ts"
import { PurchasesHandlers } from "./purchases/PurchasesHandlers.ts"
import { SubscriptionsHandlers } from "./purchases/SubscriptionsHandlers.ts"
import { ServedApi } from "./ServedApi.ts"
import { CatalogueHandlers } from "./catalogue/CatalogueHandlers.ts"
import { AdminSoulsHandlers } from "./souls/AdminSoulsHandlers.ts"
import { SoulsHandlers } from "./souls/SoulsHandlers.ts"
import { DocsRoute } from "./system/DocsRoute.ts"
import { SystemHandlers } from "./system/SystemHandlers.ts"
import { WalletsHandlers } from "./wallets/WalletsHandlers.ts"
import { WithdrawalRulesHandlers } from "./wallets/WithdrawalRulesHandlers.ts"
import { WebhooksHandlers } from "./webhooks/WebhooksHandlers.ts"

const handlers = Layer.mergeAll(
  AccountsHandlers,
  AgentsHandlers,
  KeysHandlers,
  SessionsHandlers,
  OauthHandlers,
  PasskeysHandlers,
  SoulsHandlers,
  AdminSoulsHandlers,
  CatalogueHandlers,
  ListingsHandlers,
  EnvelopedListingsHandlers,
  SkillsHandlers,
  PurchasesHandlers,
  SubscriptionsHandlers,
  ApprovalsHandlers,
  PoliciesHandlers,
  WalletsHandlers,
  WithdrawalRulesHandlers,
  WebhooksHandlers,
  ActivityHandlers,
  LiveHandlers.pipe(Layer.provide(LiveConnections.layer)),
  AdminHandlers,
  AdminAccountsHandlers,
  AdminPayoutsHandlers,
  AdminTreasuryHandlers,
  AdminForeignAssetsHandlers,
  AdminDepositsHandlers,
  ConditionsHandlers,
  SystemHandlers
)

const endpoints = (Object.values(ServedApi.groups) as ReadonlyArray<{ readonly endpoints: object }>).flatMap(
  (group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>
)

const requestContext = (more: ReadonlyArray<Route>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      yield* router.addGlobalMiddleware(
        yield* makeRequestContext(
          makeRouteTable([
            ...endpoints,
            DocsRoute.route,
            SignInRoute.route,
            ...OauthRoutes.routes,
            ...ConsentRoutes.routes,
            ...ApprovalRoutes.routes,
            ...more
          ])
        )
      )
    })
  )

const platform = NodeHttpServer.layerHttpServices

/** Every route of the market for an `HttpRouter`, and in the table of routes those that other layers add. Requires the market's services, `RateLimits` and `HttpOptions`. */
const routesAnd = (more: ReadonlyArray<Route>) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(ServedApi),
    DocsRoute.layer,
    SignInRoute.layer,
    OauthRoutes.layer,
    ConsentRoutes.layer,
    ApprovalRoutes.layer,
    requestContext(more)
  ).pipe(
    Layer.provide(handlers),
    Layer.provide(EndpointGuard.layer),
    Layer.provide(RequestLog.layer),
    Layer.provideMerge(Layer.mergeAll(HttpMetrics.layer, Failures.layer, SessionAccess.layer, SignInLimit.layer)),
    Layer.provide(platform)
  )

const routes = routesAnd([])

/** The services that the routes require. */
export type MarketServices =
  | AccountExports
  | ActivityFeed
  | Administration
  | AgentControl
  | Approvals
  | Authorization
  | Chain
  | Conditions
  | HttpOptions
  | Identity
  | Listings
  | Live
  | MarketClock
  | OauthClients
  | OauthGrants
  | OauthTokens
  | Passkeys
  | ProcessMetrics
  | Purchases
  | RateLimits
  | Readiness
  | Sessions
  | Catalogue
  | Souls
  | Subscriptions
  | Payouts
  | HeldDeposits
  | TreasuryControl
  | ForeignAssets
  | Wallets
  | WithdrawalControl
  | Webhooks

/** A fetch handler of the whole market, and how to end it. */
export interface FetchHandler {
  /** `address` is the client's, for limits per address; without it all clients count as one. */
  readonly fetch: (request: Request, address?: string) => Promise<Response>
  readonly dispose: () => Promise<void>
}

/** The market as one fetch handler that can be mounted anywhere. Its services are built once, from `services`. */
const toFetchHandler = <E>(services: Layer.Layer<MarketServices, E>): FetchHandler => {
  const { dispose, handler } = HttpRouter.toWebHandler(Layer.provideMerge(routes, services), {
    disableLogger: true,
    routerConfig
  })
  return {
    dispose,
    fetch: (request, address) =>
      address === undefined ? handler(request) : handler(request, Context.make(PeerAddress, address))
  }
}

/** A shutdown first reports that the process is unavailable and ends open streams. Then the listener closes and requests in flight end. */
const drainFirst = Layer.effectDiscard(Effect.flatMap(Readiness, ({ drain }) => Effect.addFinalizer(() => drain)))

/** The request context writes the request log, so the server's log is off. */
const serving = { disableLogger: true, disableListenLog: true, routerConfig } as const

export const MarketHttp = {
  routes,
  /** The routes on an `HttpServer`. */
  serve: Layer.provideMerge(drainFirst, HttpRouter.serve(routes, serving)),
  /** The same, with further routes inside the same request context. `table` lists those that answer `OPTIONS` as all others do (CORS-1). */
  serveWith: <A, E, R>(more: Layer.Layer<A, E, R>, table: ReadonlyArray<Route>) =>
    Layer.provideMerge(drainFirst, HttpRouter.serve(Layer.provideMerge(more, routesAnd(table)), serving)),
  toFetchHandler
}
