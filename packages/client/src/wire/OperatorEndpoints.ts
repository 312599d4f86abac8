// Made from the endpoint definitions by `npm run openapi`; what is changed here is lost.

import type { AdminListing, Agent, DeactivatedKey, IssuedKey, Key, PurchasedSkill, WalletBalance } from "./Endpoints.ts"

/** How much the account has. */
export interface AccountCounts {
  /** Souls that are not deleted. */
  readonly souls: number
  /** Listings that are not deleted. */
  readonly listings: number
  /** Agents that are not retired. */
  readonly agents: number
  /** Active keys, those of one family counted once. */
  readonly keys: number
  /** Webhooks. */
  readonly webhooks: number
  /** Purchases in any state. */
  readonly purchases: number
  /** Sales in any state. */
  readonly sales: number
}

/** Why an account is frozen. */
export interface AccountFreezeInput {
  /** 1 to 1,000 characters; sent to the account. */
  readonly reason: string
}

/** An account with its balance, keys, agents and counts. */
export interface AccountOverview {
  readonly account: AdminAccount
  readonly balance: WalletBalance
  /** The newest hundred, without secrets. */
  readonly keys: ReadonlyArray<Key>
  /** The newest hundred. */
  readonly agents: ReadonlyArray<Agent>
  readonly counts: AccountCounts
}

/** An account as an operator sees it. */
export interface AdminAccount {
  /** Prefix `usr_`. */
  readonly id: string
  /** Shown as author and creator. */
  readonly name: string
  /** Never shown to others. */
  readonly email: string | null
  /** Whether the account may create listings. */
  readonly seller: boolean
  /** Determines how many requests are allowed per hour. */
  readonly tier: "free" | "pro" | "enterprise"
  /** When the account was created. */
  readonly createdAt: string
  /** The number of requests per hour that the operator set; null: the tier's number applies. */
  readonly hourlyLimit: number | null
  /** The quotas that the operator set; for absent ones the tier's apply. */
  readonly quotas: Readonly<Record<string, number>>
  /** Whether the account's sessions may do what the operator's token does. */
  readonly operator: boolean
  /** Since when it is frozen: it can read but change nothing. Null unless it is frozen. */
  readonly frozenAt: string | null
  /** The reason, if one was given. */
  readonly frozenReason: string | null
}

/** The fields to change; absent fields keep their values. */
export interface AdminAccountPatch {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** Determines how many requests are allowed per hour. */
  readonly tier?: "free" | "pro" | "enterprise" | null | undefined
  /** Whether the account may create listings. */
  readonly seller?: boolean | null | undefined
  /** The number of requests per hour, in place of the tier's. Null: the tier's number applies. */
  readonly hourlyLimit?: number | null | undefined
  /** Whether the account's sessions may do what the operator's token does. Its API keys may not. */
  readonly operator?: boolean | null | undefined
  /** The quotas of the account, in place of the tier's. Null: the tier's quota applies. Absent quotas keep their values. */
  readonly quotas?:
    | {
        /** Souls that are not deleted. */
        readonly souls?: number | null | undefined
        /** Listings that are not deleted. */
        readonly listings?: number | null | undefined
        /** Agents that are not retired. */
        readonly agents?: number | null | undefined
        /** Active keys; those of one family count once. */
        readonly keys?: number | null | undefined
        /** Webhooks of the owner and its agents together. */
        readonly webhooks?: number | null | undefined
        /** Bytes of releases. */
        readonly releaseBytes?: number | null | undefined
      }
    | null
    | undefined
}

/** An appeal as operators see it. */
export interface AdminAppeal {
  /** Prefix `apl_`. */
  readonly id: string
  /** The listing or soul. */
  readonly itemId: string
  /** The kind of the appealed decision. */
  readonly subject: "rejection" | "suspension" | "quarantine"
  /** The version of the quarantined release; null if it is about the item. */
  readonly version: string | null
  /** The code of the reason of that decision. */
  readonly code: string | null
  /** The reason of that decision in words. */
  readonly reason: string | null
  /** What the creator wrote. */
  readonly text: string
  /** Whether the decision stays or was undone; `open` until then. */
  readonly status: "open" | "upheld" | "overturned"
  /** The operator's reason; null while it is open. */
  readonly answer: string | null
  /** When it was filed. */
  readonly createdAt: string
  /** When an operator decided; null while it is open. */
  readonly decidedAt: string | null
  /** The account that filed it. */
  readonly creatorId: string
}

