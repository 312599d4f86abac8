import { Effect, Layer, Redacted } from "effect"
import { PostgresActionStore } from "./admin/PostgresActionStore.ts"
import { PostgresAdminStore } from "./admin/PostgresAdminStore.ts"
import { PostgresActivityStore } from "./activity/PostgresActivityStore.ts"
import { PostgresAdvisoryStore } from "./advisories/PostgresAdvisoryStore.ts"
import { PostgresRevocationStore } from "./advisories/PostgresRevocationStore.ts"
import { PostgresApprovalStore } from "./approvals/PostgresApprovalStore.ts"
import { PostgresBlobRegistry } from "./blobs/PostgresBlobRegistry.ts"
import { PostgresBlobStore } from "./blobs/PostgresBlobStore.ts"
import { PostgresSimulatedChain } from "./chain/PostgresSimulatedChain.ts"
import { PostgresMarketClock } from "./clock/PostgresMarketClock.ts"
import type { DatabaseConfig } from "./Database.ts"
import { Database } from "./Database.ts"
import { checkServer } from "./connect/checkServer.ts"
import { PostgresDomainStore } from "./domains/PostgresDomainStore.ts"
import { PostgresAppealStore } from "./moderation/PostgresAppealStore.ts"
import { PostgresReportStore } from "./moderation/PostgresReportStore.ts"
import { PostgresEventLog } from "./events/PostgresEventLog.ts"
import { PostgresConditionStore } from "./health/PostgresConditionStore.ts"
import { PostgresStoreHealth } from "./health/PostgresStoreHealth.ts"
import { PostgresExportStore } from "./identity/PostgresExportStore.ts"
import { IdentityAnnouncements } from "./identity/IdentityChanges.ts"
import { PostgresIdentityStore } from "./identity/PostgresIdentityStore.ts"
import { PostgresImageStore } from "./images/PostgresImageStore.ts"
import { PostgresLeaseStore } from "./jobs/PostgresLeaseStore.ts"
import { PostgresActivationStore } from "./licenses/PostgresActivationStore.ts"
import { PostgresListingStore } from "./listings/PostgresListingStore.ts"
import { migrate } from "./migrate.ts"
import { Notifications } from "./Notifications.ts"
import { grantRuntime, oneConnection, warnOfSuperuser } from "./roles/prepareRoles.ts"
import { PostgresNotificationStore } from "./notifications/PostgresNotificationStore.ts"
import { PostgresOauthStore } from "./oauth/PostgresOauthStore.ts"
import { PostgresPasskeyStore } from "./passkeys/PostgresPasskeyStore.ts"
import { PostgresPurchaseStore } from "./purchases/PostgresPurchaseStore.ts"
import { PostgresReleaseStore } from "./releases/PostgresReleaseStore.ts"
import { PostgresScreeningStore } from "./screening/PostgresScreeningStore.ts"
import { PostgresSessionStore } from "./sessions/PostgresSessionStore.ts"
import { PostgresSettlementStore } from "./settlement/PostgresSettlementStore.ts"
import { PostgresSigningKeyStore } from "./signing/PostgresSigningKeyStore.ts"
import { PostgresSoulStore } from "./souls/PostgresSoulStore.ts"
import { PostgresForeignAssetStore } from "./wallets/PostgresForeignAssetStore.ts"
import { PostgresSweepStore } from "./wallets/PostgresSweepStore.ts"
import { PostgresTreasuryStore } from "./wallets/PostgresTreasuryStore.ts"
import { PostgresWalletStore } from "./wallets/PostgresWalletStore.ts"
import { PostgresWebhookStore } from "./webhooks/PostgresWebhookStore.ts"

/** Migrates as the owner, and gives the role that serves requests its privileges. */
const migrateAs = (ownerUrl: Redacted.Redacted, role: string) =>
  Effect.andThen(migrate, grantRuntime(role)).pipe(Effect.provide(Database.layer({ url: ownerUrl, ...oneConnection })))

/** The database, with its schema brought up to date before any other use. */
const migrated = (config: DatabaseConfig) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* checkServer
      yield* config.ownerUrl === undefined
        ? migrate
        : migrateAs(config.ownerUrl, decodeURIComponent(new URL(Redacted.value(config.url)).username))
      if (config.warnOfSuperuser === true) yield* warnOfSuperuser
    })
  ).pipe(Layer.provideMerge(Database.layer(config)))

const stores = Layer.mergeAll(
  PostgresActionStore.layer,
  PostgresActivationStore.layer,
  PostgresActivityStore.layer,
  PostgresAdminStore.layer,
  PostgresAdvisoryStore.layer,
  PostgresApprovalStore.layer,
  PostgresBlobRegistry.layer,
  PostgresBlobStore.layer,
  PostgresConditionStore.layer,
  PostgresDomainStore.layer,
  PostgresAppealStore.layer,
  PostgresReportStore.layer,
  PostgresEventLog.layer,
  PostgresExportStore.layer,
  PostgresForeignAssetStore.layer,
  PostgresIdentityStore.layer,
  PostgresImageStore.layer,
  PostgresLeaseStore.layer,
  PostgresListingStore.layer,
  PostgresNotificationStore.layer,
  PostgresOauthStore.layer,
  PostgresPasskeyStore.layer,
  PostgresPurchaseStore.layer,
  PostgresReleaseStore.layer,
  PostgresRevocationStore.layer,
  PostgresScreeningStore.layer,
  PostgresSessionStore.layer,
  PostgresSettlementStore.layer,
  PostgresSigningKeyStore.layer,
  PostgresSoulStore.layer,
  PostgresStoreHealth.layer,
  PostgresSweepStore.layer,
  PostgresTreasuryStore.layer,
  PostgresWalletStore.layer,
  PostgresWebhookStore.layer,
  Database.positions
).pipe(Layer.provide(IdentityAnnouncements.layer))

/**
 * Every port of the market on PostgreSQL. Needs `Digest` of `effect/crypto`. Fails if the database cannot be reached at the start;
 * later outages are tolerated.
 */
export const PostgresStores = {
  /** With a simulated chain, which is stored in the database. */
  layer: (config: DatabaseConfig) =>
    Layer.merge(stores, PostgresSimulatedChain.layer).pipe(
      Layer.provideMerge(PostgresMarketClock.layer),
      Layer.provide(Notifications.layer),
      Layer.provide(migrated(config))
    ),
  /** For a market on a real chain. */
  withoutChain: (config: DatabaseConfig) =>
    stores.pipe(
      Layer.provideMerge(PostgresMarketClock.layer),
      Layer.provide(Notifications.layer),
      Layer.provide(migrated(config))
    )
}
