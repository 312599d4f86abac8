import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ExportedPolicy, ExportedVersion } from "@agent-marketplace/core/identity/ExportStore"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { Schema } from "effect"
import { Approval } from "../approvals/ApprovalSchemas.ts"
import { Policy, toPolicy } from "../approvals/PolicySchemas.ts"
import { Domain } from "../domains/DomainsGroup.ts"
import { ExportedActivation } from "../licenses/LicensesGroup.ts"
import { AdminListing, Review } from "../listings/ListingSchemas.ts"
import { Channel, Preferences } from "../notifications/NotificationSchemas.ts"
import { Grant } from "../oauth/OauthSchemas.ts"
import { Passkey } from "../passkeys/PasskeySchemas.ts"
import { Purchase, Sale, Subscription } from "../purchases/PurchaseSchemas.ts"
import { ListedSession } from "../sessions/SessionSchemas.ts"
import { Transaction, WalletBalance, Withdrawal } from "../wallets/WalletSchemas.ts"
import { SavedAddress, WithdrawalRules } from "../wallets/WithdrawalRulesSchemas.ts"
import { Webhook } from "../webhooks/WebhookSchemas.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { Account, Agent, Key } from "./IdentitySchemas.ts"

const slug = ResponseField.text("The soul's slug.", "calm-analyst")
const content = ResponseField.text("The whole text.", "# Calm Analyst")

const ExportedSoul = Schema.Struct({
  id: ResponseField.text("Prefix `soul_`.", "soul_01j9zq5k2f8h3m6n7p0r4s"),
  slug,
  name: ResponseField.text("Its name.", "Calm Analyst"),
  description: ResponseField.text("What it is.", "Reads numbers calmly."),
  price: ResponseField.money("Its price in USDC.", "5.00"),
  category: ResponseField.text("Its category.", "soul-analyst"),
  tags: ResponseField.texts("Its tags.", ["numbers"]),
  visibility: ResponseField.choice(["public", "private"], "Whether it is public.", "public"),
  version: ResponseField.number("The version of the text.", 1),
  content,
  deleted: ResponseField.flag("Whether it was deleted.", false),
  suspensionReason: ResponseField.textOrNull("Why an operator suspended it; null unless it is suspended.", null),
  createdAt: ResponseField.time("When it was created."),
  updatedAt: ResponseField.time("When it was last changed.")
}).annotate({ identifier: "ExportedSoul", description: "One of the account's souls." })

const ExportedSoulVersion = Schema.Struct({
  slug,
  version: ResponseField.number("Which version, counted from 1.", 1),
  content,
  createdAt: ResponseField.time("When it was written.")
}).annotate({ identifier: "ExportedSoulVersion", description: "One version of the text of a soul." })

const ExportedAgentPolicy = Schema.Struct({
  agentId: ResponseField.text("The agent.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  policy: Policy
}).annotate({ identifier: "ExportedAgentPolicy", description: "The spending policy of one of the agents." })

const list = <S extends Schema.Top>(record: S, description: string) => Schema.Array(record).annotate({ description })

/** All records of an account (ACCOUNT-6). */
export const AccountExport = Schema.Struct({
  exportedAt: ResponseField.time("When the export started."),
  account: Account,
  wallet: WalletBalance,
  policy: Policy,
  withdrawalRules: WithdrawalRules,
  notificationPreferences: Preferences,
  agents: list(Agent, "The agents, including retired ones."),
  agentPolicies: list(ExportedAgentPolicy, "The spending policies of the agents that have one."),
  keys: list(Key, "The keys without their secrets, including deactivated ones."),
  souls: list(ExportedSoul, "The souls, including deleted ones."),
  soulVersions: list(ExportedSoulVersion, "Every version of the souls' texts."),
  listings: list(AdminListing, "The listings in every state."),
  reviews: list(Review, "The reviews that the account wrote."),
  purchases: list(Purchase, "What was bought, with the licenses."),
  activations: list(ExportedActivation, "The machines on which the licenses are used."),
  sales: list(Sale, "What was sold, and renewals."),
  approvals: list(Approval, "Purchases that wait or waited for the owner's approval."),
  subscriptions: list(Subscription, "Subscriptions to the items of others."),
  transactions: list(Transaction, "The wallet's ledger lines."),
  withdrawals: list(Withdrawal, "The payments out of the wallet."),
  withdrawalAddresses: list(SavedAddress, "The address book for withdrawals."),
  webhooks: list(Webhook, "The webhooks without their secrets, including those of agents."),
  domains: list(Domain, "The domains that the account has proven or has to prove."),
  sessions: list(ListedSession, "The active sessions in browsers, without their secrets."),
  passkeys: list(Passkey, "The passkeys, without their public keys."),
  oauthGrants: list(Grant, "The applications with access by OAuth, without their tokens."),
  notificationChannels: list(Channel, "The channels of notifications, without their URLs and keys.")
}).annotate({ identifier: "AccountExport", description: "All records of an account, without secrets." })

export const toExportedAgentPolicy = ({ agentId, policy }: ExportedPolicy): typeof ExportedAgentPolicy.Type => ({
  agentId,
  policy: toPolicy(policy)
})

export const toExportedSoul = (soul: Soul): typeof ExportedSoul.Type => ({
  id: soul.id,
  slug: soul.slug,
  name: soul.name,
  description: soul.description,
  price: Usdt.format(soul.price),
  category: soul.category,
  tags: soul.tags,
  visibility: soul.visibility,
  version: soul.version,
  content: soul.content,
  deleted: soul.deleted,
  suspensionReason: soul.suspension,
  createdAt: Timestamp.toIso(soul.createdAt),
  updatedAt: Timestamp.toIso(soul.updatedAt)
})

export const toExportedSoulVersion = ({
  content,
  createdAt,
  slug,
  version
}: ExportedVersion): typeof ExportedSoulVersion.Type => ({
  slug,
  version,
  content,
  createdAt: Timestamp.toIso(createdAt)
})
