import type { ActionStore } from "./admin/ActionStore.ts"
import type { AdminStore } from "./admin/AdminStore.ts"
import type { ActivityStore } from "./activity/ActivityStore.ts"
import type { AdvisoryStore } from "./advisories/AdvisoryStore.ts"
import type { RevocationStore } from "./advisories/RevocationStore.ts"
import type { ApprovalStore } from "./approvals/ApprovalStore.ts"
import type { BlobRegistry } from "./blobs/BlobRegistry.ts"
import type { BlobStore } from "./blobs/BlobStore.ts"
import type { MarketClock } from "./clock/MarketClock.ts"
import type { DomainStore } from "./domains/DomainStore.ts"
import type { AppealStore } from "./moderation/AppealStore.ts"
import type { ReportStore } from "./moderation/ReportStore.ts"
import type { EventLog } from "./events/EventLog.ts"
import type { ConditionStore } from "./health/ConditionStore.ts"
import type { StoreHealth } from "./health/StoreHealth.ts"
import type { ExportStore } from "./identity/ExportStore.ts"
import type { IdentityStore } from "./identity/IdentityStore.ts"
import type { ImageStore } from "./images/ImageStore.ts"
import type { LeaseStore } from "./jobs/LeaseStore.ts"
import type { ActivationStore } from "./licenses/ActivationStore.ts"
import type { ListingStore } from "./listings/ListingStore.ts"
import type { NotificationStore } from "./notifications/NotificationStore.ts"
import type { OauthStore } from "./oauth/OauthStore.ts"
import type { PasskeyStore } from "./passkeys/PasskeyStore.ts"
import type { PurchaseStore } from "./purchases/PurchaseStore.ts"
import type { ReleaseStore } from "./releases/ReleaseStore.ts"
import type { ScreeningStore } from "./screening/ScreeningStore.ts"
import type { SessionStore } from "./sessions/SessionStore.ts"
import type { SettlementStore } from "./settlement/SettlementStore.ts"
import type { SigningKeyStore } from "./signing/SigningKeyStore.ts"
import type { SoulStore } from "./souls/SoulStore.ts"
import type { ForeignAssetStore } from "./wallets/ForeignAssetStore.ts"
import type { SweepStore } from "./wallets/SweepStore.ts"
import type { TreasuryStore } from "./wallets/TreasuryStore.ts"
import type { WalletStore } from "./wallets/WalletStore.ts"
import type { WebhookStore } from "./webhooks/WebhookStore.ts"

/** The ports that one storage adapter provides together. Contract suites run over them. */
export type MarketStores =
  | ActionStore
  | ActivationStore
  | ActivityStore
  | AdminStore
  | AdvisoryStore
  | ApprovalStore
  | BlobRegistry
  | BlobStore
  | ConditionStore
  | DomainStore
  | AppealStore
  | ReportStore
  | EventLog
  | ExportStore
  | ForeignAssetStore
  | IdentityStore
  | ImageStore
  | LeaseStore
  | ListingStore
  | MarketClock
  | NotificationStore
  | OauthStore
  | PasskeyStore
  | PurchaseStore
  | ReleaseStore
  | RevocationStore
  | ScreeningStore
  | SessionStore
  | SettlementStore
  | SigningKeyStore
  | SoulStore
  | StoreHealth
  | SweepStore
  | TreasuryStore
  | WalletStore
  | WebhookStore
