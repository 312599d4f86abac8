import type { Stream } from "effect"
import { Context } from "effect"
import type { Approval } from "../approvals/Approval.ts"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import type { Domain } from "../domains/Domain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Activation } from "../licenses/Activation.ts"
import type { Listing } from "../listings/Listing.ts"
import type { Review } from "../listings/Review.ts"
import type { NotificationChannel } from "../notifications/NotificationChannel.ts"
import type { LiveGrant } from "../oauth/OauthGrant.ts"
import type { Passkey } from "../passkeys/Passkey.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Sale } from "../purchases/Sale.ts"
import type { Subscription } from "../purchases/Subscription.ts"
import type { Session } from "../sessions/Session.ts"
import type { Soul } from "../souls/Soul.ts"
import type { SoulVersion } from "../souls/SoulStore.ts"
import type { WalletTransaction } from "../wallets/WalletStore.ts"
import type { Withdrawal } from "../wallets/Withdrawal.ts"
import type { SavedAddress } from "../wallets/WithdrawalRules.ts"
import type { Webhook } from "../webhooks/Webhook.ts"
import type { Agent } from "./Agent.ts"
import type { ApiKey } from "./ApiKey.ts"

/** One stored text of one of the account's souls. */
export interface ExportedVersion extends SoulVersion {
  readonly slug: string
}

/** The spending policy of one of the account's agents. */
export interface ExportedPolicy {
  readonly agentId: AgentId
  readonly policy: SpendingPolicy
}

/** The records of an account by kind. */
export interface ExportedRecords {
  readonly agents: Agent
  readonly agentPolicies: ExportedPolicy
  readonly keys: ApiKey
  readonly souls: Soul
  readonly soulVersions: ExportedVersion
  readonly listings: Listing
  readonly reviews: Review
  readonly purchases: Purchase
  /** The machines on which the account uses its licenses. */
  readonly activations: Activation
  readonly sales: Sale
  readonly approvals: Approval
  readonly subscriptions: Subscription
  readonly transactions: WalletTransaction
  readonly withdrawals: Withdrawal
  readonly withdrawalAddresses: SavedAddress
  readonly webhooks: Webhook
  readonly domains: Domain
  readonly sessions: Session
  readonly passkeys: Passkey
  readonly oauthGrants: LiveGrant
  readonly notificationChannels: NotificationChannel
}

/** The kinds of records that other stores list. */
type ListedElsewhere = "transactions" | "sessions" | "passkeys" | "oauthGrants" | "notificationChannels"

export type ExportedStreams = {
  readonly [K in keyof ExportedRecords]: Stream.Stream<ExportedRecords[K], StoreUnavailable>
}

/**
 * Everything that an account has (ACCOUNT-6).
 *
 * Contract: each stream yields every record of the account of that kind once, in whatever state, also deleted ones. It reads only as fast as it
 * is consumed and never holds all records in memory.
 */
export class ExportStore extends Context.Service<
  ExportStore,
  {
    readonly recordsOf: (account: AccountId) => Omit<ExportedStreams, ListedElsewhere>
  }
>()("@agent-marketplace/core/identity/ExportStore") {}