/** A purchase as an operator sees it. */
export interface AdminPurchase {
  /** Prefix `pur_`. */
  readonly id: string
  readonly skill: PurchasedSkill
  /** Who bought. */
  readonly buyerId: string
  /** Who sold. */
  readonly sellerId: string
  /** The agent that bought, if one did. */
  readonly agentId: string | null
  /** The price, in USDT. */
  readonly amount: number
  /** The platform's share of the amount, in USDT. */
  readonly fee: number
  /** `failed`: waited for approval and was not completed. */
  readonly status: "completed" | "pending" | "refunded" | "failed"
  /** How long the license lasts. */
  readonly licenseType: "perpetual" | "subscription" | "free"
  /** When it was bought. */
  readonly purchasedAt: string
  /** The end of a subscription's paid period. */
  readonly expiresAt: string | null
}

/** A report as operators see it. */
export interface AdminReport {
  /** Prefix `rpt_`. */
  readonly id: string
  /** The reported listing or soul. */
  readonly itemId: string
  /** Why it was reported. */
  readonly reason: "malware" | "prompt_injection" | "copy" | "spam" | "illegal" | "other"
  /** What the reporter wrote. */
  readonly text: string
  /** Whether an operator has decided. */
  readonly status: "open" | "resolved"
  /** When it was reported. */
  readonly createdAt: string
  /** When an operator decided; null while it is open. */
  readonly resolvedAt: string | null
  /** The account that reported it. */
  readonly reporterId: string
  /** What the operator did; null while it is open. */
  readonly action: "none" | "suspend" | "quarantine" | "revoke" | null
}

/** A soul as an operator sees it. */
export interface AdminSoul {
  /** Prefix `soul_`; works as `skillId` when buying. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The soul's name. */
  readonly name: string
  /** What the soul does. */
  readonly description: string
  /** In USDC. */
  readonly price: string
  /** The category's slug. */
  readonly category: string
  /** Search terms. */
  readonly tags: ReadonlyArray<string>
  /** The author account's name. */
  readonly author: string
  /** Whether the author has proven to own a domain. */
  readonly authorVerified: boolean
  /** The level of the verdict on the version on sale; null if it was not scanned. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** The number of accounts that downloaded it. */
  readonly downloads: number
  /** When it was published. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  /** The author's account. */
  readonly authorId: string
  /** Starts at 1 and increases with every change of the content. */
  readonly version: number
  /** A private soul is not listed, and only its author can read it. */
  readonly visibility: "public" | "private"
  /** Why an operator suspended it; null if it is not suspended. */
  readonly suspensionReason: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
  /** Whether an operator suspended it. */
  readonly status: "active" | "suspended"
}

/** A withdrawal as an operator sees it. */
export interface AdminWithdrawal {
  /** Prefix `wdr_`. */
  readonly id: string
  /** The amount that arrives, in USDT. */
  readonly amount: number
  /** The network fee, in USDT. */
  readonly fee: number
  /** Amount and fee together. */
  readonly totalAmount: number
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** The chain of the payment. */
  readonly network: string
  /** The address that is paid. */
  readonly destinationAddress: string
  /** `pending`: not final on the chain yet. `failed` and `cancelled`: the money is back. */
  readonly status: "pending" | "completed" | "failed" | "cancelled"
  /** The id of the transaction; set when the withdrawal is completed. */
  readonly txHash: string | null
  /** When it was requested. */
  readonly createdAt: string
  /** When it became final on the chain. */
  readonly completedAt: string | null
  /** The account whose wallet pays. */
  readonly accountId: string
  /** Whether it waits for the operator. */
  readonly needsReview: boolean
  /** Why screening flagged the destination; null if it never did. */
  readonly screening: ScreeningEvidence | null
  /** Why it failed, or why a signer refused its last transaction. */
  readonly failure: string | null
  /** What the token deducted from the amount on the chain, in USDT. */
  readonly tokenFee: number | null
}

/** The state of the listing that is approved; the body may be omitted. */
export interface ApproveInput {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** `updatedAt` of the listing as the operator saw it. If the listing was changed since, nothing is decided: CONFLICT. */
  readonly updatedAt?: string | null | undefined
}

/** How far to move the market's time forward. */
export interface ClockInput {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** Whole seconds, at most ten years. */
  readonly advanceSeconds: number
}

/** The market's time. */
export interface ClockTime {
  /** The market's time from now on. */
  readonly now: string
}

