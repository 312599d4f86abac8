import type { ScanPosition } from "@agent-marketplace/core/wallets/ScanPosition"
import type { Advisory, AdvisoryDraft } from "@agent-marketplace/core/advisories/Advisory"
import type { Revocation } from "@agent-marketplace/core/advisories/Revocation"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Appeal } from "@agent-marketplace/core/moderation/Appeal"
import type { Report } from "@agent-marketplace/core/moderation/Report"
import type { Domain } from "@agent-marketplace/core/domains/Domain"
import type { Condition } from "@agent-marketplace/core/health/Condition"
import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type {
  AccountId,
  AddressId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  GrantId,
  OauthRequestId,
  ItemId,
  KeyId,
  ListingId,
  PasskeyId,
  PurchaseId,
  ReleaseId,
  RenewalId,
  AppealId,
  ChannelId,
  ReportId,
  RevocationId,
  SessionId,
  SoulId,
  SubscriptionId,
  DeliveryId,
  ForeignAssetId,
  WebhookId,
  WithdrawalId
} from "@agent-marketplace/core/ids/Ids"
import type { ItemImage } from "@agent-marketplace/core/images/ItemImage"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { Activation } from "@agent-marketplace/core/licenses/Activation"
import type { Listing, ListingStats } from "@agent-marketplace/core/listings/Listing"
import type { Challenge, Passkey } from "@agent-marketplace/core/passkeys/Passkey"
import type { Session, SignInLink } from "@agent-marketplace/core/sessions/Session"
import type { Review } from "@agent-marketplace/core/listings/Review"
import type { Notice } from "@agent-marketplace/core/notifications/Notice"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import type { NotificationPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import type { Confirmation } from "@agent-marketplace/core/notifications/NotificationStore"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { OauthClient } from "@agent-marketplace/core/oauth/OauthClient"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { Renewal, Subscription } from "@agent-marketplace/core/purchases/Subscription"
import type { Release } from "@agent-marketplace/core/releases/Release"
import type { Scan, Sketch } from "@agent-marketplace/core/releases/Verdict"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import type { Entitlement, IdempotentResult } from "@agent-marketplace/core/settlement/MarketState"
import type { SigningKey } from "@agent-marketplace/core/signing/SigningKey"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { SoulVersion } from "@agent-marketplace/core/souls/SoulStore"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import type { LedgerLine, WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { SweepEnd, SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import type { OutgoingTransfer, Treasury } from "@agent-marketplace/core/wallets/TreasuryStore"
import type { WalletTransaction } from "@agent-marketplace/core/wallets/WalletStore"
import type { PayoutPause, Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import type { SavedAddress, StoredWithdrawalRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import type { Delivery, DeliveryAttempt } from "@agent-marketplace/core/webhooks/Delivery"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { Included } from "./chain/Included.ts"
import type { SpendingLog } from "./settlement/SpendingLog.ts"
import type { Facets } from "./catalogue/Facets.ts"
import { UniqueSlugs } from "./slugs/UniqueSlugs.ts"

/** What an audit that found no difference has read: the first `entries` lines, and their sums for each wallet. */
export interface LedgerCheckpoint {
  readonly at: Timestamp
  readonly entries: number
  readonly balances: ReadonlyMap<AccountId, WalletBalance>
}

export interface StoredSoul {
  readonly soul: Soul
  /** The JSON that `SoulJson` rendered. */
  readonly itemHead: string
  readonly detailHead: string
  readonly skillHead: string
  readonly facets: Facets
  readonly nameKeys: ReadonlyArray<string>
  readonly namedAt: Timestamp
}

export interface StoredListing {
  readonly listing: Listing
  readonly listingHead: string
  readonly skillHead: string
  readonly skillDetailHead: string
  readonly facets: Facets
  readonly nameKeys: ReadonlyArray<string>
  readonly namedAt: Timestamp
}

/** A release without its verdict, which `scans` contains. */
export type StoredRelease = Omit<Release, "capabilities" | "verdict">

/** A channel, the number of events before it, and the claim of its message. */
export interface StoredChannel {
  readonly channel: NotificationChannel
  readonly start: number
  readonly claim: { readonly id: string; readonly until: number } | null
}

/** A notice, and the id of the message that it has become a part of. */
export interface StoredNotice {
  readonly notice: Notice
  readonly message: string | null
}

/** A transfer from the hot wallet that no withdrawal explained when it was found. */
export interface RecordedTransfer extends OutgoingTransfer {
  readonly explanation: string | null
}

const emptyTreasury: Treasury = { token: null, hot: null, cold: null, hotCeiling: null, topUpBelow: null }

/**
 * The whole state of the market. Records are replaced, never changed in place, and an element of an array is replaced with `splice`: the SQLite
 * adapter stores these changes.
 */
export const emptyTables = () => ({
  accounts: new Map<AccountId, Account>(),
  erased: new Set<AccountId>(),
  agents: new Map<AgentId, Agent>(),
  agentsOf: new Map<AccountId, Set<AgentId>>(),
  claimCodes: new Map<string, AgentId>(),
  keys: new Map<KeyId, ApiKey>(),
  keysByHash: new Map<string, KeyId>(),
  keysOf: new Map<AccountId, Set<KeyId>>(),
  keysOfAgent: new Map<AgentId, Set<KeyId>>(),
  /** Keys whose owner was notified that a rotation is due. */
  rotationsAnnounced: new Set<KeyId>(),
  sessions: new Map<SessionId, Session>(),
  sessionsByHash: new Map<string, SessionId>(),
  passkeys: new Map<PasskeyId, Passkey>(),
  challenges: new Map<string, Challenge>(),
  signInLinks: new Map<string, SignInLink>(),
  /** By the digest of the client address. */
  signInAttempts: new Map<string, { readonly count: number; readonly resetAt: Timestamp }>(),
  oauthClients: new Map<string, OauthClient>(),
  oauthRequests: new Map<OauthRequestId, AuthorizationRequest>(),
  /** The last time a device requested its tokens. */
  oauthPolls: new Map<OauthRequestId, Timestamp>(),
  oauthGrants: new Map<GrantId, OauthGrant>(),
  /** By hash. */
  oauthTokens: new Map<string, OauthToken>(),
  /** By machine. */
  activations: new Map<PurchaseId, Map<string, Activation>>(),
  /** In the order in which they were registered. */
  signingKeys: new Map<string, SigningKey>(),
  appeals: new Map<AppealId, Appeal>(),
  reports: new Map<ReportId, Report>(),
  /** By `domainKey`. */
  domains: new Map<string, Domain>(),
  channels: new Map<ChannelId, StoredChannel>(),
  notices: new Map<string, StoredNotice>(),
  notificationPreferences: new Map<AccountId, NotificationPreferences>(),
  confirmations: new Array<Confirmation>(),
  /** Append-only. */
  actions: [] as Array<OperatorAction>,

  souls: new Map<SoulId, StoredSoul>(),
  soulsBySlug: new Map<string, SoulId>(),
  soulsOf: new Map<AccountId, Set<SoulId>>(),
  soulSlugs: new UniqueSlugs(),
  soulVersions: new Map<SoulId, ReadonlyArray<SoulVersion>>(),
  downloads: new Map<SoulId, Set<AccountId>>(),

  listings: new Map<ListingId, StoredListing>(),
  listingsBySlug: new Map<string, ListingId>(),
  listingsOf: new Map<AccountId, Set<ListingId>>(),
  listingSlugs: new UniqueSlugs(),
  /** The thumbnail first, then the screenshots in their order. */
  images: new Map<ItemId, ReadonlyArray<ItemImage>>(),
  releases: new Map<ReleaseId, StoredRelease>(),
  releasesOf: new Map<ItemId, Set<ReleaseId>>(),
  quarantinedReleases: new Set<ReleaseId>(),
  /** By `scanKey`. */
  scans: new Map<string, Scan>(),
  /** By `scanKey`. */
  sketches: new Map<string, Sketch>(),
  /** The releases that are on sale or were, with the order in which they were for the first time. */
  onSaleSince: new Map<ReleaseId, number>(),
  ratings: new Map<ItemId, Pick<ListingStats, "rating" | "reviews">>(),
  /** `counts` is false once the author's purchase was refunded. */
  reviews: new Map<ItemId, Map<AccountId, { readonly review: Review; readonly counts: boolean }>>(),
  sold: new Map<ItemId, number>(),
  /** Paid purchases up to this time count in full for the popularity of their items. */
  aged: { until: Number.NEGATIVE_INFINITY },

  wallets: new Map<AccountId, WalletBalance>(),
  lines: [] as Array<LedgerLine>,
  checkpoint: { last: null as LedgerCheckpoint | null },
  transactions: new Map<AccountId, Array<WalletTransaction>>(),
  addresses: new Map<AccountId, string>(),
  addressIndexes: new Map<string, number>(),
  addressOwners: new Map<string, AccountId>(),
  /** By the id of the sale or renewal. */
  escrow: new Map<string, Escrow>(),
  escrowOf: new Map<AccountId, Set<string>>(),
  deposits: new Map<string, Deposit>(),
  heldDeposits: new Map<HeldDepositId, HeldDeposit>(),
  /** The failures of screening by deposit or queued withdrawal: the time of the next attempt, the number of failures, and the last reason. */
  screeningFailures: new Map<
    HeldDepositId | WithdrawalId,
    { readonly until: Timestamp; readonly failures: number; readonly reason: string }
  >(),
  pending: new Map<string, ReadonlyArray<Deposit>>(),
  cursors: new Map<string, ScanPosition>(),
  treasury: { now: emptyTreasury },
  /** By `depositKey`. */
  outgoing: new Map<string, RecordedTransfer>(),
  foreignAssets: new Map<ForeignAssetId, ForeignAsset>(),
  /** By UTC day: what was recorded within the limits, and what was left out. */
  foreignDays: new Map<string, { readonly recorded: number; readonly leftOut: number }>(),
  /** By the id of the transaction. */
  sweeps: new Map<string, SweepTransfer & { readonly ended: SweepEnd | null }>(),
  withdrawals: new Map<WithdrawalId, Withdrawal>(),
  withdrawalsByTransaction: new Map<string, WithdrawalId>(),
  withdrawalsOf: new Map<AccountId, Set<WithdrawalId>>(),
  /** Until when the payment of a queued withdrawal waits, and how often it was refused. */
  payoutDeferrals: new Map<
    WithdrawalId,
    { readonly until: Timestamp; readonly refusals: number; readonly reason: string }
  >(),
  withdrawalRules: new Map<AccountId, StoredWithdrawalRules>(),
  savedAddresses: new Map<AddressId, SavedAddress>(),
  savedAddressesOf: new Map<AccountId, Set<AddressId>>(),
  payouts: { pause: null as PayoutPause | null },

  purchases: new Map<PurchaseId, Purchase>(),
  purchasesByBuyer: new Map<AccountId, Set<PurchaseId>>(),
  purchasesBySeller: new Map<AccountId, Set<PurchaseId>>(),
  /** By buyer and item, as `entitlementKey` writes them: all purchases. */
  purchasesOfItem: new Map<string, Set<PurchaseId>>(),
  licenses: new Map<string, PurchaseId>(),
  entitlements: new Map<string, Entitlement>(),
  subscriptions: new Map<SubscriptionId, Subscription>(),
  subscriptionsOf: new Map<AccountId, Set<SubscriptionId>>(),
  subscriptionByPurchase: new Map<PurchaseId, SubscriptionId>(),
  subscriptionsTo: new Map<AccountId, Set<SubscriptionId>>(),
  renewals: new Map<RenewalId, Renewal>(),
  renewalsBySeller: new Map<AccountId, Set<RenewalId>>(),
  spending: new Map<AccountId | AgentId, SpendingLog>(),

  /** Recorded and not published yet. */
  advisoryDrafts: [] as Array<AdvisoryDraft>,
  /** Append-only. */
  advisories: [] as Array<Advisory>,
  revocations: new Map<RevocationId, Revocation>(),

  approvals: new Map<ApprovalId, Approval>(),
  approvalsOf: new Map<AccountId, Set<ApprovalId>>(),
  policies: new Map<AccountId | AgentId, SpendingPolicy>(),

  blobs: new Map<Sha256, Uint8Array>(),
  /** When each blob was last announced, in real time. */
  announcedBlobs: new Map<Sha256, Timestamp>(),
  /** The ids of the records that refer to a blob. */
  blobReferences: new Map<Sha256, Set<string>>(),
  /** Blobs that are being removed, with the time of the claim. */
  blobRemovals: new Map<Sha256, Timestamp>(),

  /** By `resultKey`, the oldest first. */
  results: new Map<string, IdempotentResult & { readonly at: Timestamp }>(),
  events: [] as Array<LoggedEvent>,
  /** Oldest first. */
  conditions: [] as Array<Condition>,
  /** Distinguishes the event ids of this market. */
  log: { life: "" },
  /** What `MarketClock.advance` has added, in milliseconds. */
  clock: { offset: 0 },
  /** The blocks of the simulated chain, and how many transfers from outside were made. */
  chain: { genesis: null as Timestamp | null, stalledAt: null as Timestamp | null, deposits: 0, outside: 0 },
  blocks: [] as Array<Included>,
  leases: new Map<string, { readonly holder: string; readonly until: Timestamp }>(),

  webhooks: new Map<WebhookId, Webhook>(),
  webhooksOf: new Map<AccountId, Set<WebhookId>>(),
  /** The length of the log when the webhook was created: it gets later events only. */
  webhookStarts: new Map<WebhookId, number>(),
  /** How many events of the log were fanned out. */
  fannedOut: { events: 0, notified: 0 },
  deliveries: new Map<DeliveryId, Delivery>(),
  deliveriesOf: new Map<WebhookId, Set<DeliveryId>>(),
  /** Deliveries that have a next attempt. */
  waiting: new Map<WebhookId, Set<DeliveryId>>(),
  attempts: new Map<DeliveryId, ReadonlyArray<DeliveryAttempt>>(),
  /** `until` is in real time. */
  claims: new Map<DeliveryId, { readonly claim: string; readonly until: Timestamp }>()
})

export type MarketTables = ReturnType<typeof emptyTables>
