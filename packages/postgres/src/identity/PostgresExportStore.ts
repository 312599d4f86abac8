import { ExportStore } from "@agent-marketplace/core/identity/ExportStore"
import { Effect, Layer, Stream } from "effect"
import type { AgentId } from "@agent-marketplace/core/ids/Ids"
import type { PolicyJson } from "../approvals/ApprovalRow.ts"
import { approvalColumns, policyOf } from "../approvals/ApprovalRow.ts"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { domainColumns } from "../domains/PostgresDomainStore.ts"
import { activationColumns } from "../licenses/PostgresActivationStore.ts"
import type { ReviewRow } from "../listings/ListingRow.ts"
import { listingColumns, listingOf, reviewColumns, reviewOf } from "../listings/ListingRow.ts"
import type { SaleRow } from "../purchases/PurchaseRow.ts"
import { itemColumnNames, purchaseColumns, saleOf, subscriptionColumns } from "../purchases/PurchaseRow.ts"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"
import { soulColumns, soulOf } from "../souls/SoulRow.ts"
import { withdrawalColumns } from "../wallets/WalletRow.ts"
import type { SavedAddressRow } from "../wallets/WithdrawalRulesRow.ts"
import { savedAddressOf } from "../wallets/WithdrawalRulesRow.ts"
import type { WebhookRow } from "../webhooks/WebhookRow.ts"
import { webhookColumns, webhookOf } from "../webhooks/WebhookRow.ts"
import type { AgentRow } from "./IdentityRow.ts"
import { agentOf, keyColumns, keyOf, readAgent } from "./IdentityRow.ts"

/** One statement for each kind of record; `$1` is the account. */
export const exportStatements = {
  agents: `SELECT ${readAgent} FROM agents WHERE owner_id = $1::text ORDER BY created_at DESC, id DESC`,
  agentPolicies: `SELECT subject_id, policy FROM policies JOIN agents ON agents.id = subject_id
    WHERE owner_id = $1::text ORDER BY subject_id`,
  keys: `SELECT ${keyColumns} FROM api_keys WHERE account_id = $1::text ORDER BY created_at DESC, id DESC`,
  souls: `SELECT ${soulColumns} FROM souls JOIN soul_versions v ON v.soul_id = souls.id AND v.version = souls.version
    WHERE souls.author_id = $1::text ORDER BY souls.id`,
  soulVersions: `SELECT souls.slug, v.version, v.content, v.created_at FROM souls JOIN soul_versions v ON v.soul_id = souls.id
    WHERE souls.author_id = $1::text ORDER BY souls.id, v.version`,
  listings: `SELECT ${listingColumns} FROM listings WHERE creator_id = $1::text ORDER BY id`,
  reviews: `SELECT ${reviewColumns} FROM item_reviews WHERE author_id = $1::text`,
  purchases: `SELECT * FROM purchases WHERE buyer_id = $1::text ORDER BY purchased_at DESC, seq DESC`,
  activations: `SELECT license_activations.* FROM license_activations JOIN purchases ON purchases.id = purchase_id
    WHERE buyer_id = $1::text ORDER BY activated_at DESC, purchase_id, machine`,
  sales: `
    SELECT 'sale' AS kind, id, buyer_id, ${itemColumnNames}, amount, fee, status, license_type, purchased_at AS at,
      status AS license_status, expires_at
    FROM purchases WHERE seller_id = $1::text AND status IN ('completed', 'refunded')
    UNION ALL
    SELECT 'renewal', renewals.id, renewals.buyer_id, ${itemColumnNames}, renewals.amount, renewals.fee, renewals.status,
      license_type, renewals.at, purchases.status, expires_at
    FROM renewals JOIN purchases ON purchases.id = renewals.purchase_id AND purchases.buyer_id = renewals.buyer_id WHERE renewals.seller_id = $1::text`,
  approvals: `SELECT * FROM approvals WHERE account_id = $1::text ORDER BY requested_at DESC, seq DESC`,
  subscriptions: `SELECT * FROM subscriptions WHERE buyer_id = $1::text ORDER BY seq DESC`,
  withdrawals: `SELECT * FROM withdrawals WHERE account_id = $1::text ORDER BY created_at DESC, seq DESC`,
  withdrawalAddresses: `SELECT id, address, label, created_at FROM withdrawal_addresses WHERE account_id = $1::text ORDER BY seq`,
  webhooks: `SELECT ${webhookColumns} FROM webhooks WHERE account_id = $1::text ORDER BY created_at, seq`,
  domains: `SELECT * FROM account_domains WHERE account_id = $1::text ORDER BY domain`
} as const

interface VersionRow {
  readonly slug: string
  readonly version: number
  readonly content: string
  readonly created_at: Time
}

/** Each kind is one statement whose rows are fetched as they are consumed (ACCOUNT-6). */
export const PostgresExportStore: { readonly layer: Layer.Layer<ExportStore, never, Database> } = {
  layer: Layer.effect(
    ExportStore,
    Effect.map(Database, ({ stream }) => ({
      recordsOf: (account) => ({
        agents: Stream.map(stream<AgentRow>(exportStatements.agents, [account]), agentOf),
        agentPolicies: Stream.map(
          stream<{ readonly subject_id: AgentId; readonly policy: PolicyJson }>(exportStatements.agentPolicies, [
            account
          ]),
          ({ policy, subject_id }) => ({ agentId: subject_id, policy: policyOf(policy) })
        ),
        keys: Stream.map(stream<Row>(exportStatements.keys, [account]), keyOf),
        souls: Stream.map(stream<Row>(exportStatements.souls, [account]), soulOf),
        soulVersions: Stream.map(
          stream<VersionRow>(exportStatements.soulVersions, [account]),
          ({ content, created_at, slug, version }) => ({ slug, version, content, createdAt: time(created_at) })
        ),
        listings: Stream.map(stream<Row>(exportStatements.listings, [account]), listingOf),
        reviews: Stream.map(stream<ReviewRow>(exportStatements.reviews, [account]), reviewOf),
        purchases: Stream.map(stream<Row>(exportStatements.purchases, [account]), purchaseColumns.read),
        activations: Stream.map(stream<Row>(exportStatements.activations, [account]), activationColumns.read),
        sales: Stream.map(stream<SaleRow>(exportStatements.sales, [account]), saleOf),
        approvals: Stream.map(stream<Row>(exportStatements.approvals, [account]), approvalColumns.read),
        subscriptions: Stream.map(stream<Row>(exportStatements.subscriptions, [account]), subscriptionColumns.read),
        withdrawals: Stream.map(stream<Row>(exportStatements.withdrawals, [account]), withdrawalColumns.read),
        withdrawalAddresses: Stream.map(
          stream<SavedAddressRow>(exportStatements.withdrawalAddresses, [account]),
          savedAddressOf
        ),
        webhooks: Stream.map(stream<WebhookRow>(exportStatements.webhooks, [account]), webhookOf),
        domains: Stream.map(stream<Row>(exportStatements.domains, [account]), domainColumns.read)
      })
    }))
  )
}
