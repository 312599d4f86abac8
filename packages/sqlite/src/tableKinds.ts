import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { renderListing } from "@agent-marketplace/memory/listings/storeListing"
import type { MarketTables, StoredListing, StoredSoul } from "@agent-marketplace/memory/MarketTables"
import { renderSoul } from "@agent-marketplace/memory/souls/storeSoul"
import type { UniqueSlugs } from "@agent-marketplace/memory/slugs/UniqueSlugs"

/** A map whose values are stored without what is derived from them. */
export interface Rendered {
  readonly store: (value: never) => unknown
  readonly restore: (value: never) => unknown
}

/** How a table of the market is stored. `derived` is rebuilt at the start. A new table is a type error here until its kind is chosen. */
type KindOf<Table> =
  Table extends Map<string, Map<string, unknown> | Set<string>>
    ? "groups"
    : Table extends Map<string, unknown>
      ? "map" | "derived" | Rendered
      : Table extends Set<string>
        ? "set"
        : Table extends ReadonlyArray<unknown>
          ? "array"
          : Table extends UniqueSlugs
            ? "derived"
            : "fields"

type TableKinds = { readonly [Name in keyof MarketTables]: KindOf<MarketTables[Name]> }

export type TableKind = TableKinds[keyof MarketTables]

const soul: Rendered = {
  store: ({ namedAt, soul }: StoredSoul) => ({ namedAt, soul }),
  restore: ({ namedAt, soul }: { readonly namedAt: number; readonly soul: Soul }) => renderSoul(soul, namedAt)
}

const listing: Rendered = {
  store: ({ listing, namedAt }: StoredListing) => ({ namedAt, listing }),
  restore: ({ listing, namedAt }: { readonly namedAt: number; readonly listing: Listing }) =>
    renderListing(listing, namedAt)
}

export const tableKinds: TableKinds = {
  accounts: "map",
  erased: "set",
  agents: "map",
  agentsOf: "groups",
  claimCodes: "map",
  keys: "map",
  keysByHash: "map",
  keysOf: "groups",
  keysOfAgent: "groups",
  rotationsAnnounced: "set",
  sessions: "map",
  sessionsByHash: "map",
  passkeys: "map",
  challenges: "map",
  signInLinks: "map",
  signInAttempts: "map",
  oauthClients: "map",
  oauthRequests: "map",
  oauthPolls: "map",
  oauthGrants: "map",
  oauthTokens: "map",
  activations: "groups",
  signingKeys: "map",
  appeals: "map",
  reports: "map",
  domains: "map",
  channels: "map",
  notices: "map",
  notificationPreferences: "map",
  confirmations: "array",
  actions: "array",
  souls: soul,
  soulsBySlug: "map",
  soulsOf: "groups",
  soulSlugs: "derived",
  soulVersions: "map",
  downloads: "groups",
  listings: listing,
  listingsBySlug: "map",
  listingsOf: "groups",
  listingSlugs: "derived",
  images: "map",
  releases: "map",
  releasesOf: "groups",
  quarantinedReleases: "set",
  scans: "map",
  sketches: "map",
  onSaleSince: "map",
  ratings: "map",
  reviews: "groups",
  sold: "map",
  aged: "fields",
  wallets: "map",
  lines: "array",
  checkpoint: "fields",
  transactions: "derived",
  addresses: "map",
  addressIndexes: "map",
  addressOwners: "map",
  escrow: "map",
  escrowOf: "groups",
  deposits: "map",
  heldDeposits: "map",
  screeningFailures: "map",
  pending: "map",
  cursors: "map",
  treasury: "fields",
  outgoing: "map",
  foreignAssets: "map",
  foreignDays: "map",
  sweeps: "map",
  withdrawals: "map",
  withdrawalsByTransaction: "map",
  withdrawalsOf: "groups",
  payoutDeferrals: "map",
  withdrawalRules: "map",
  savedAddresses: "map",
  savedAddressesOf: "groups",
  payouts: "fields",
  purchases: "map",
  purchasesByBuyer: "groups",
  purchasesBySeller: "groups",
  purchasesOfItem: "groups",
  licenses: "map",
  entitlements: "map",
  subscriptions: "map",
  subscriptionsOf: "groups",
  subscriptionByPurchase: "map",
  subscriptionsTo: "groups",
  renewals: "map",
  renewalsBySeller: "groups",
  spending: "derived",
  advisoryDrafts: "array",
  advisories: "array",
  revocations: "map",
  approvals: "map",
  approvalsOf: "groups",
  policies: "map",
  blobs: "derived",
  announcedBlobs: "map",
  blobReferences: "groups",
  blobRemovals: "map",
  results: "map",
  events: "array",
  conditions: "array",
  log: "fields",
  clock: "fields",
  chain: "fields",
  blocks: "array",
  leases: "map",
  webhooks: "map",
  webhooksOf: "groups",
  webhookStarts: "map",
  fannedOut: "fields",
  deliveries: "map",
  deliveriesOf: "groups",
  waiting: "groups",
  attempts: "map",
  claims: "map"
}