/** A period in which a condition degraded the service. */
export interface Condition {
  /** The kind of condition. */
  readonly kind:
    | "nodes_disagree"
    | "quorum_missing"
    | "node_stalled"
    | "unknown_transfers"
    | "payouts_paused"
    | "payouts_refused"
    | "hot_wallet_low"
    | "hot_wallet_full"
    | "energy_low"
    | "signer_unavailable"
    | "signer_refused"
    | "screening_unavailable"
    | "deposits_held"
    | "blobs_unavailable"
    | "signing_keys_differ"
    | "platform_negative"
    | "ledger_unbalanced"
    | "partitions_missing"
  /** What is wrong. */
  readonly message: string
  /** When it was first found. */
  readonly since: string
  /** What was found, for example the answer of each node. */
  readonly detail: string | null
  /** When it was found to be over; null while it holds. */
  readonly endedAt: string | null
}

/** An item after an operator's decision. */
export interface ControlledItem {
  /** The listing or soul. */
  readonly id: string
  /** What it is. */
  readonly kind: "listing" | "soul"
  /** Whether nothing of it is for sale because of its releases or a quarantine. */
  readonly quarantined: boolean
  /** Why the item as a whole is quarantined; null if it is not. */
  readonly quarantine: WithdrawalReason | null
  /** Its releases, oldest first. */
  readonly releases: ReadonlyArray<{
    /** The version. */
    readonly version: string
    /** The digest of the archive. */
    readonly sha256: string
    /** Its state. */
    readonly status: "scanning" | "published" | "in_review" | "quarantined" | "yanked"
    /** Why it is not sold; null if there is no reason. */
    readonly reason: WithdrawalReason | null
    /** When its bytes were purged; null if they were not. */
    readonly purgedAt: string | null
  }>
  /** The refunds that the decision started; null if there are none. */
  readonly revocation: Revocation | null
}

/** A decision about an appeal. */
export interface DecideAppealInput {
  /** 1 to 1,000 characters; the creator sees it. */
  readonly reason: string
  /** `overturned` undoes the decision. */
  readonly decision: "upheld" | "overturned"
}

/** Why a deposit is released or rejected. */
export interface DepositDecision {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
}

/** A transaction whose deposits may be missing. */
export interface DepositRecheckInput {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** The transaction. */
  readonly txid: string
}

/** Whether a listing is featured. */
export interface FeatureInput {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** Whether to show it as featured. */
  readonly featured: boolean
}

/** Money that reached a deposit address as another asset than USDT. It is not credited. */
export interface ForeignAsset {
  /** The record. */
  readonly id: string
  /** TRX, a TRC-10 token or a TRC-20 token. */
  readonly kind: "trx" | "trc10" | "trc20"
  /** `TRX`, the number of a TRC-10 token, or the contract of a TRC-20 token. */
  readonly asset: string
  /** The name that the token gives itself, at most 24 characters. Anybody can name a token USDT. Null if it was not read. */
  readonly unverifiedSymbol: string | null
  /** In the smallest unit of the asset (10⁻⁶ TRX), as a whole number. For a token, the amount that its contract reports. */
  readonly amount: string
  /** The account that owns the address. */
  readonly accountId: string
  /** The deposit address. */
  readonly address: string
  /** The address that sent it. */
  readonly sender: string
  /** The transaction. */
  readonly txHash: string
  /** The block that contains it. */
  readonly block: number
  /** The time of the block. */
  readonly at: string
  /** `failed`: the transaction of the return took no effect, so decide again. */
  readonly state: "received" | "returning" | "returned" | "failed"
  /** Where it is returned. */
  readonly destination: string | null
  /** The last transaction that returns it. */
  readonly returnTxHash: string | null
  /** The amount that this transaction sends: at most `amount`, and at most the balance of the address. */
  readonly returnedAmount: string | null
  /** Why that transaction took no effect. */
  readonly failure: string | null
}

/** A transaction that sent another asset. */
export interface ForeignAssetRecheck {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** The transaction. */
  readonly txid: string
}

/** The return of an asset. */
export interface ForeignAssetReturn {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
  /** The destination; by default the sender. Exchanges often send from addresses at which they credit nothing, so ask the owner of the account. */
  readonly destination?: string | null | undefined
}

/** A deposit of a final transaction; it is credited now, or held. */
export interface FoundDeposit {
  /** The account that owns the address. */
  readonly accountId: string
  /** The deposit address. */
  readonly address: string
  /** USDT. */
  readonly amount: string
  /** The transaction. */
  readonly txHash: string
  /** The block that contains it. */
  readonly block: number
}

