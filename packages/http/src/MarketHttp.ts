import type { Administration } from "@agent-marketplace/core/admin/Administration"
import type { ActivityFeed } from "@agent-marketplace/core/activity/ActivityFeed"
import type { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AgentControl } from "@agent-marketplace/core/identity/AgentControl"
import type { AccountExports } from "@agent-marketplace/core/identity/AccountExports"
import type { Appeals } from "@agent-marketplace/core/moderation/Appeals"
import type { Reports } from "@agent-marketplace/core/moderation/Reports"
import type { Domains } from "@agent-marketplace/core/domains/Domains"
import type { Conditions } from "@agent-marketplace/core/health/Conditions"
import type { Identity } from "@agent-marketplace/core/identity/Identity"
import type { Passkeys } from "@agent-marketplace/core/passkeys/Passkeys"
import type { Notifications } from "@agent-marketplace/core/notifications/Notifications"
import type { Sessions } from "@agent-marketplace/core/sessions/Sessions"
import type { Live } from "@agent-marketplace/core/live/Live"
import type { Licenses } from "@agent-marketplace/core/licenses/Licenses"
import type { Listings } from "@agent-marketplace/core/listings/Listings"
import type { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import type { OauthClients } from "@agent-marketplace/core/oauth/OauthClients"
import type { OauthGrants } from "@agent-marketplace/core/oauth/OauthGrants"
import type { OauthTokens } from "@agent-marketplace/core/oauth/OauthTokens"
import type { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import type { ItemTrust } from "@agent-marketplace/core/releases/ItemTrust"
import type { PublicSkills } from "@agent-marketplace/core/releases/PublicSkills"
import type { Images } from "@agent-marketplace/core/images/Images"
import type { Releases } from "@agent-marketplace/core/releases/Releases"
import type { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import type { Subscriptions } from "@agent-marketplace/core/purchases/Subscriptions"
import type { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import type { MarketKeys } from "@agent-marketplace/core/signing/MarketKeys"
import type { Souls } from "@agent-marketplace/core/souls/Souls"
import type { Payouts } from "@agent-marketplace/core/wallets/Payouts"
import type { ForeignAssets } from "@agent-marketplace/core/wallets/ForeignAssets"
import type { Advisories } from "@agent-marketplace/core/advisories/Advisories"
import type { ItemControl } from "@agent-marketplace/core/advisories/ItemControl"
import type { Revocations } from "@agent-marketplace/core/advisories/Revocations"
import type { HeldDeposits } from "@agent-marketplace/core/screening/HeldDeposits"
import type { TreasuryControl } from "@agent-marketplace/core/wallets/TreasuryControl"
import type { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import type { WithdrawalControl } from "@agent-marketplace/core/wallets/WithdrawalControl"
import type { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import type { ProcessMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
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
import { AdvisoriesHandlers } from "./advisories/AdvisoriesHandlers.ts"
import { AdminItemsHandlers } from "./advisories/AdminItemsHandlers.ts"
import { AdminHandlers } from "./admin/AdminHandlers.ts"
import { ConditionsHandlers } from "./health/ConditionsHandlers.ts"
import { AdminAppealsHandlers } from "./moderation/AdminAppealsHandlers.ts"
import { AppealsHandlers } from "./moderation/AppealsHandlers.ts"
import { AdminReportsHandlers } from "./moderation/AdminReportsHandlers.ts"
import { ReportsHandlers } from "./moderation/ReportsHandlers.ts"
import { DomainsHandlers } from "./domains/DomainsHandlers.ts"
import { AccountsHandlers } from "./identity/AccountsHandlers.ts"
import { AgentsHandlers } from "./identity/AgentsHandlers.ts"
import { KeysHandlers } from "./identity/KeysHandlers.ts"
import { ApprovalRoutes } from "./approvals/ApprovalRoutes.ts"
import { ApprovalsHandlers } from "./approvals/ApprovalsHandlers.ts"
import { PoliciesHandlers } from "./approvals/PoliciesHandlers.ts"
import { UploadFolder } from "./blobs/UploadFolder.ts"
import { PeerAddress } from "./edge/ClientAddress.ts"
import { EndpointGuard } from "./edge/EndpointGuard.ts"
import { planOf } from "./edge/EndpointPlan.ts"
import type { Annotated } from "./edge/EndpointPlan.ts"
import { Failures } from "./edge/Failures.ts"
import { makeRequestContext } from "./edge/RequestContext.ts"
import { leanServer } from "./edge/RequestServices.ts"
import { makeRouteTable, makeSheddable, routerConfig } from "./edge/RouteTable.ts"
import type { Route } from "./edge/RouteTable.ts"
import { EnvelopedListingsHandlers, ListingsHandlers } from "./listings/ListingsHandlers.ts"
import { SessionAccess } from "./sessions/SessionAccess.ts"
import { SignInRoute } from "./sessions/SignInRoute.ts"
import { StepUpRoute } from "./sessions/StepUpRoute.ts"
import { SignInLimit } from "./sessions/SignInLimit.ts"
import { SessionsHandlers } from "./sessions/SessionsHandlers.ts"
import { LiveConnections } from "./live/LiveConnections.ts"
import { LiveHandlers } from "./live/LiveHandlers.ts"
import { LicensesHandlers } from "./licenses/LicensesHandlers.ts"
import { EnvelopedImagesHandlers, ImagesHandlers, SoulImagesHandlers } from "./images/ImagesHandlers.ts"
import { ImageRoutes } from "./images/ImageRoutes.ts"
import { SkillFilesRoutes } from "./releases/SkillFilesRoutes.ts"
import { SkillsHandlers } from "./listings/SkillsHandlers.ts"
import type { RateLimits } from "./limits/RateLimits.ts"
import { LoadShedding } from "./overload/LoadShedding.ts"
import { HttpMetrics } from "./observability/HttpMetrics.ts"
import { RequestLog } from "./observability/RequestLog.ts"
import type { HttpOptions } from "./options/HttpOptions.ts"
import { ConsentRoutes } from "./oauth/ConsentRoutes.ts"
import { OauthHandlers } from "./oauth/OauthHandlers.ts"
import { OauthRoutes } from "./oauth/OauthRoutes.ts"
import { PasskeysHandlers } from "./passkeys/PasskeysHandlers.ts"
import { PurchasesHandlers } from "./purchases/PurchasesHandlers.ts"
import { SubscriptionsHandlers } from "./purchases/SubscriptionsHandlers.ts"
import { EnvelopedReleasesHandlers, ReleasesHandlers, TrustHandlers } from "./releases/ReleasesHandlers.ts"
import { UploadPlaces } from "./releases/UploadPlaces.ts"
import { NotificationsHandlers } from "./notifications/NotificationsHandlers.ts"
import { UnsubscribeRoutes } from "./notifications/UnsubscribeRoutes.ts"
import { ServedApi } from "./ServedApi.ts"
import { CatalogueHandlers } from "./catalogue/CatalogueHandlers.ts"
import { SigningHandlers } from "./signing/SigningHandlers.ts"
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
  DomainsHandlers,
  AppealsHandlers,
  AdminAppealsHandlers,
  ReportsHandlers,
  AdminReportsHandlers,
  KeysHandlers,
  SessionsHandlers,
  OauthHandlers,
  PasskeysHandlers,
  SoulsHandlers,
  AdminSoulsHandlers,
  CatalogueHandlers,
  ListingsHandlers,
  EnvelopedListingsHandlers,
  ReleasesHandlers,
  EnvelopedReleasesHandlers,
  ImagesHandlers,
  EnvelopedImagesHandlers,
  SoulImagesHandlers,
  TrustHandlers,
  SkillsHandlers,
  PurchasesHandlers,
  LicensesHandlers,
  SubscriptionsHandlers,
  ApprovalsHandlers,
  PoliciesHandlers,
  WalletsHandlers,
  WithdrawalRulesHandlers,
  WebhooksHandlers,
  NotificationsHandlers,
  ActivityHandlers,
  LiveHandlers.pipe(Layer.provide(LiveConnections.layer)),
  AdminHandlers,
  AdminAccountsHandlers,
  AdminPayoutsHandlers,
  AdminTreasuryHandlers,
  AdminForeignAssetsHandlers,
  AdminDepositsHandlers,
  AdminItemsHandlers,
  AdvisoriesHandlers,
  ConditionsHandlers,
  SigningHandlers,
  SystemHandlers
)

const plans = (Object.values(ServedApi.groups) as ReadonlyArray<Annotated & { readonly endpoints: object }>).flatMap(
  (group) =>
    (Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>).map((endpoint) => planOf(endpoint, group))
)

const requestContext = (more: ReadonlyArray<Route>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      yield* router.addGlobalMiddleware(
        yield* makeRequestContext(
          makeRouteTable([
            ...plans.map(({ method, route }) => ({ method, path: route })),
            ...DocsRoute.routes,
            SignInRoute.route,
            StepUpRoute.route,
            ...OauthRoutes.routes,
            ...ConsentRoutes.routes,
            ...ApprovalRoutes.routes,
            ...UnsubscribeRoutes.routes,
            ...SkillFilesRoutes.routes,
            ...ImageRoutes.routes,
            ...more
          ]),
          makeSheddable(plans)
        )
      )
    })
  )

const platform = NodeHttpServer.layerHttpServices

/** Every route of the market for an `HttpRouter`, and in the table of routes those that other layers add. Requires the market's services, `RateLimits` and `HttpOptions`. */
const routesAnd = (more: ReadonlyArray<Route>) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(ServedApi),
    DocsRoute.layerWith(more),
    SignInRoute.layer,
    StepUpRoute.layer,
    OauthRoutes.layer,
    ConsentRoutes.layer,
    ApprovalRoutes.layer,
    UnsubscribeRoutes.layer,
    SkillFilesRoutes.layer,
    ImageRoutes.layer,
    requestContext(more)
  ).pipe(
    Layer.provide(handlers),
    Layer.provide(EndpointGuard.layer),
    Layer.provide(RequestLog.layer),
    Layer.provideMerge(
      Layer.mergeAll(HttpMetrics.layer, Failures.layer, LoadShedding.layer, SessionAccess.layer, SignInLimit.layer)
    ),
    Layer.provide([UploadFolder.layer(), UploadPlaces.layer]),
    Layer.provide(platform)
  )

const routes = routesAnd([])

/** The routes, and further ones inside the same request context. `table` lists those that answer `OPTIONS` as all others do (CORS-1). */
const routesWith = <A, E, R>(more: Layer.Layer<A, E, R>, table: ReadonlyArray<Route>) =>
  Layer.provideMerge(more, routesAnd(table))

/** The services that the routes require. */
export type MarketServices =
  | AccountExports
  | ActivityFeed
  | Administration
  | AgentControl
  | Domains
  | Appeals
  | Reports
  | Approvals
  | Authorization
  | Chain
  | Conditions
  | HttpOptions
  | Identity
  | Images
  | Licenses
  | Listings
  | Live
  | MarketClock
  | MarketKeys
  | OauthClients
  | OauthGrants
  | OauthTokens
  | Notifications
  | Passkeys
  | ProcessMetrics
  | Purchases
  | RateLimits
  | Advisories
  | ItemControl
  | Revocations
  | ItemTrust
  | BlobStore
  | Readiness
  | PublicSkills
  | Releases
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
  serve: Layer.provideMerge(drainFirst, Layer.provide(HttpRouter.serve(routes, serving), leanServer)),
  routesWith,
  /** The routes of `routesWith` on an `HttpServer`. */
  serveWith: <A, E, R>(more: Layer.Layer<A, E, R>, table: ReadonlyArray<Route>) =>
    Layer.provideMerge(drainFirst, Layer.provide(HttpRouter.serve(routesWith(more, table), serving), leanServer)),
  toFetchHandler
}
