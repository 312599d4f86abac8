import { Layer } from "effect"
import { MemoryActionStore } from "./admin/MemoryActionStore.ts"
import { MemoryAdminStore } from "./admin/MemoryAdminStore.ts"
import { MemoryActivityStore } from "./activity/MemoryActivityStore.ts"
import { MemoryAdvisoryStore } from "./advisories/MemoryAdvisoryStore.ts"
import { MemoryRevocationStore } from "./advisories/MemoryRevocationStore.ts"
import { MemoryApprovalStore } from "./approvals/MemoryApprovalStore.ts"
import { MemoryBlobRegistry } from "./blobs/MemoryBlobRegistry.ts"
import { MemoryBlobStore } from "./blobs/MemoryBlobStore.ts"
import { ScriptedChain } from "./chain/ScriptedChain.ts"
import { MemoryMarketClock } from "./clock/MemoryMarketClock.ts"
import { MemoryDomainStore } from "./domains/MemoryDomainStore.ts"
import { MemoryAppealStore } from "./moderation/MemoryAppealStore.ts"
import { MemoryReportStore } from "./moderation/MemoryReportStore.ts"
import { MemoryEventLog } from "./events/MemoryEventLog.ts"
import { MemoryConditionStore } from "./health/MemoryConditionStore.ts"
import { MemoryStoreHealth } from "./health/MemoryStoreHealth.ts"
import { MemoryExportStore } from "./identity/MemoryExportStore.ts"
import { MemoryIdentityStore } from "./identity/MemoryIdentityStore.ts"
import { MemoryImageStore } from "./images/MemoryImageStore.ts"
import { MemoryLeaseStore } from "./jobs/MemoryLeaseStore.ts"
import { MemoryActivationStore } from "./licenses/MemoryActivationStore.ts"
import { MemoryListingStore } from "./listings/MemoryListingStore.ts"
import { MemoryMarket } from "./MemoryMarket.ts"
import { MemoryNotificationStore } from "./notifications/MemoryNotificationStore.ts"
import { MemoryOauthStore } from "./oauth/MemoryOauthStore.ts"
import { MemoryPasskeyStore } from "./passkeys/MemoryPasskeyStore.ts"
import { MemoryPurchaseStore } from "./purchases/MemoryPurchaseStore.ts"
import { MemoryReleaseStore } from "./releases/MemoryReleaseStore.ts"
import { MemoryScreeningStore } from "./screening/MemoryScreeningStore.ts"
import { MemorySessionStore } from "./sessions/MemorySessionStore.ts"
import { MemorySettlementStore } from "./settlement/MemorySettlementStore.ts"
import { MemorySigningKeyStore } from "./signing/MemorySigningKeyStore.ts"
import { MemorySoulStore } from "./souls/MemorySoulStore.ts"
import { MemoryForeignAssetStore } from "./wallets/MemoryForeignAssetStore.ts"
import { MemorySweepStore } from "./wallets/MemorySweepStore.ts"
import { MemoryTreasuryStore } from "./wallets/MemoryTreasuryStore.ts"
import { MemoryWalletStore } from "./wallets/MemoryWalletStore.ts"
import { MemoryWebhookStore } from "./webhooks/MemoryWebhookStore.ts"

const stores = Layer.mergeAll(
  MemoryActionStore.layer,
  MemoryActivationStore.layer,
  MemoryActivityStore.layer,
  MemoryAdminStore.layer,
  MemoryAdvisoryStore.layer,
  MemoryApprovalStore.layer,
  MemoryBlobRegistry.layer,
  MemoryBlobStore.layer,
  MemoryConditionStore.layer,
  MemoryDomainStore.layer,
  MemoryAppealStore.layer,
  MemoryReportStore.layer,
  MemoryEventLog.layer,
  MemoryExportStore.layer,
  MemoryForeignAssetStore.layer,
  MemoryIdentityStore.layer,
  MemoryImageStore.layer,
  MemoryLeaseStore.layer,
  MemoryListingStore.layer,
  MemoryNotificationStore.layer,
  MemoryOauthStore.layer,
  MemoryPasskeyStore.layer,
  MemoryPurchaseStore.layer,
  MemoryReleaseStore.layer,
  MemoryRevocationStore.layer,
  MemoryScreeningStore.layer,
  MemorySessionStore.layer,
  MemorySettlementStore.layer,
  MemorySigningKeyStore.layer,
  MemorySoulStore.layer,
  MemoryStoreHealth.layer,
  MemorySweepStore.layer,
  MemoryTreasuryStore.layer,
  MemoryWalletStore.layer,
  MemoryWebhookStore.layer
)

const state = MemoryMarketClock.layer.pipe(Layer.provideMerge(MemoryMarket.layer))

/**
 * Every port of the market in memory, over one state that lives as long as the layer. Needs `Digest` and `SecureRandom` of
 * `effect/crypto`.
 */
export const MemoryStores = {
  /** With a simulated chain that follows a script of faults. */
  layer: Layer.merge(stores, ScriptedChain.layer).pipe(Layer.provideMerge(state)),
  /** For a market on another chain. */
  withoutChain: stores.pipe(Layer.provideMerge(state)),
  /** The same over a market that the caller provides. */
  over: {
    layer: Layer.merge(stores, ScriptedChain.layer).pipe(Layer.provideMerge(MemoryMarketClock.layer)),
    withoutChain: stores.pipe(Layer.provideMerge(MemoryMarketClock.layer))
  }
}