/** A deposit that was recorded without being credited. */
export interface HeldDeposit {
  /** The deposit's id. */
  readonly id: string
  /** The account that owns the address. */
  readonly accountId: string
  /** `screening`: not decided yet. `held`: waits for the operator. `cleared`: credited, because screening allowed it later. */
  readonly status: "screening" | "held" | "cleared" | "released" | "rejected"
  /** USDT. */
  readonly amount: string
  /** The address that sent it. */
  readonly sender: string
  /** The deposit address. */
  readonly address: string
  /** The transaction. */
  readonly txHash: string
  /** The block that contains it. */
  readonly block: number
  /** The reason of the flag; null if it was never flagged. */
  readonly evidence: ScreeningEvidence | null
  /** Since when it is held. */
  readonly heldAt: string
  /** When it was decided. */
  readonly decidedAt: string | null
}

/** What an operator decides about an item, and why. */
export interface ItemDecision {
  /** 1 to 1,000 characters, required; license holders and the creator see it. */
  readonly reason: string
  /** The versions that it is about; without them the item as a whole, with all of its releases. */
  readonly versions?: ReadonlyArray<string> | null | undefined
  /** The kind of reason; `other` by default. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
}

/** What an operator revokes, and which purchases are refunded. */
export interface ItemRevocation {
  /** 1 to 1,000 characters, required; license holders and the creator see it. */
  readonly reason: string
  /** The versions that it is about; without them the item as a whole, with all of its releases. */
  readonly versions?: ReadonlyArray<string> | null | undefined
  /** The kind of reason; `other` by default. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
  /** Refunds every purchase and renewal of so many days before; without it nothing is refunded. */
  readonly refundDays?: number | null | undefined
}

/** The result of recomputing every balance from the entries. */
export interface LedgerAudit {
  /** Whether every balance equals the sum of its entries. */
  readonly balanced: boolean
  /** How many wallets were checked. */
  readonly wallets: number
  /** How many entries the ledger has. */
  readonly entries: number
  /** How many of them were read: all, or those since the last checkpoint. */
  readonly entriesRead: number
  /** The checkpoint from which the audit continued; null if it read every entry. */
  readonly since: string | null
  /** One sentence for each balance that differs. */
  readonly differences: ReadonlyArray<string>
  /** One sentence for each negative platform account and for each seller's debt. */
  readonly warnings: ReadonlyArray<string>
}

/** One write by an operator. */
export interface OperatorAction {
  /** Prefix `act_`. */
  readonly id: string
  /** When. */
  readonly at: string
  /** The name in `X-Operator`, `operator` if none was given, or the id of the session's account. */
  readonly actor: string
  /** What was done. */
  readonly action: string
  /** The id of the record that was changed. */
  readonly subject: string
  /** The changed fields before the action. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** The changed fields after the action. */
  readonly after: Readonly<Record<string, unknown>> | null
  /** The reason, if one was given. */
  readonly reason: string | null
  /** The `X-Request-Id` of the request. */
  readonly requestId: string
}

/** Why; the body may be omitted. */
export interface OperatorReason {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
}

/** Whether withdrawals are paid. */
export interface Payouts {
  /** Whether all payouts are stopped. */
  readonly paused: boolean
  /** Since when. */
  readonly since: string | null
  /** The reason, if one was given. */
  readonly reason: string | null
}

/** The reason. The body is optional. */
export interface PayoutsInput {
  /** 1 to 1,000 characters. */
  readonly reason?: string | null | undefined
}

/** The only active key of the recovered account. */
export interface RecoveredAccount {
  readonly apiKey: IssuedKey
}

/** Why a listing is rejected. */
export interface RejectInput {
  /** 1 to 1,000 characters; sent to the creator. */
  readonly reason: string
  /** The kind of reason, which the creator sees too; `other` by default. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
  /** `updatedAt` of the listing as the operator saw it. If the listing was changed since, nothing is decided: CONFLICT. */
  readonly updatedAt?: string | null | undefined
}

/** A decision about the reports of an item. */
export interface ResolveReportInput {
  /** 1 to 1,000 characters; the creator sees it. */
  readonly reason: string
  /** `none` also ends a quarantine that the reports caused. */
  readonly action: "none" | "suspend" | "quarantine" | "revoke"
  /** By default that of the report. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
}

/** A revocation and its progress. */
export interface Revocation {
  /** The revocation's id. */
  readonly id: string
  /** The revoked listing or soul. */
  readonly itemId: string
  /** The revoked versions; empty if the item has no releases. */
  readonly versions: ReadonlyArray<string>
  /** The operator's reason. */
  readonly reason: string
  /** Sales of so many days before are refunded; null if none are. */
  readonly refundDays: number | null
  /** When it was revoked. */
  readonly revokedAt: string
  /** What is in progress: sales that had started end, approvals are rejected, purchases and renewals are refunded, or everything is done. */
  readonly step: "start" | "approvals" | "purchases" | "renewals" | "done"
  /** The number of refunded purchases and renewals so far. */
  readonly refunded: number
  /** What buyers got back so far, USDT. */
  readonly amount: string
  /** The part of it that the platform lent to the seller, USDT. */
  readonly covered: string
  /** The number of purchases that waited for approval and were rejected. */
  readonly rejected: number
  /** When everything was done. */
  readonly finishedAt: string | null
}

/** Why screening flagged an address. */
export interface ScreeningEvidence {
  /** The list or the service that flagged it. */
  readonly source: string
  /** Where in the list, or the service's own reference. */
  readonly reference: string
}

/** A transfer on the simulated chain. */
export interface SimulatedDeposit {
  /** The transaction. */
  readonly txHash: string
  /** The address that was paid. */
  readonly address: string
  /** In USDT. */
  readonly amount: string
  /** The block of the transfer; it is final after two more blocks. */
  readonly block: number
  /** The block's time. */
  readonly createdAt: string
}

/** A transfer on the simulated chain. */
export interface SimulatedDepositInput {
  /** 1 to 1,000 characters, kept in the log of actions. */
  readonly reason?: string | undefined
  /** A valid TRON address. */
  readonly address: string
  /** In USDT; greater than 0. */
  readonly amount: number | string
}

/** Why a listing is suspended. */
export interface SuspendListingInput {
  /** 1 to 1,000 characters; sent to the creator. */
  readonly reason?: string | null | undefined
  /** The kind of reason, which the creator sees too; `other` by default. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
}

/** Why a soul is suspended. */
export interface SuspendSoulInput {
  /** 1 to 1,000 characters, required; the author sees it. */
  readonly reason: string
  /** The kind of reason, which the creator sees too; `other` by default. */
  readonly code?:
    | "malware"
    | "prompt_injection"
    | "persistence"
    | "theft"
    | "secrets"
    | "copy"
    | "impersonation"
    | "misleading"
    | "broken"
    | "spam"
    | "illegal"
    | "policy"
    | "other"
    | null
    | undefined
}

/** The service's own wallets. */
export interface Treasury {
  /** The contract of the token that the books count. */
  readonly token: string | null
  /** The wallet that pays withdrawals. */
  readonly hot: string | null
  /** The wallet for what the hot one does not need. */
  readonly cold: string | null
  /** At this balance of the hot wallet or above it, sweeps go to the cold wallet; null: never. */
  readonly ceiling: string | null
  /** Below this balance the hot wallet must be topped up. */
  readonly topUpBelow: string | null
  /** The final USDT balance of the hot wallet; null if the chain does not answer, or is simulated. */
  readonly hotBalance: string | null
  /** The final USDT balance of the cold wallet; null if there is none. */
  readonly coldBalance: string | null
  /** The sum of the withdrawals that wait to be paid. */
  readonly needed: string
  /** The conditions that concern the hot wallet, oldest first. */
  readonly conditions: ReadonlyArray<{
    /** `hot_wallet_low`, `hot_wallet_full` or `energy_low`. */
    readonly kind: string
    /** A description of the condition. */
    readonly detail: string | null
    /** Since when. */
    readonly since: string
  }>
  /** Transfers from the hot wallet that stop all payouts, oldest first. */
  readonly unknownTransfers: ReadonlyArray<UnknownTransfer>
}

/** The cost of payouts, and the resources of the hot wallet for their fees. */
export interface TreasuryEnergy {
  /** Whether the chain is simulated. The figures are then examples. */
  readonly simulated: boolean
  /** The hot wallet. */
  readonly wallet: string
  /** The TRX that it can burn; null if the chain does not count them. */
  readonly trx: string | null
  /** The wallet's energy. */
  readonly energy: {
    /** The units that the wallet has for 24 hours. */
    readonly limit: number
    /** The used units. They become available again within 24 hours. */
    readonly used: number
    /** The remaining units. */
    readonly available: number
    /** The TRX that the wallet has staked for it. */
    readonly stakedTrx: string
    /** The TRX that others have staked and delegated to the wallet. */
    readonly delegatedTrx: string
  }
  /** The wallet's bandwidth, with what is free each day. */
  readonly bandwidth: {
    /** The units that the wallet has for 24 hours. */
    readonly limit: number
    /** The used units. They become available again within 24 hours. */
    readonly used: number
    /** The remaining units. */
    readonly available: number
    /** The TRX that the wallet has staked for it. */
    readonly stakedTrx: string
    /** The TRX that others have staked and delegated to the wallet. */
    readonly delegatedTrx: string
  }
  /** The present cost of one payment. */
  readonly payment: {
    /** A payment to an address that holds USDT. */
    readonly usual: {
      /** The energy that it takes. */
      readonly energy: number
      /** The bandwidth that it takes. */
      readonly bandwidth: number
      /** The TRX that it burns now, beyond what resources pay. */
      readonly trx: string
      /** The same in USDT; null without TRX_USDT_RATE. */
      readonly usdt: string | null
    }
    /** A payment to an address that holds none. */
    readonly most: {
      /** The energy that it takes. */
      readonly energy: number
      /** The bandwidth that it takes. */
      readonly bandwidth: number
      /** The TRX that it burns now, beyond what resources pay. */
      readonly trx: string
      /** The same in USDT; null without TRX_USDT_RATE. */
      readonly usdt: string | null
    }
  }
  /** The cost of a day at the present prices and resources. */
  readonly day: {
    /** The payments of the last 24 hours. */
    readonly payments: number
    /** The energy that they take at most. */
    readonly energy: number
    /** The bandwidth that they take. */
    readonly bandwidth: number
    /** The TRX that a day with as many payments burns at most. */
    readonly trx: string
    /** The same in USDT; null without TRX_USDT_RATE. */
    readonly usdt: string | null
    /** The TRX to stake in addition so that no energy is burnt; null if the chain reports no rate. */
    readonly stakeForEnergyTrx: string | null
    /** The same for bandwidth. */
    readonly stakeForBandwidthTrx: string | null
  }
}

/** The matches of unknown transfers. */
export interface TreasuryResumeInput {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
  /** One for each transfer. */
  readonly matches: ReadonlyArray<{
    /** The transaction of the transfer. */
    readonly txid: string
    /** The withdrawal that it paid. */
    readonly withdrawalId?: string | null | undefined
    /** What it was, if it paid no withdrawal. */
    readonly explanation?: string | null | undefined
  }>
}

/** Another hot or cold wallet. */
export interface TreasuryWalletInput {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
  /** Which wallet. */
  readonly wallet: "hot" | "cold"
  /** The present wallet, which must be right; null if there is none. */
  readonly from: string | null
  /** The new wallet; null for no cold wallet. */
  readonly to: string | null
}

/** A transfer from the hot wallet that is neither a withdrawal nor explained. */
export interface UnknownTransfer {
  /** The transaction. */
  readonly txHash: string
  /** The receiver. */
  readonly to: string
  /** USDT. */
  readonly amount: string
  /** The block that contains it. */
  readonly block: number
  /** The time of the block. */
  readonly at: string
  /** Waiting withdrawals of this amount to this receiver. */
  readonly candidates: ReadonlyArray<string>
}

/** A release that an operator can decide about. */
export interface WaitingRelease {
  /** Prefix `rel_`. */
  readonly id: string
  /** The listing or soul. */
  readonly itemId: string
  /** The version. */
  readonly version: string
  /** Its state. */
  readonly status: "in_review" | "quarantined"
  /** The level of its verdict; null until it was scanned. */
  readonly level: "clean" | "notice" | "warn" | "block" | null
  /** Why it is not sold; null if every release is reviewed. */
  readonly reason: WithdrawalReason | null
  /** When it was put in review or quarantined. */
  readonly waitingSince: string
}

/** Why a withdrawal is held. */
export interface WithdrawalHold {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
}

/** Why something is not sold. */
export interface WithdrawalReason {
  /** The kind of reason. */
  readonly code: string
  /** The reason in words. */
  readonly text: string
  /** Whether it is revoked, which is permanent. */
  readonly revoked: boolean
}

/** Why a withdrawal is rejected. */
export interface WithdrawalRejection {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
}

/** The transaction that paid a withdrawal. */
export interface WithdrawalSettlement {
  /** 1 to 1,000 characters, required. */
  readonly reason: string
  /** The transaction that paid it. */
  readonly txid: string
}

/** Every endpoint of the operator, in the form of `Endpoints`. */
export interface OperatorEndpoints {
  readonly "GET /api/v1/admin/appeals": {
    readonly input?: {
      /** Only those in this state. */
      readonly status?: "open" | "upheld" | "overturned" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminAppeal>
  }
  readonly "POST /api/v1/admin/appeals/:id/decide": {
    readonly input: DecideAppealInput
    readonly data: AdminAppeal
  }
  readonly "GET /api/v1/admin/reports": {
    readonly input?: {
      /** Only those in this state. */
      readonly status?: "open" | "resolved" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminReport>
  }
  readonly "POST /api/v1/admin/reports/:id/resolve": {
    readonly input: ResolveReportInput
    readonly data: AdminReport
  }
  readonly "GET /api/v1/admin/listings": {
    readonly input?: {
      /** Only those in this state. */
      readonly status?: "pending_review" | "approved" | "rejected" | "suspended" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminListing>
  }
  readonly "POST /api/v1/admin/listings/:id/approve": {
    readonly input?: ApproveInput
    readonly data: AdminListing
  }
  readonly "POST /api/v1/admin/listings/:id/reject": {
    readonly input: RejectInput
    readonly data: AdminListing
  }
  readonly "POST /api/v1/admin/listings/:id/suspend": {
    readonly input?: SuspendListingInput
    readonly data: AdminListing
  }
  readonly "POST /api/v1/admin/listings/:id/feature": {
    readonly input: FeatureInput
    readonly data: AdminListing
  }
  readonly "GET /api/v1/admin/ledger/audit": {
    readonly input?: {
      /** Reads only the entries since the last balanced audit with this parameter; if the result is balanced, it is the next checkpoint. Without it, every entry is read, and compared with the checkpoints. */
      readonly since?: "checkpoint" | undefined
    }
    readonly data: LedgerAudit
  }
  readonly "POST /api/v1/admin/simulated-chain/deposits": {
    readonly input: SimulatedDepositInput
    readonly data: SimulatedDeposit
  }
  readonly "POST /api/v1/admin/clock": {
    readonly input: ClockInput
    readonly data: ClockTime
  }
  readonly "GET /api/v1/admin/accounts": {
    readonly input?: {
      /** Part of a name or e-mail address, or a whole id. */
      readonly search?: string | undefined
      /** `true`: only frozen accounts; `false`: only accounts that are not frozen. */
      readonly frozen?: boolean | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminAccount>
  }
  readonly "GET /api/v1/admin/accounts/:id": {
    readonly data: AccountOverview
  }
  readonly "PATCH /api/v1/admin/accounts/:id": {
    readonly input: AdminAccountPatch
    readonly data: AdminAccount
  }
  readonly "POST /api/v1/admin/accounts/:id/freeze": {
    readonly input: AccountFreezeInput
    readonly data: AdminAccount
  }
  readonly "POST /api/v1/admin/accounts/:id/unfreeze": {
    readonly input?: OperatorReason
    readonly data: AdminAccount
  }
  readonly "POST /api/v1/admin/accounts/:id/recover": {
    readonly input?: OperatorReason
    readonly data: RecoveredAccount
  }
  readonly "DELETE /api/v1/admin/keys/:id": {
    readonly input?: OperatorReason
    readonly data: DeactivatedKey
  }
  readonly "GET /api/v1/admin/purchases": {
    readonly input?: {
      /** Only those that this account bought or sold. */
      readonly account?: string | undefined
      /** Only those of this item. */
      readonly item?: string | undefined
      /** Only those in this state. */
      readonly status?: "completed" | "pending" | "refunded" | "failed" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminPurchase>
  }
  readonly "GET /api/v1/admin/purchases/:id": {
    readonly data: AdminPurchase
  }
  readonly "GET /api/v1/admin/actions": {
    readonly input?: {
      /** Only those of this operator. */
      readonly actor?: string | undefined
      /** Only actions on the record with this id, on this deposit address or transaction, on the `clock`, on `payouts`, or on the `hot` or `cold` wallet. */
      readonly subject?: string | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<OperatorAction>
  }
  readonly "GET /api/v1/admin/withdrawals": {
    readonly input?: {
      /** Only those in this state; `in_review` are the `pending` ones that wait for the operator. */
      readonly status?: "in_review" | "pending" | "completed" | "failed" | "cancelled" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminWithdrawal>
  }
  readonly "GET /api/v1/admin/withdrawals/:id": {
    readonly data: AdminWithdrawal
  }
  readonly "POST /api/v1/admin/withdrawals/:id/approve": {
    readonly input?: OperatorReason
    readonly data: AdminWithdrawal
  }
  readonly "POST /api/v1/admin/withdrawals/:id/reject": {
    readonly input: WithdrawalRejection
    readonly data: AdminWithdrawal
  }
  readonly "POST /api/v1/admin/withdrawals/:id/hold": {
    readonly input: WithdrawalHold
    readonly data: AdminWithdrawal
  }
  readonly "POST /api/v1/admin/withdrawals/:id/settle": {
    readonly input: WithdrawalSettlement
    readonly data: AdminWithdrawal
  }
  readonly "GET /api/v1/admin/payouts": {
    readonly data: Payouts
  }
  readonly "POST /api/v1/admin/payouts/pause": {
    readonly input?: PayoutsInput
    readonly data: Payouts
  }
  readonly "POST /api/v1/admin/payouts/resume": {
    readonly input?: PayoutsInput
    readonly data: Payouts
  }
  readonly "GET /api/v1/admin/treasury": {
    readonly data: Treasury
  }
  readonly "POST /api/v1/admin/treasury/wallets": {
    readonly input: TreasuryWalletInput
    readonly data: Treasury
  }
  readonly "POST /api/v1/admin/treasury/limits": {
    readonly input: {
      /** At this USDT balance of the hot wallet or above it, sweeps go to the cold wallet; null removes the ceiling. */
      readonly ceiling?: number | string | null | undefined
      /** Below this USDT balance the hot wallet must be topped up; at most the ceiling; null removes it. */
      readonly topUpBelow?: number | string | null | undefined
      /** 1 to 1,000 characters, required. */
      readonly reason: string
    }
    readonly data: Treasury
  }
  readonly "GET /api/v1/admin/treasury/energy": {
    readonly data: TreasuryEnergy
  }
  readonly "POST /api/v1/admin/treasury/resume": {
    readonly input: TreasuryResumeInput
    readonly data: Treasury
  }
  readonly "POST /api/v1/admin/deposits/recheck": {
    readonly input: DepositRecheckInput
    readonly data: ReadonlyArray<FoundDeposit>
  }
  readonly "GET /api/v1/admin/foreign-assets": {
    readonly input?: {
      /** Only those in this state. */
      readonly state?: "received" | "returning" | "returned" | "failed" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<ForeignAsset>
  }
  readonly "POST /api/v1/admin/foreign-assets/recheck": {
    readonly input: ForeignAssetRecheck
    readonly data: ReadonlyArray<ForeignAsset>
  }
  readonly "POST /api/v1/admin/foreign-assets/:id/return": {
    readonly input: ForeignAssetReturn
    readonly data: ForeignAsset
  }
  readonly "GET /api/v1/admin/deposits": {
    readonly input?: {
      /** Only those in this state; `held` ones wait for the operator. */
      readonly status?: "screening" | "held" | "cleared" | "released" | "rejected" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<HeldDeposit>
  }
  readonly "POST /api/v1/admin/deposits/:id/release": {
    readonly input: DepositDecision
    readonly data: HeldDeposit
  }
  readonly "POST /api/v1/admin/deposits/:id/reject": {
    readonly input: DepositDecision
    readonly data: HeldDeposit
  }
  readonly "GET /api/v1/admin/souls": {
    readonly input?: {
      /** Only those that are not suspended, those that are, or those with a version that waits for a review. */
      readonly status?: "active" | "suspended" | "in_review" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<AdminSoul>
  }
  readonly "POST /api/v1/admin/souls/:slug/suspend": {
    readonly input: SuspendSoulInput
    readonly data: AdminSoul
  }
  readonly "POST /api/v1/admin/souls/:slug/restore": {
    readonly input?: OperatorReason
    readonly data: AdminSoul
  }
  readonly "POST /api/v1/admin/items/:id/quarantine": {
    readonly input: ItemDecision
    readonly data: ControlledItem
  }
  readonly "POST /api/v1/admin/items/:id/release": {
    readonly input: ItemDecision
    readonly data: ControlledItem
  }
  readonly "POST /api/v1/admin/items/:id/revoke": {
    readonly input: ItemRevocation
    readonly data: ControlledItem
  }
  readonly "POST /api/v1/admin/items/:id/purge": {
    readonly input: ItemDecision
    readonly data: ControlledItem
  }
  readonly "GET /api/v1/admin/revocations": {
    readonly input?: {
      /** Only those of this listing or soul. */
      readonly item?: string | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Revocation>
  }
  readonly "GET /api/v1/admin/releases": {
    readonly input?: {
      /** Only those in this state. */
      readonly status?: "in_review" | "quarantined" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<WaitingRelease>
  }
  readonly "GET /api/v1/admin/conditions": {
    readonly input?: {
      /** Only those that hold, or have ended. */
      readonly status?: "open" | "ended" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Condition>
  }
}
