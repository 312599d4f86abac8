// Made from the endpoint definitions by `npm run openapi`; what is changed here is lost.

/** Who owns wallets, agents, keys and items. */
export interface Account {
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
}

/** All records of an account, without secrets. */
export interface AccountExport {
  /** When the export started. */
  readonly exportedAt: string
  readonly account: Account
  readonly wallet: WalletBalance
  readonly policy: Policy
  readonly withdrawalRules: WithdrawalRules
  readonly notificationPreferences: NotificationPreferences
  /** The agents, including retired ones. */
  readonly agents: ReadonlyArray<Agent>
  /** The spending policies of the agents that have one. */
  readonly agentPolicies: ReadonlyArray<ExportedAgentPolicy>
  /** The keys without their secrets, including deactivated ones. */
  readonly keys: ReadonlyArray<Key>
  /** The souls, including deleted ones. */
  readonly souls: ReadonlyArray<ExportedSoul>
  /** Every version of the souls' texts. */
  readonly soulVersions: ReadonlyArray<ExportedSoulVersion>
  /** The listings in every state. */
  readonly listings: ReadonlyArray<AdminListing>
  /** The reviews that the account wrote. */
  readonly reviews: ReadonlyArray<Review>
  /** What was bought, with the licenses. */
  readonly purchases: ReadonlyArray<Purchase>
  /** The machines on which the licenses are used. */
  readonly activations: ReadonlyArray<ExportedActivation>
  /** What was sold, and renewals. */
  readonly sales: ReadonlyArray<Sale>
  /** Purchases that wait or waited for the owner's approval. */
  readonly approvals: ReadonlyArray<Approval>
  /** Subscriptions to the items of others. */
  readonly subscriptions: ReadonlyArray<Subscription>
  /** The wallet's ledger lines. */
  readonly transactions: ReadonlyArray<Transaction>
  /** The payments out of the wallet. */
  readonly withdrawals: ReadonlyArray<Withdrawal>
  /** The address book for withdrawals. */
  readonly withdrawalAddresses: ReadonlyArray<SavedAddress>
  /** The webhooks without their secrets, including those of agents. */
  readonly webhooks: ReadonlyArray<Webhook>
  /** The domains that the account has proven or has to prove. */
  readonly domains: ReadonlyArray<Domain>
  /** The active sessions in browsers, without their secrets. */
  readonly sessions: ReadonlyArray<ListedSession>
  /** The passkeys, without their public keys. */
  readonly passkeys: ReadonlyArray<Passkey>
  /** The applications with access by OAuth, without their tokens. */
  readonly oauthGrants: ReadonlyArray<Grant>
  /** The channels of notifications, without their URLs and keys. */
  readonly notificationChannels: ReadonlyArray<NotificationChannel>
}

/** The fields to change; absent fields keep their values. */
export interface AccountPatch {
  /** 1 to 100 characters. */
  readonly name?: string | null | undefined
  /** An e-mail address. Null clears it. */
  readonly email?: string | null | undefined
  /** Whether the account may create listings. */
  readonly seller?: boolean | null | undefined
}

/** A machine that is activated, with a proof for it alone. */
export interface Activated {
  /** The purchase of the license. */
  readonly purchaseId: string
  /** The item that the license is for. */
  readonly skillId: string
  /** What tells the machine from others. */
  readonly machine: string
  /** Its name in the holder's list of machines. */
  readonly label: string | null
  /** When it was activated. */
  readonly activatedAt: string
  /** A compact JWS (EdDSA) whose key is one of the market's public keys. */
  readonly proof: string
}

/** A machine on which a license is used. */
export interface Activation {
  /** What tells the machine from others. */
  readonly machine: string
  /** Its name in the holder's list of machines. */
  readonly label: string | null
  /** When it was activated. */
  readonly activatedAt: string
}

/** A machine on which a license is to be used. */
export interface ActivationInput {
  /** The license key, which is the secret of this request. Case, hyphens and blanks are ignored. */
  readonly licenseKey: string
  /** What tells one machine from another: a hash that the seller's program makes, 1 to 128 characters. */
  readonly machine: string
  /** A name for the holder's list of machines, 1 to 100 characters. */
  readonly label?: string | null | undefined
}

/** Recent events of the market. */
export interface Activity {
  /** The events of the last 24 hours, newest first. */
  readonly activities: ReadonlyArray<ActivityItem>
  /** The market in numbers. */
  readonly stats: {
    /** Agents and accounts that were active in the last hour. */
    readonly activeAgents: number
    /** Confirmed purchases of the last 24 hours. */
    readonly tradesLast24h: number
    /** Their total value in USDT; `0` while the store cannot be read. */
    readonly revenueLast24h: string
  }
}

/** One event, without the names of those involved. */
export interface ActivityItem {
  /** Unique; prefix `purchase-`, `earning-`, `reg-` or `listing-`. */
  readonly id: string
  /** What happened. */
  readonly type: "purchase" | "earning" | "registration" | "listing"
  /** An emoji for it. */
  readonly icon: string
  /** A sentence for people. */
  readonly message: string
  /** When it happened. */
  readonly timestamp: string
  /** In USDT; of purchases and earnings. */
  readonly amount?: string
}

/** A listing as an operator sees it. */
export interface AdminListing {
  /** Prefix `lst_`. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The listing's name. */
  readonly name: string
  /** What the listing does. */
  readonly description: string
  /** Full Markdown description. */
  readonly longDescription: string | null
  /** In `currency`. */
  readonly price: number
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** Search terms. */
  readonly tags: ReadonlyArray<string>
  /** The URL to install from; null unless the caller owns a license, is the creator, or the price is 0. */
  readonly installUrl: string | null
  /** Its documentation. */
  readonly documentationUrl: string | null
  /** Screenshots. */
  readonly screenshots: ReadonlyArray<string>
  /** A demo. */
  readonly videoUrl: string | null
  /** Whether it is paid once, never, or every 30 days. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** On how many machines each license may be active; null if there is no limit. */
  readonly maxActivations: number | null
  /** The state of the listing's review. */
  readonly status: "pending_review" | "approved" | "rejected" | "suspended" | "deleted"
  /** Whether it is shown as featured. */
  readonly featured: boolean
  /** The level of the verdict on the newest release on sale; null if there is none. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** When it was submitted. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly delivery: "release" | "link" | "license_only"
  readonly creator: Creator
  readonly stats?: ListingStats
  /** Why it was rejected or suspended. */
  readonly rejectionReason: string | null
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
  /** Changes that wait for review; null if there are none. */
  readonly pendingChanges: {
    /** The new name. */
    readonly name?: string
    /** The new URL. */
    readonly installUrl?: string | null
    /** The new pricing model. */
    readonly pricingModel?: "one_time" | "free" | "subscription"
  } | null
  /** Whether fields that need no review changed since the last review. */
  readonly changedSinceReview: boolean
  /** When it, or a change of it, was submitted for review; null if neither waits. */
  readonly waitingSince: string | null
}

/** What license holders should know about something that they installed. */
export interface Advisory {
  /** The advisory's id, also a cursor of the feed. */
  readonly id: string
  /** The listing or soul that it is about. */
  readonly itemId: string
  /** The versions; empty if the item has no releases: then it is about every copy. */
  readonly versions: ReadonlyArray<string>
  /** The digests of the archives of these versions. */
  readonly sha256: ReadonlyArray<string>
  /** How bad it is. */
  readonly severity: "info" | "high" | "critical"
  /** Why it was published. */
  readonly reason: string
  /** What installers do: report it, or refuse the copy. */
  readonly action: "note" | "remove"
  /** When it was published. */
  readonly publishedAt: string
  /** The SHA-256 of the payload before this one; null for the first advisory. */
  readonly previous: string | null
  readonly envelope: SignedEnvelope
}

/** A program that acts with a key of its own. */
export interface Agent {
  /** Prefix `agt_`. */
  readonly id: string
  /** The agent's name. */
  readonly name: string
  /** Whether it has an owner. */
  readonly claimed: boolean
  /** How the agent was created: over the API, or by consent to an application. */
  readonly source: "api" | "oauth"
  /** When it was registered. */
  readonly createdAt: string
  /** Since when it is frozen: it can read but change nothing. Null unless it is frozen. */
  readonly frozenAt: string | null
  /** The reason, if one was given. */
  readonly frozenReason: string | null
  /** When it was retired and its keys were deactivated; null unless it is retired. */
  readonly retiredAt: string | null
}

/** An agent to register. */
export interface AgentInput {
  /** 1 to 100 characters. */
  readonly name: string
}

/** A creator's appeal of a decision. */
export interface Appeal {
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
}

/** An appeal of a rejection, a suspension or a quarantine. */
export interface AppealInput {
  /** Why the decision is wrong: 1 to 2,000 characters. */
  readonly text: string
  /** Appeals the quarantine of this release; without it, the first decision that was not appealed, those about the item first. */
  readonly version?: string | null | undefined
}

/** A purchase that waits for its owner. */
export interface Approval {
  /** Prefix `apr_`. */
  readonly id: string
  /** The purchase that waits. */
  readonly purchaseId: string
  readonly skill: PurchasedSkill
  /** The price, in USDT; held while it waits. */
  readonly amount: number
  /** The model that was agreed to. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** How often the price is paid; null if it is paid once. */
  readonly period: string | null
  /** The agent that wants to buy. */
  readonly agentId: string | null
  /** Whether it was decided, and how. */
  readonly status: "pending" | "approved" | "rejected" | "expired"
  /** When it was requested. */
  readonly requestedAt: string
  /** When the approval expires: 7 days after the request. */
  readonly expiresAt: string
  /** When it was decided. */
  readonly decidedAt: string | null
}

/** The effective rules of a caller, in USDT: of each rule of the owner's and the agent's, the one with less remaining. */
export interface Budget {
  /** Any 24 hours; null: no limit. */
  readonly daily: {
    /** The most in the window. */
    readonly limit: number
    /** The amount spent in the window, including holds. */
    readonly spent: number
    /** What is left. */
    readonly remaining: number
  } | null
  /** Any 7 days; null: no limit. */
  readonly weekly: {
    /** The most in the window. */
    readonly limit: number
    /** The amount spent in the window, including holds. */
    readonly spent: number
    /** What is left. */
    readonly remaining: number
  } | null
  /** Any 30 days; null: no limit. */
  readonly monthly: {
    /** The most in the window. */
    readonly limit: number
    /** The amount spent in the window, including holds. */
    readonly spent: number
    /** What is left. */
    readonly remaining: number
  } | null
  /** The most that one purchase may cost; null: no limit. */
  readonly perTransaction: number | null
  /** A price above it waits for the owner; 0: every paid purchase does; null: none does. */
  readonly autoApproveThreshold: number | null
}

/** What to buy. */
export interface BuyInput {
  /** The id of a skill or a soul, or a skill's slug. */
  readonly skillId: string
  /** Whether the client installs it at once; false by default. */
  readonly autoInstall?: boolean | null | undefined
  /** The most to pay, in USDT. A higher price is refused as PRICE_CHANGED. */
  readonly maxPrice?: number | string | null | undefined
  /** The agreed pricing model. Any other model is refused as PRICE_CHANGED. */
  readonly pricingModel?: "one_time" | "free" | "subscription" | null | undefined
}

/** The result of a purchase. */
export interface BuyResult {
  /** Prefix `pur_`. */
  readonly purchaseId: string
  /** What was bought. */
  readonly skillId: string
  /** The license; null while the purchase waits for approval. */
  readonly licenseKey: string | null
  /** `pending_approval` if the price exceeds the auto-approve threshold; `failed` only for a repeated request whose purchase waited and was not approved. */
  readonly status: "completed" | "pending_approval" | "failed"
  /** Why it failed. */
  readonly failureReason?: "rejected" | "expired" | "not_for_sale" | "frozen"
  /** What happens next. */
  readonly message?: string
}

/** What a skill needs. */
export interface Capabilities {
  /** What the skill says it needs. */
  readonly declared: {
    /** Tools of the agent. */
    readonly tools: ReadonlyArray<string>
    /** Hosts in the network. */
    readonly hosts: ReadonlyArray<string>
    /** Commands. */
    readonly commands: ReadonlyArray<string>
    /** Files outside the skill's folder. */
    readonly paths: ReadonlyArray<string>
    /** Environment variables. */
    readonly environment: ReadonlyArray<string>
  }
  /** What the scan found that it uses. */
  readonly used: {
    /** Tools of the agent. */
    readonly tools: ReadonlyArray<string>
    /** Hosts in the network. */
    readonly hosts: ReadonlyArray<string>
    /** Commands. */
    readonly commands: ReadonlyArray<string>
    /** Files outside the skill's folder. */
    readonly paths: ReadonlyArray<string>
    /** Environment variables. */
    readonly environment: ReadonlyArray<string>
  }
}

/** A category of items. */
export interface Category {
  /** The name of the category in filters and items. */
  readonly slug: string
  /** The name to display. */
  readonly name: string
  /** An emoji. */
  readonly icon: string
  /** The category that it is part of. */
  readonly parent: string | null
  /** The kinds of items that may have it. */
  readonly appliesTo: ReadonlyArray<"soul" | "listing">
  /** The number of public items in it. */
  readonly count: number
}

/** What changes. */
export interface ChannelChanges {
  /** Whether messages are sent. */
  readonly enabled?: boolean | null | undefined
  /** When notifications other than approvals are sent: `none` sends each at once, `hourly` and `daily` send them together. */
  readonly digest?: "none" | "hourly" | "daily" | null | undefined
}

/** The confirmation of an e-mail address. */
export interface ChannelCode {
  /** The code in the e-mail. */
  readonly code: string
}

/** A channel to add. Each kind has its own fields. */
export interface ChannelInput {
  /** Where the messages go. */
  readonly kind: "email" | "push" | "slack" | "telegram" | "discord"
  /** When notifications other than approvals are sent: `none` sends each at once, `hourly` and `daily` send them together. */
  readonly digest?: "none" | "hourly" | "daily" | null | undefined
  /** For `email`: the address. */
  readonly address?: string | null | undefined
  /** For `slack` and `discord`: the URL of an incoming webhook. For `telegram`: that of a bot's `sendMessage`. */
  readonly url?: string | null | undefined
  /** For `telegram`: the chat. */
  readonly chatId?: string | null | undefined
  /** For `push`: `endpoint` of the browser's subscription. */
  readonly endpoint?: string | null | undefined
  /** For `push`: `keys.p256dh` of the subscription. */
  readonly p256dh?: string | null | undefined
  /** For `push`: `keys.auth` of the subscription. */
  readonly auth?: string | null | undefined
}

/** The result of a test message. */
export interface ChannelTest {
  /** Whether the test message was accepted. */
  readonly sent: boolean
  /** Why it was not accepted; null if it was. */
  readonly problem: string | null
}

/** An agent that now acts for the caller. */
export interface ClaimedAgent {
  readonly agent: Agent
}

/** Which agent to claim. */
export interface ClaimInput {
  /** The code from the response to the agent's registration. */
  readonly claimCode: string
  readonly policy?: ClaimPolicy | undefined
}

/** The agent's policy from the start. Absent fields set no limit; without autoApprove every paid purchase waits. */
export interface ClaimPolicy {
  /** False: every paid purchase waits for the owner. */
  readonly autoApprove?: boolean | undefined
  /** A price above it waits for the owner; null: none does. */
  readonly autoApproveThreshold?: number | string | null | undefined
  /** The most that one purchase may cost; null: no limit. */
  readonly perTransactionLimit?: number | string | null | undefined
  /** The most in any 24 hours; null: no limit. */
  readonly dailyLimit?: number | string | null | undefined
  /** The most in any 7 days; null: no limit. */
  readonly weeklyLimit?: number | string | null | undefined
  /** The most in any 30 days; null: no limit. */
  readonly monthlyLimit?: number | string | null | undefined
  /** The only categories that may be bought; null: all. */
  readonly allowedCategories?: ReadonlyArray<string> | null | undefined
  /** Accounts that nothing is bought from; null: none. */
  readonly blockedSellers?: ReadonlyArray<string> | null | undefined
}

/** The seller. */
export interface Creator {
  /** The creator's account, prefix `usr_`. */
  readonly id: string
  /** The creator's name. */
  readonly name: string
  /** Whether the creator has proven to own a domain. */
  readonly verified: boolean
}

/** The public profile of a creator. */
export interface CreatorProfile {
  /** The account. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Whether it has proven to own a domain. */
  readonly verified: boolean
  /** When it joined. */
  readonly joinedAt: string
  /** The number of public souls. */
  readonly souls: number
  /** The number of public listings. */
  readonly listings: number
  /** The number of sales of these. */
  readonly sales: number
  /** Mean of their reviews with two decimals; 0 if there are none. */
  readonly rating: number
}

/** A machine that is not active. */
export interface Deactivated {
  /** The purchase of the license. */
  readonly purchaseId: string
  /** The machine of the request. */
  readonly machine: string
  /** False if the machine was not active. */
  readonly deactivated: boolean
}

/** A key that is refused from now on. */
export interface DeactivatedKey {
  /** Which key. */
  readonly id: string
  /** Always `deactivated`. */
  readonly status: "deactivated"
}

/** A machine on which a license is no longer used. */
export interface DeactivationInput {
  /** The license key, which is the secret of this request. Case, hyphens and blanks are ignored. */
  readonly licenseKey: string
  /** What tells one machine from another: a hash that the seller's program makes, 1 to 128 characters. */
  readonly machine: string
}

/** The deleted record. */
export interface Deleted {
  /** The id of the deleted record. */
  readonly id: string
  /** Always true. */
  readonly deleted: true
}

/** The delivery of one event to one subscription. */
export interface Delivery {
  /** The `webhook-id` of every attempt. */
  readonly id: string
  /** The name of the event. */
  readonly event: string
  /** `failed`: all attempts failed. `pending` without a next attempt: waits for a recovery. */
  readonly status: "pending" | "delivered" | "failed"
  /** Oldest first, including attempts before a replay. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  /** The time of the next attempt; null if there is none. */
  readonly nextAttemptAt: string | null
}

/** One request to the receiver. */
export interface DeliveryAttempt {
  /** When it was created. */
  readonly at: string
  /** The status of the receiver's response; null if there was none. */
  readonly statusCode: number | null
  /** How long it took, in milliseconds. */
  readonly durationMs: number
  /** Why the attempt failed; null if it succeeded. */
  readonly error: string | null
  /** The first 2,048 characters of the response. */
  readonly responseBody: string | null
}

/** Deliveries by the day of their event and by status. */
export interface DeliveryTimeline {
  /** Events at or after this time are contained. */
  readonly from: string
  /** Events before this time are contained. */
  readonly to: string
  /** All UTC days, also those without events. */
  readonly periods: ReadonlyArray<string>
  /** One for each status. */
  readonly series: ReadonlyArray<{
    /** What has become of these deliveries until now. */
    readonly status: "delivered" | "pending" | "failed"
    /** Their number. */
    readonly count: number
    /** The number of each day, in the order of `periods`. */
    readonly counts: ReadonlyArray<number>
  }>
}

/** Where to send deposits. There is no minimum. */
export interface DepositInfo {
  /** Send only USDT on TRON (TRC-20) here. */
  readonly address: string
  /** Always `TRON`. */
  readonly chain: "TRON"
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** The wallet's balance, in USDT. */
  readonly balance: string
  /** The URL of an image of the address; needs no key. */
  readonly qrCode: string
  /** Always true: the first call creates the address. */
  readonly hasAddress: boolean
  /** The chains that deposits may come from. */
  readonly supportedChains: ReadonlyArray<string>
}

/** A domain that an account proves to be its own. */
export interface Domain {
  /** In lower-case ASCII. */
  readonly domain: string
  /** What the domain must publish: as the value of a TXT record, or in `/.well-known/agent-marketplace.txt`. */
  readonly token: string
  /** Whether the token was found. */
  readonly status: "pending" | "verified"
  /** When it was last checked; null if never. */
  readonly checkedAt: string | null
  /** Why the last check did not find the token. */
  readonly problem: string | null
}

/** The domain to prove. */
export interface DomainInput {
  /** A domain name; other scripts are stored in ASCII (IDNA). */
  readonly domain: string
}

/** Proceeds that are released on one UTC day. */
export interface EscrowDay {
  /** The amount released on that day, in USDT. */
  readonly amount: number
  /** When the last of it is released. */
  readonly releasedAt: string
}

/** A machine on which one of the account's licenses is used. */
export interface ExportedActivation {
  /** The purchase of the license. */
  readonly purchaseId: string
  /** What tells the machine from others. */
  readonly machine: string
  /** Its name in the holder's list of machines. */
  readonly label: string | null
  /** When it was activated. */
  readonly activatedAt: string
}

/** The spending policy of one of the agents. */
export interface ExportedAgentPolicy {
  /** The agent. */
  readonly agentId: string
  readonly policy: Policy
}

/** One of the account's souls. */
export interface ExportedSoul {
  /** Prefix `soul_`. */
  readonly id: string
  /** The soul's slug. */
  readonly slug: string
  /** Its name. */
  readonly name: string
  /** What it is. */
  readonly description: string
  /** Its price in USDC. */
  readonly price: string
  /** Its category. */
  readonly category: string
  /** Its tags. */
  readonly tags: ReadonlyArray<string>
  /** Whether it is public. */
  readonly visibility: "public" | "private"
  /** The version of the text. */
  readonly version: number
  /** The whole text. */
  readonly content: string
  /** Whether it was deleted. */
  readonly deleted: boolean
  /** Why an operator suspended it; null unless it is suspended. */
  readonly suspensionReason: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
}

/** One version of the text of a soul. */
export interface ExportedSoulVersion {
  /** The soul's slug. */
  readonly slug: string
  /** Which version, counted from 1. */
  readonly version: number
  /** The whole text. */
  readonly content: string
  /** When it was written. */
  readonly createdAt: string
}

/** What a rule found. */
export interface Finding {
  /** The id of the rule. */
  readonly rule: string
  /** How serious it is. */
  readonly level: "clean" | "notice" | "warn" | "block"
  /** The family of the rule. */
  readonly family?: string
  /** The file. */
  readonly file: string
  /** The line, counted from 1; 0 if the finding is about the whole file. */
  readonly line: number
  /** The text that was found, at most 200 characters, with secrets masked. */
  readonly evidence: string
  /** What is wrong, and what to change. */
  readonly message: string
  /** The entry of OWASP's Agentic Skills Top 10. */
  readonly owasp: string | null
}

/** Why an agent is frozen. The body is optional. */
export interface FreezeInput {
  /** 1 to 1,000 characters. */
  readonly reason?: string | null | undefined
}

/** The access that an owner has granted to an application. */
export interface Grant {
  /** Prefix `ogr_`. */
  readonly id: string
  /** The agent that the application acts as. */
  readonly agentId: string
  readonly client: GrantClient
  /** The scopes of the application. */
  readonly scopes: ReadonlyArray<"read" | "buy" | "sell">
  /** When the owner agreed. */
  readonly createdAt: string
  /** When it was last used. Can be about a minute behind, because a use is recorded at most once a minute. */
  readonly lastUsedAt: string | null
}

/** The application. */
export interface GrantClient {
  /** The client's id. */
  readonly id: string
  /** The name that the client gives itself. It is not verified. */
  readonly name: string
}

/** The requests of the current hour. */
export interface HourlyUse {
  /** Requests per hour; null is unlimited. */
  readonly limit: number | null
  /** Requests in this hour: of this key's agent, or of the owner's own keys together. */
  readonly used: number
  /** When the hour ends; null if there is no limit. */
  readonly resetAt: string | null
}

/** Changes of a picture; absent fields stay. */
export interface ImageUpdate {
  /** Describes the picture for people who do not see it: at most 200 characters. */
  readonly alt?: string | null | undefined
  /** The place among the screenshots, from 1; beyond the last one means the end. A thumbnail ignores it. */
  readonly position?: number | null | undefined
}

/** Where and what to install. */
export interface InstallPlace {
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly kind: "release" | "link" | "license_only"
  /** Where to install from; null if a buyer gets only the license. */
  readonly url: string | null
  /** The version of a release; null for a link. */
  readonly version: string | null
  /** The digest of a release; null for a link. */
  readonly sha256: string | null
}

/** A new API key with its secret. */
export interface IssuedKey {
  /** Prefix `key_`. */
  readonly id: string
  /** A name that distinguishes the key from others. */
  readonly name: string
  /** What the key may do. */
  readonly scope: "READ" | "BUYER" | "SELLER" | "FULL"
  /** The first characters of the key. */
  readonly prefix: string
  /** A deactivated key is refused at once. */
  readonly status: "active" | "deactivated"
  /** The agent that acts with it. */
  readonly agentId: string | null
  /** When it expires. */
  readonly expiresAt: string | null
  /** When it was last used. Can be about a minute behind, because a use is recorded at most once a minute. */
  readonly lastUsedAt: string | null
  /** When it was created. */
  readonly createdAt: string
  /** The key that it replaced. */
  readonly rotatedFrom: string | null
  /** 90 days after it was created. */
  readonly rotationDueAt: string
  /** The key itself, shown only in this response. */
  readonly key: string
}

/** A picture of a listing or a SOUL. */
export interface ItemImage {
  /** The id of the picture. */
  readonly id: string
  /** What it is for. */
  readonly kind: "thumbnail" | "screenshot"
  /** Describes it for people who do not see it; can be empty. */
  readonly alt: string
  /** The picture as WebP. */
  readonly full: {
    /** Where everybody reads it while the item is public. */
    readonly url: string
    /** In pixels. */
    readonly width: number
    /** In pixels. */
    readonly height: number
    /** In bytes. */
    readonly size: number
  }
  /** A smaller one for lists. */
  readonly small: {
    /** Where everybody reads it while the item is public. */
    readonly url: string
    /** In pixels. */
    readonly width: number
    /** In pixels. */
    readonly height: number
    /** In bytes. */
    readonly size: number
  }
  /** When it was uploaded. */
  readonly createdAt: string
}

/** The pictures of a listing. */
export interface ItemImageList {
  /** The thumbnail first, then the screenshots in their order. */
  readonly images: ReadonlyArray<ItemImage>
}

/** How far an item can be trusted, and why. */
export interface ItemTrust {
  /** The level of the verdict; null if no release was scanned. */
  readonly level: "clean" | "notice" | "warn" | "block" | null
  /** The version of the rules; null if no release was scanned. */
  readonly ruleset: string | null
  /** What the rules found. */
  readonly findings: ReadonlyArray<Finding>
  /** The creator. */
  readonly creator: {
    /** Whether the creator has proven a domain. */
    readonly verified: boolean
    /** The proven domains. */
    readonly domains: ReadonlyArray<string>
  }
  /** How many releases there are. */
  readonly releases: number
  /** How many open reports there are. */
  readonly reports: number
}

/** An API key without its secret. */
export interface Key {
  /** Prefix `key_`. */
  readonly id: string
  /** A name that distinguishes the key from others. */
  readonly name: string
  /** What the key may do. */
  readonly scope: "READ" | "BUYER" | "SELLER" | "FULL"
  /** The first characters of the key. */
  readonly prefix: string
  /** A deactivated key is refused at once. */
  readonly status: "active" | "deactivated"
  /** The agent that acts with it. */
  readonly agentId: string | null
  /** When it expires. */
  readonly expiresAt: string | null
  /** When it was last used. Can be about a minute behind, because a use is recorded at most once a minute. */
  readonly lastUsedAt: string | null
  /** When it was created. */
  readonly createdAt: string
  /** The key that it replaced. */
  readonly rotatedFrom: string | null
  /** 90 days after it was created. */
  readonly rotationDueAt: string
}

/** A key to create. */
export interface KeyInput {
  /** 1 to 100 characters; a name that distinguishes the key from others. */
  readonly name: string
  /** What the key may do: READ reads; BUYER buys; SELLER publishes and sells; FULL does everything. */
  readonly scope: "READ" | "BUYER" | "SELLER" | "FULL"
  /** One of the owner's agents that acts with it. */
  readonly agentId?: string | null | undefined
  /** When the key expires: an ISO 8601 instant in the future. */
  readonly expiresAt?: string | null | undefined
}

/** The result of a license check. */
export interface LicenseCheck {
  /** Whether the license is valid now. */
  readonly valid: boolean
  /** The purchase behind it. */
  readonly purchaseId: string | null
  /** The item that the license is for. */
  readonly skillId: string | null
  /** `perpetual`, `subscription` or `free`. */
  readonly licenseType: string | null
  /** `completed`, `pending`, `refunded` or `failed`. */
  readonly status: string | null
  /** When it was bought. */
  readonly purchasedAt: string | null
  /** The end of the paid period; null if the license does not expire. */
  readonly expiresAt: string | null
}

/** A license to look up. */
export interface LicenseInput {
  /** The license key. Case, hyphens and blanks are ignored. */
  readonly licenseKey: string
  /** Only a license for this item is valid. */
  readonly skillId?: string | null | undefined
}

/** A proof of a license that programs check without the market. */
export interface LicenseProof {
  /** A compact JWS (EdDSA) whose key is one of the market's public keys. */
  readonly proof: string
}

/** A session in the list of active sessions. */
export interface ListedSession {
  /** Prefix `ses_`. */
  readonly id: string
  /** How the person signed in. */
  readonly method: "key" | "link" | "admin_token" | "passkey"
  /** The browser, as it names itself; at most 200 characters. */
  readonly userAgent: string | null
  /** Whether this session makes the request. */
  readonly current: boolean
  /** Until when a confirmation with a passkey counts. */
  readonly elevatedUntil: string | null
  /** When the person signed in. */
  readonly createdAt: string
  /** When it was last used; updated with a delay of a few seconds. */
  readonly lastUsedAt: string
  /** When it ends unless it is used again: 12 hours after the last use, 30 days after sign-in at most. */
  readonly expiresAt: string
}

/** A listing to submit for review. */
export interface ListingCreate {
  /** 3 to 50 characters. */
  readonly name: string
  /** 10 to 200 characters. */
  readonly description: string
  /** Full Markdown description, at most 50,000 characters. */
  readonly longDescription?: string | null | undefined
  /** Greater than 1, at most 6 decimals. */
  readonly price: number | string
  /** The currency of the price; USD by default. */
  readonly currency?: "USD" | "USDC" | "USDT" | null | undefined
  /** One of the listing categories. */
  readonly category:
    "productivity" | "automation" | "creative" | "data" | "communication" | "development" | "analytics" | "security"
  /** At most 5 of 1 to 40 characters. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL to install from; visible to license holders. */
  readonly installUrl: string
  /** A valid HTTPS URL; recommended. */
  readonly documentationUrl?: string | null | undefined
  /** At most 10 HTTPS URLs. */
  readonly screenshots?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL of a demo. */
  readonly videoUrl?: string | null | undefined
  /** `one_time` by default; a `subscription` is paid every 30 days. */
  readonly pricingModel?: "one_time" | "free" | "subscription" | null | undefined
  /** On how many machines each license may be active, 1 or more; without a limit by default. */
  readonly maxActivations?: number | null | undefined
}

/** A listing that was submitted. */
export interface ListingCreated {
  /** Prefix `lst_`. */
  readonly id: string
  /** Always `pending_review`. */
  readonly status: "pending_review"
  /** What happens next. */
  readonly message: string
}

/** A listing with all its fields. */
export interface ListingDetail {
  /** Prefix `lst_`. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The listing's name. */
  readonly name: string
  /** What the listing does. */
  readonly description: string
  /** Full Markdown description. */
  readonly longDescription: string | null
  /** In `currency`. */
  readonly price: number
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** Search terms. */
  readonly tags: ReadonlyArray<string>
  /** The URL to install from; null unless the caller owns a license, is the creator, or the price is 0. */
  readonly installUrl: string | null
  /** Its documentation. */
  readonly documentationUrl: string | null
  /** Screenshots. */
  readonly screenshots: ReadonlyArray<string>
  /** A demo. */
  readonly videoUrl: string | null
  /** Whether it is paid once, never, or every 30 days. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** On how many machines each license may be active; null if there is no limit. */
  readonly maxActivations: number | null
  /** The state of the listing's review. */
  readonly status: "pending_review" | "approved" | "rejected" | "suspended" | "deleted"
  /** Whether it is shown as featured. */
  readonly featured: boolean
  /** The level of the verdict on the newest release on sale; null if there is none. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** When it was submitted. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly delivery: "release" | "link" | "license_only"
  readonly creator: Creator
  readonly stats: ListingStats
  /** Why it was rejected or suspended; null if it was not. */
  readonly rejectionReason?: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode?:
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
  /** Changes that wait for review; null if there are none. */
  readonly pendingChanges?: {
    /** The new name. */
    readonly name?: string
    /** The new URL. */
    readonly installUrl?: string | null
    /** The new pricing model. */
    readonly pricingModel?: "one_time" | "free" | "subscription"
  } | null
}

/** A listing in a list. */
export interface ListingItem {
  /** Prefix `lst_`. */
  readonly id: string
  /** The listing's name. */
  readonly name: string
  /** What the listing does. */
  readonly description: string
  /** In `currency`. */
  readonly price: number
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** Whether it is paid once, never, or every 30 days. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** Whether it is shown as featured. */
  readonly featured: boolean
  /** The level of the verdict on the newest release on sale; null if there is none. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly delivery: "release" | "link" | "license_only"
  readonly creator: Creator
  readonly stats: ListingStats
  /** The state of the listing's review. */
  readonly status?: "pending_review" | "approved" | "rejected" | "suspended" | "deleted"
  /** Why it was rejected or suspended; null if it was not. */
  readonly rejectionReason?: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode?:
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
}

/** A page of listings. */
export interface ListingList {
  /** The listings of the page. */
  readonly listings: ReadonlyArray<ListingItem>
  /** Which page of the list this is. */
  readonly pagination: {
    /** The page, counted from 1. */
    readonly page: number
    /** The most listings on a page. */
    readonly limit: number
    /** How many listings match; a search counts at most 1,000. */
    readonly total: number
    /** The number of pages; 0 if there are no records. */
    readonly pages: number
  }
}

/** The fields to change; absent fields keep their values. */
export interface ListingPatch {
  /** 3 to 50 characters. */
  readonly name?: string | null | undefined
  /** 10 to 200 characters. */
  readonly description?: string | null | undefined
  /** Full Markdown description, at most 50,000 characters. Null clears it. */
  readonly longDescription?: string | null | undefined
  /** Greater than 1, at most 6 decimals. */
  readonly price?: number | string | null | undefined
  /** The currency of the price. */
  readonly currency?: "USD" | "USDC" | "USDT" | null | undefined
  /** One of the listing categories. */
  readonly category?:
    | "productivity"
    | "automation"
    | "creative"
    | "data"
    | "communication"
    | "development"
    | "analytics"
    | "security"
    | null
    | undefined
  /** At most 5 of 1 to 40 characters. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL. Under manual review, a new URL of an approved listing waits for an operator's approval. */
  readonly installUrl?: string | null | undefined
  /** A valid HTTPS URL. Null clears it. */
  readonly documentationUrl?: string | null | undefined
  /** At most 10 HTTPS URLs. */
  readonly screenshots?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL of a demo. Null clears it. */
  readonly videoUrl?: string | null | undefined
  /** `one_time` or `subscription`, which is paid every 30 days. */
  readonly pricingModel?: "one_time" | "free" | "subscription" | null | undefined
  /** On how many machines each license may be active, 1 or more; null for no limit. Null clears it. */
  readonly maxActivations?: number | null | undefined
}

/** Sales and reviews of the item. */
export interface ListingStats {
  /** How often it was sold. */
  readonly sales: number
  /** Mean of the reviews with two decimals; 0 if there are none. */
  readonly rating: number
  /** How many reviews there are. */
  readonly reviews: number
}

/** An account and its first key (FULL). */
export interface NewAccount {
  readonly account: Account
  readonly apiKey: IssuedKey
}

/** The subscription; with its secret if the service generated it. */
export interface NewWebhook {
  /** Prefix `whk_`. */
  readonly id: string
  /** Where events are sent. */
  readonly url: string
  /** Which events are sent; `*` means all. */
  readonly events: ReadonlyArray<string>
  /** `disabled`: by the owner, by a 410 response, or after 5 days in which every attempt failed. */
  readonly status: "active" | "disabled"
  /** When it was created. */
  readonly createdAt: string
  /** Shown only in this response. */
  readonly secret?: string
}

/** One way in which an account is notified. */
export interface NotificationChannel {
  /** Prefix `nch_`. */
  readonly id: string
  /** Where the messages go. */
  readonly kind: "email" | "push" | "slack" | "telegram" | "discord"
  /** The e-mail address, or the host of the URL. */
  readonly label: string
  /** Whether messages are sent. */
  readonly enabled: boolean
  /** When notifications other than approvals are sent: `none` sends each at once, `hourly` and `daily` send them together. */
  readonly digest: "none" | "hourly" | "daily"
  /** Whether the address is confirmed; nothing is sent before. */
  readonly verified: boolean
  /** Why the last message was not accepted; null if it was. */
  readonly problem: string | null
  /** When the last message was accepted; null if none was. */
  readonly lastSentAt: string | null
  /** When it was added. */
  readonly createdAt: string
}

/** What the account wants to be notified of. */
export interface NotificationInput {
  readonly preferences: NotificationPreferences
}

/** Whether the account is notified of each kind. */
export interface NotificationPreferences {
  /** A purchase waits for your approval. */
  readonly approval: boolean
  /** 80 % of a spending limit is reached. */
  readonly limit: boolean
  /** An agent was frozen. */
  readonly agent_frozen: boolean
  /** A deposit has arrived. */
  readonly deposit: boolean
  /** A withdrawal was completed or has failed. */
  readonly withdrawal: boolean
  /** One of your items was sold, or a subscription to it was renewed. */
  readonly sale: boolean
  /** One of your items has a new review. */
  readonly review: boolean
  /** There is an advisory about an item that you sell or bought. */
  readonly advisory: boolean
  /** An API key is due for rotation. */
  readonly key_rotation: boolean
}

/** What an account is notified of, and how it can be notified. */
export interface NotificationSettings {
  readonly preferences: NotificationPreferences
  /** The kinds of channels that the market can send to. */
  readonly kinds: ReadonlyArray<"email" | "push" | "slack" | "telegram" | "discord">
}

/** A registered application, with the names of RFC 7591. */
export interface OauthClient {
  /** Prefix `oac_`. */
  readonly client_id: string
  /** The name that people see. */
  readonly client_name: string
  /** Where codes are sent. */
  readonly redirect_uris: ReadonlyArray<string>
  /** How the client gets tokens. */
  readonly grant_types: ReadonlyArray<string>
  /** How the client authenticates. */
  readonly token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post"
  /** The scopes that the client may request. */
  readonly scope: string
  /** When it was registered, in epoch seconds. */
  readonly client_id_issued_at: number
}

/** An application to register. */
export interface OauthClientInput {
  /** 1 to 100 visible characters, which the consent page shows. */
  readonly client_name: string
  /** Where codes are sent: HTTPS URLs, HTTP URLs of loopback addresses (any port), or URIs of a scheme such as com.example.app. */
  readonly redirect_uris?: ReadonlyArray<string> | null | undefined
  /** authorization_code and refresh_token by default. client_credentials lets the client act for the caller's account. */
  readonly grant_types?:
    | ReadonlyArray<
        "authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code"
      >
    | null
    | undefined
  /** How the client authenticates; client_secret_basic by default. none is for programs that cannot keep a secret. */
  readonly token_endpoint_auth_method?: "none" | "client_secret_basic" | "client_secret_post" | null | undefined
  /** The scopes that the client may request, separated by blanks: read, buy, sell. All by default. */
  readonly scope?: string | null | undefined
}

/** The result of a decision. */
export interface OauthDecision {
  /** Where the browser goes next, with the code for the application; null for a device. */
  readonly redirectTo: string | null
}

/** Whether an application gets access, and its limits. */
export interface OauthDecisionInput {
  /** Whether the application gets access. */
  readonly approve: boolean
  /** Some of the requested scopes; all of them by default. */
  readonly scopes?: ReadonlyArray<"read" | "buy" | "sell"> | null | undefined
  readonly policy?: ClaimPolicy | undefined
}

/** An application's request for access. */
export interface OauthRequest {
  /** Prefix `oar_`. */
  readonly id: string
  readonly client: RequestClient
  /** The scopes that the application requests. */
  readonly scopes: ReadonlyArray<"read" | "buy" | "sell">
  /** The part of the service that its tokens are for. */
  readonly resource: string
  /** When the request ends. */
  readonly expiresAt: string
}

/** Page numbers of a list. */
export interface Pagination {
  /** The page, counted from 1. */
  readonly page: number
  /** The most records on a page. */
  readonly limit: number
  /** The total number of records. */
  readonly total: number
  /** The number of pages; 0 if there are no records. */
  readonly totalPages: number
  /** Whether a page comes after this one. */
  readonly hasMore: boolean
}

/** A passkey with which a person signs in and confirms. */
export interface Passkey {
  /** Prefix `psk_`. */
  readonly id: string
  /** A name that distinguishes the passkey from others. */
  readonly name: string
  /** How the browser reaches the authenticator. */
  readonly transports: ReadonlyArray<string>
  /** Whether it is stored in more than one device. */
  readonly backedUp: boolean
  /** When it was registered. */
  readonly createdAt: string
  /** When it was last used. */
  readonly lastUsedAt: string | null
}

/** The browser's answer to the options. */
export interface PasskeyAssertion {
  /** The id of the passkey, base64url. */
  readonly id: string
  /** The id of the passkey, base64url. */
  readonly rawId: string
  /** Always `public-key`. */
  readonly type: "public-key"
  /** The authenticator's answer. */
  readonly response: {
    /** The browser's description of the request. Base64url. */
    readonly clientDataJSON: string
    /** What the authenticator says. Base64url. */
    readonly authenticatorData: string
    /** Its signature. Base64url. */
    readonly signature: string
    /** The id of the account that the passkey contains. */
    readonly userHandle?: string | null | undefined
  }
}

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
  /** 256 random bits, base64url. Accepted once, for five minutes. */
  readonly challenge: string
  /** This service. */
  readonly rp: {
    /** The host of BASE_URL. */
    readonly id: string
    /** The service. */
    readonly name: string
  }
  /** The account. */
  readonly user: {
    /** The account's id, base64url. */
    readonly id: string
    /** The account's name. */
    readonly name: string
    /** The account's name. */
    readonly displayName: string
  }
  /** The accepted algorithms. */
  readonly pubKeyCredParams: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** A COSE algorithm. */
    readonly alg: number
  }>
  /** How long the browser waits, in milliseconds. */
  readonly timeout: number
  /** No attestation of the authenticator is requested. */
  readonly attestation: "none"
  /** The account's passkeys. */
  readonly excludeCredentials: ReadonlyArray<{
    /** The id of the passkey, base64url. */
    readonly id: string
    /** Always `public-key`. */
    readonly type: "public-key"
    /** How the browser reaches the authenticator. */
    readonly transports: ReadonlyArray<string>
  }>
  /** What the authenticator must do. */
  readonly authenticatorSelection: {
    /** The passkey is discoverable. */
    readonly residentKey: "required"
    /** The same, for older browsers. */
    readonly requireResidentKey: boolean
    /** By PIN, fingerprint or face. */
    readonly userVerification: "required"
  }
}

/** The new name. */
export interface PasskeyPatch {
  /** 1 to 100 characters. */
  readonly name: string
}

/** The browser's answer to the options, and a name. */
export interface PasskeyRegistration {
  /** The id of the passkey, base64url. */
  readonly id: string
  /** The id of the passkey, base64url. */
  readonly rawId: string
  /** Always `public-key`. */
  readonly type: "public-key"
  /** The authenticator's answer. */
  readonly response: {
    /** The browser's description of the request. Base64url. */
    readonly clientDataJSON: string
    /** The new passkey. Base64url. */
    readonly attestationObject: string
    /** How the browser reaches the authenticator. */
    readonly transports?: ReadonlyArray<string> | null | undefined
  }
  /** 1 to 100 characters; a name that distinguishes the passkey from others. */
  readonly name?: string | null | undefined
}

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  /** 256 random bits, base64url. Accepted once, for five minutes. */
  readonly challenge: string
  /** The host of BASE_URL. */
  readonly rpId: string
  /** How long the browser waits, in milliseconds. */
  readonly timeout: number
  /** By PIN, fingerprint or face. */
  readonly userVerification: "required"
  /** The account's passkeys; empty for signing in, where the person chooses. */
  readonly allowCredentials: ReadonlyArray<{
    /** The id of the passkey, base64url. */
    readonly id: string
    /** Always `public-key`. */
    readonly type: "public-key"
    /** How the browser reaches the authenticator. */
    readonly transports: ReadonlyArray<string>
  }>
}

/** A version of a soul that is not on sale. */
export interface PendingSoulVersion {
  /** Counts up from 1. */
  readonly version: number
  /** `in_review` waits for an operator. */
  readonly status: "scanning" | "published" | "in_review" | "quarantined" | "yanked"
  /** The result of its scan; null until it was scanned. */
  readonly verdict: Verdict | null
  /** Why it is not on sale. */
  readonly reason: ReleaseReason | null
  /** When this text was stored. */
  readonly createdAt: string
}

/** Looser rules that take effect later. */
export interface PendingWithdrawalRules {
  /** Only addresses of the address book are paid. */
  readonly allowListOnly?: boolean
  /** For how many hours an address must be in the address book before it is paid. Above 0, an address that is not in the address book is not paid. */
  readonly newAddressDelayHours?: number
  /** The most that withdrawals may pay in any 24 hours, in USDT and without fees; null: no limit. */
  readonly dailyLimit?: number | null
  /** When these values take effect. */
  readonly effectiveAt: string
}

/** What may be spent without the owner's approval; amounts in USDT. */
export interface Policy {
  /** False: every paid purchase waits for the owner. */
  readonly autoApprove: boolean
  /** A price above it waits for the owner; null: none does. */
  readonly autoApproveThreshold: number | null
  /** The most that one purchase may cost; null: no limit. */
  readonly perTransactionLimit: number | null
  /** The most in any 24 hours; null: no limit. */
  readonly dailyLimit: number | null
  /** The most in any 7 days; null: no limit. */
  readonly weeklyLimit: number | null
  /** The most in any 30 days; null: no limit. */
  readonly monthlyLimit: number | null
  /** The only categories that may be bought; null: all. */
  readonly allowedCategories: ReadonlyArray<string> | null
  /** Accounts that nothing is bought from; null: none. */
  readonly blockedSellers: ReadonlyArray<string> | null
}

/** The whole policy; every field must be named. */
export interface PolicyInput {
  /** False: every paid purchase waits for the owner. */
  readonly autoApprove: boolean
  /** A price above it waits for the owner; null: none does. */
  readonly autoApproveThreshold: number | string | null
  /** The most that one purchase may cost; null: no limit. */
  readonly perTransactionLimit: number | string | null
  /** The most in any 24 hours; null: no limit. At least perTransactionLimit. */
  readonly dailyLimit: number | string | null
  /** The most in any 7 days; null: no limit. At least dailyLimit. */
  readonly weeklyLimit: number | string | null
  /** The most in any 30 days; null: no limit. At least weeklyLimit. */
  readonly monthlyLimit: number | string | null
  /** The only categories that may be bought; null: all. */
  readonly allowedCategories: ReadonlyArray<string> | null
  /** Accounts that nothing is bought from; null: none. */
  readonly blockedSellers: ReadonlyArray<string> | null
}

/** The fields to change; absent fields keep their values. */
export interface PolicyPatch {
  /** False: every paid purchase waits for the owner. */
  readonly autoApprove?: boolean | undefined
  /** A price above it waits for the owner; null: none does. */
  readonly autoApproveThreshold?: number | string | null | undefined
  /** The most that one purchase may cost; null: no limit. */
  readonly perTransactionLimit?: number | string | null | undefined
  /** The most in any 24 hours; null: no limit. */
  readonly dailyLimit?: number | string | null | undefined
  /** The most in any 7 days; null: no limit. */
  readonly weeklyLimit?: number | string | null | undefined
  /** The most in any 30 days; null: no limit. */
  readonly monthlyLimit?: number | string | null | undefined
  /** The only categories that may be bought; null: all. */
  readonly allowedCategories?: ReadonlyArray<string> | null | undefined
  /** Accounts that nothing is bought from; null: none. */
  readonly blockedSellers?: ReadonlyArray<string> | null | undefined
}

/** A purchase as its buyer sees it. */
export interface Purchase {
  /** Prefix `pur_`. */
  readonly id: string
  readonly skill: PurchasedSkill
  /** What the buyer pays, in USDT, including the fee. */
  readonly amount: number
  /** The platform's share of the amount, in USDT. */
  readonly fee: number
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** `pending`: waits for the owner's approval. `failed`: was not approved. */
  readonly status: "completed" | "pending" | "refunded" | "failed"
  /** How long the license lasts, or that it cost nothing. */
  readonly licenseType: "perpetual" | "subscription" | "free"
  /** Whether the license is valid now. */
  readonly isValid: boolean
  /** When it was bought. */
  readonly purchasedAt: string
  /** The license; null unless the purchase was completed. */
  readonly licenseKey: string | null
  /** Why the approval did not happen; null unless the purchase failed. */
  readonly failureReason: "rejected" | "expired" | "not_for_sale" | "frozen" | null
  /** The agent that bought. */
  readonly agentId: string | null
  /** The `X-Agent-Id` of the request. */
  readonly trackingId: string | null
}

/** The item, with its name at the time of purchase. */
export interface PurchasedSkill {
  /** The item's id, prefix `lst_` or `soul_`. */
  readonly id: string
  /** Its name at the time of purchase. */
  readonly name: string
  /** The item's slug. */
  readonly slug: string
  /** What it does. */
  readonly description: string
  /** The category's slug. */
  readonly category: string
  /** The category's icon. */
  readonly categoryIcon: string
  /** The seller's name. */
  readonly creator: string
}

/** A page of purchases. */
export interface PurchaseList {
  /** The purchases of the page, newest first. */
  readonly purchases: ReadonlyArray<Purchase>
  readonly pagination: Pagination
}

/** The key with which browsers subscribe to push messages. */
export interface PushKey {
  /** The key for `applicationServerKey`, in base64url; null if the market sends no push messages. */
  readonly publicKey: string | null
}

/** One quota of the account. */
export interface QuotaUse {
  /** The most there may be; null is unlimited. */
  readonly limit: number | null
  /** How many there are. */
  readonly used: number
}

/** The account's quotas and their use. */
export interface QuotaUses {
  readonly souls: QuotaUse
  readonly listings: QuotaUse
  readonly agents: QuotaUse
  readonly keys: QuotaUse
  readonly webhooks: QuotaUse
  readonly releaseBytes: QuotaUse
}

/** The result of a recovery. */
export interface Recovered {
  /** Prefix `whk_`. */
  readonly id: string
  /** How many deliveries are sent again. */
  readonly recovered: number
}

/** The time from which to send again. */
export interface RecoverInput {
  /** Undelivered events at or after this time are sent again: an ISO 8601 instant. */
  readonly since: string
}

/** Why a sale is refunded. */
export interface RefundInput {
  /** The reason, which is sent to the buyer's and the seller's webhooks. */
  readonly reason?: string | null | undefined
  /** Operator only: refund even if the seller then owes more than the limit. */
  readonly force?: boolean | null | undefined
}

/** An agent without an owner, its first key and its claim code. */
export interface RegisteredAgent {
  readonly agent: Agent
  readonly apiKey: IssuedKey
  /** Claims the agent: the account that sends it becomes the owner. Works once. */
  readonly claimCode: string
}

/** A new application with its secret, if it has one. */
export interface RegisteredOauthClient {
  /** Prefix `oac_`. */
  readonly client_id: string
  /** The name that people see. */
  readonly client_name: string
  /** Where codes are sent. */
  readonly redirect_uris: ReadonlyArray<string>
  /** How the client gets tokens. */
  readonly grant_types: ReadonlyArray<string>
  /** How the client authenticates. */
  readonly token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post"
  /** The scopes that the client may request. */
  readonly scope: string
  /** When it was registered, in epoch seconds. */
  readonly client_id_issued_at: number
  /** The secret, shown only in this response. */
  readonly client_secret?: string
  /** 0: it does not expire. */
  readonly client_secret_expires_at?: number
}

/** A set of files at a version. Its bytes never change. If they are purged, digests and sizes remain. */
export interface Release {
  /** Prefix `rel_`. */
  readonly id: string
  /** A semantic version. */
  readonly version: string
  /** SHA-256 of the archive in hex. */
  readonly sha256: string
  /** The size of the archive in bytes. */
  readonly size: number
  /** The files, sorted by the bytes of their paths. */
  readonly files: ReadonlyArray<ReleaseFile>
  /** The fields of the front matter of `SKILL.md`, as its author wrote them; null for a SOUL. */
  readonly frontMatter: Readonly<Record<string, unknown>> | null
  /** Only a published release is on sale. */
  readonly status: "scanning" | "published" | "in_review" | "quarantined" | "yanked"
  /** Null until it was scanned. */
  readonly verdict: Verdict | null
  /** Null until it was scanned. */
  readonly capabilities: Capabilities | null
  /** The market's signature; null until it was scanned, and once it is purged. */
  readonly statement: Statement | null
  /** Why it is quarantined, in review or yanked; null otherwise. */
  readonly reason: ReleaseReason | null
  /** When it was uploaded. */
  readonly createdAt: string
  /** When an operator purged its bytes; null if they were not purged. */
  readonly purgedAt: string | null
}

/** A file of a release. */
export interface ReleaseFile {
  /** The path in the release; the digest once it is purged. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** SHA-256 in hex. */
  readonly sha256: string
}

/** A page of releases. */
export interface ReleaseList {
  /** The releases of the page, newest first. */
  readonly releases: ReadonlyArray<Release>
  /** Which page of the list this is. */
  readonly pagination: {
    /** The page, counted from 1. */
    readonly page: number
    /** The most releases on a page. */
    readonly limit: number
    /** How many releases there are. */
    readonly total: number
    /** The number of pages; 0 if there are no records. */
    readonly pages: number
  }
}

/** Why a release is not on sale. */
export interface ReleaseReason {
  /** For programs. */
  readonly code: string
  /** For people. */
  readonly text: string
}

/** The caller's report. */
export interface Report {
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
}

/** A report of an item. */
export interface ReportInput {
  /** Why the item should not be sold. */
  readonly reason: "malware" | "prompt_injection" | "copy" | "spam" | "illegal" | "other"
  /** What is wrong, and where: 1 to 2,000 characters. The creator does not see it. */
  readonly text: string
}

/** The application. */
export interface RequestClient {
  /** The client's id. */
  readonly id: string
  /** The name that the client gives itself. It is not verified. */
  readonly name: string
  /** Where the browser goes afterwards; null for a device. */
  readonly redirectHost: string | null
}

/** A license holder's judgement. */
export interface Review {
  /** Prefix `rev_`. */
  readonly id: string
  /** The reviewed listing or soul. */
  readonly listingId: string
  /** The name of who judges. */
  readonly author: string
  /** 1 to 5. */
  readonly rating: number
  /** What was written besides. */
  readonly comment: string | null
  /** When it was first written. */
  readonly createdAt: string
  /** When it was last written. */
  readonly updatedAt: string
}

/** A judgement. */
export interface ReviewInput {
  /** A whole number from 1 to 5. */
  readonly rating: number
  /** At most 2,000 characters. */
  readonly comment?: string | null | undefined
}

/** A page of reviews. */
export interface ReviewList {
  /** The reviews of the page, newest first. */
  readonly reviews: ReadonlyArray<Review>
  /** Which page of the list this is. */
  readonly pagination: {
    /** The page, counted from 1. */
    readonly page: number
    /** The most reviews on a page. */
    readonly limit: number
    /** How many reviews there are. */
    readonly total: number
    /** The number of pages; 0 if there are no records. */
    readonly pages: number
  }
}

/** The new secret; the old one also signs for 24 hours. */
export interface RotatedSecret {
  /** Prefix `whk_`. */
  readonly id: string
  /** Shown only in this response. */
  readonly secret: string
}

/** Options of the rotation. The body is optional. */
export interface RotateInput {
  /** How long the old key stays valid, in seconds; 86,400 (a day) by default. */
  readonly graceSeconds?: number | null | undefined
}

/** A purchase as its seller sees it. */
export interface Sale {
  /** Prefix `pur_`, or `ren_` of a renewal. */
  readonly id: string
  /** Whether it was sold or renewed. */
  readonly kind: "sale" | "renewal"
  /** The buyer's account. */
  readonly buyerId: string
  /** What the seller gets, in USDT: the amount without the fee. */
  readonly net: number
  readonly skill: PurchasedSkill
  /** What the buyer pays, in USDT, including the fee. */
  readonly amount: number
  /** The platform's share of the amount, in USDT. */
  readonly fee: number
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** `pending`: waits for the owner's approval. `failed`: was not approved. */
  readonly status: "completed" | "pending" | "refunded" | "failed"
  /** How long the license lasts, or that it cost nothing. */
  readonly licenseType: "perpetual" | "subscription" | "free"
  /** Whether the license is valid now. */
  readonly isValid: boolean
  /** When it was bought. */
  readonly purchasedAt: string
}

/** An address that the owner withdraws to. */
export interface SavedAddress {
  /** Prefix `adr_`. */
  readonly id: string
  /** A TRON address. */
  readonly address: string
  /** The owner's name for it. */
  readonly label: string | null
  /** When it was saved. */
  readonly createdAt: string
}

/** An address to save. */
export interface SavedAddressInput {
  /** A valid TRON address, other than the token's contract and the service's own addresses. */
  readonly address: string
  /** 1 to 100 characters. */
  readonly label?: string | null | undefined
}

/** A person who is signed in; `account` is null for a session of the operator's token. */
export interface Session {
  /** Prefix `ses_`. */
  readonly id: string
  /** How the person signed in. */
  readonly method: "key" | "link" | "admin_token" | "passkey"
  /** The browser, as it names itself; at most 200 characters. */
  readonly userAgent: string | null
  /** Whether this session makes the request. */
  readonly current: boolean
  /** Until when a confirmation with a passkey counts. */
  readonly elevatedUntil: string | null
  /** When the person signed in. */
  readonly createdAt: string
  /** When it was last used; updated with a delay of a few seconds. */
  readonly lastUsedAt: string
  /** When it ends unless it is used again: 12 hours after the last use, 30 days after sign-in at most. */
  readonly expiresAt: string
  /** Who is signed in; null for a session of the operator's token. */
  readonly account: Account | null
  /** Whether the session may do what the operator's token does. */
  readonly operator: boolean
}

/** The other fields, signed. */
export interface SignedEnvelope {
  /** The type of the payload. */
  readonly payloadType: string
  /** The advisory's other fields in canonical JSON (RFC 8785), in base64. */
  readonly payload: string
  /** The market's signature. */
  readonly signatures: ReadonlyArray<{
    /** The key's id in the market's public keys. */
    readonly keyid: string
    /** An Ed25519 signature of the encoded payload, in base64. */
    readonly sig: string
  }>
}

/** How a person signs in: exactly one of the fields. */
export interface SignIn {
  /** An owner's FULL key. */
  readonly apiKey?: string | null | undefined
  /** The whole URL of a sign-in link, which works once. */
  readonly link?: string | null | undefined
  /** The operator's token. */
  readonly adminToken?: string | null | undefined
}

/** A public key with which the market signs or signed. */
export interface SigningJwk {
  /** Always `OKP`. */
  readonly kty: "OKP"
  /** Always `Ed25519`. */
  readonly crv: "Ed25519"
  /** The public key, 32 bytes in base64url. */
  readonly x: string
  /** The key's id: its thumbprint (RFC 7638). */
  readonly kid: string
  /** Always `sig`. */
  readonly use: "sig"
  /** Always `EdDSA`. */
  readonly alg: "EdDSA"
  /** When the market started to sign with it. */
  readonly createdAt: string
  /** Signatures dated at this time or later are not valid; null while the key signs. */
  readonly retiredAt: string | null
}

/** The public keys of the market's signatures (RFC 7517). */
export interface SigningKeys {
  /** The keys, newest first, past ones too. */
  readonly keys: ReadonlyArray<SigningJwk>
}

/** A link that signs in once. */
export interface SignInLink {
  /** Opens the sign-in page. Its fragment is the secret, which works once; loading the page does not use it. */
  readonly url: string
  /** Two minutes after it was created. */
  readonly expiresAt: string
}

/** An account to create. */
export interface SignUp {
  /** 1 to 100 characters; shown as author and creator. */
  readonly name: string
  /** An e-mail address; never shown to others. */
  readonly email?: string | null | undefined
  /** Whether the account may create listings; false by default. */
  readonly seller?: boolean | null | undefined
}

/** A skill to submit for review. */
export interface SkillCreate {
  /** 3 to 100 characters. */
  readonly name: string
  /** 10 to 5,000 characters. */
  readonly description: string
  /** At most 280 characters; by default the first 280 characters of the description. */
  readonly shortDesc?: string | null | undefined
  /** Full Markdown description, at most 50,000 characters. */
  readonly longDescription?: string | null | undefined
  /** 0 for a free skill; at most 6 decimals. The price of a subscription is for 30 days. */
  readonly price: number | string
  /** The currency of the price; USDT by default. */
  readonly currency?: "USD" | "USDC" | "USDT" | null | undefined
  /** The category's name or slug; `other` if neither this nor `categoryId` is given. */
  readonly category?: string | null | undefined
  /** At most 5 of 1 to 40 characters. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL to install from; visible to license holders. */
  readonly installUrl?: string | null | undefined
  /** A valid HTTPS URL of a picture. */
  readonly thumbnailUrl?: string | null | undefined
  /** `one_time` by default; `free` requires the price 0, `subscription` a higher price. */
  readonly pricingModel?: "one_time" | "free" | "subscription" | null | undefined
  /** On how many machines each license may be active, 1 or more; without a limit by default. */
  readonly maxActivations?: number | null | undefined
  /** The category's slug, if `category` is absent. */
  readonly categoryId?: string | null | undefined
}

/** A skill that was submitted. */
export interface SkillCreated {
  /** Prefix `lst_`; the same as the listing's. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The skill's name. */
  readonly title: string
  /** What the skill does. */
  readonly description: string
  /** In `currency`. */
  readonly price: string
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** Always `pending_review`. */
  readonly status: "pending_review"
  /** When it was submitted. */
  readonly createdAt: string
}

/** A skill with all its fields. */
export interface SkillDetail {
  /** Prefix `lst_`; the same as the listing's. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The skill's name. */
  readonly title: string
  /** What the skill does. */
  readonly description: string
  /** In `currency`. */
  readonly price: string
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** Search terms. */
  readonly tags: ReadonlyArray<string>
  /** A picture. */
  readonly thumbnailUrl: string | null
  /** Whether it is paid once, never, or every 30 days. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** On how many machines each license may be active; null if there is no limit. */
  readonly maxActivations: number | null
  /** The state of the skill's review. */
  readonly status: "pending_review" | "approved" | "rejected" | "suspended" | "deleted"
  /** Whether it is shown as featured. */
  readonly featured: boolean
  /** The level of the verdict on the newest release on sale; null if there is none. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** When it was submitted. */
  readonly createdAt: string
  /** What it does, in at most 280 characters. */
  readonly shortDesc: string
  /** Whether it is a listing or a soul. */
  readonly kind: "skill" | "soul"
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly delivery: "release" | "link" | "license_only"
  /** Mean of the reviews with two decimals; 0 if there are none. */
  readonly rating: number
  /** Why it was rejected or suspended; null if it was not. */
  readonly rejectionReason?: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode?:
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
  /** Changes that wait for review; null if there are none. */
  readonly pendingChanges?: {
    /** The new name. */
    readonly name?: string
    /** The new URL. */
    readonly installUrl?: string | null
    /** The new pricing model. */
    readonly pricingModel?: "one_time" | "free" | "subscription"
  } | null
  readonly creator: Creator
  readonly stats: ListingStats
}

/** A skill in a list. */
export interface SkillItem {
  /** Prefix `lst_`; the same as the listing's. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The skill's name. */
  readonly title: string
  /** In `currency`. */
  readonly price: string
  /** The currency of the price. */
  readonly currency: "USD" | "USDC" | "USDT"
  /** The category's slug. */
  readonly category: string
  /** A picture. */
  readonly thumbnailUrl: string | null
  /** Whether it is paid once, never, or every 30 days. */
  readonly pricingModel: "one_time" | "free" | "subscription"
  /** Whether it is shown as featured. */
  readonly featured: boolean
  /** The level of the verdict on the newest release on sale; null if there is none. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** What it does, in at most 280 characters. */
  readonly shortDesc: string
  /** Whether it is a listing or a soul. */
  readonly kind: "skill" | "soul"
  /** What a buyer gets: a release, a link to install from, or the license alone. */
  readonly delivery: "release" | "link" | "license_only"
  /** Mean of the reviews with two decimals; 0 if there are none. */
  readonly rating: number
  /** The state of the skill's review. */
  readonly status?: "pending_review" | "approved" | "rejected" | "suspended" | "deleted"
  /** Why it was rejected or suspended; null if it was not. */
  readonly rejectionReason?: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode?:
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
}

/** A page of skills. */
export interface SkillList {
  /** The skills of the page. */
  readonly skills: ReadonlyArray<SkillItem>
  readonly pagination: Pagination
}

/** The fields to change; absent fields keep their values. */
export interface SkillPatch {
  /** 3 to 100 characters. */
  readonly name?: string | null | undefined
  /** 10 to 5,000 characters. */
  readonly description?: string | null | undefined
  /** At most 280 characters. Null clears it. */
  readonly shortDesc?: string | null | undefined
  /** Full Markdown description, at most 50,000 characters. Null clears it. */
  readonly longDescription?: string | null | undefined
  /** 0 for a free skill; at most 6 decimals. The price of a subscription is for 30 days. */
  readonly price?: number | string | null | undefined
  /** The currency of the price. */
  readonly currency?: "USD" | "USDC" | "USDT" | null | undefined
  /** The category's name or slug. */
  readonly category?: string | null | undefined
  /** At most 5 of 1 to 40 characters. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A valid HTTPS URL to install from; visible to license holders. Null clears it. */
  readonly installUrl?: string | null | undefined
  /** A valid HTTPS URL of a picture. Null clears it. */
  readonly thumbnailUrl?: string | null | undefined
  /** `free` requires the price 0, `subscription` a higher price. */
  readonly pricingModel?: "one_time" | "free" | "subscription" | null | undefined
  /** On how many machines each license may be active, 1 or more; null for no limit. Null clears it. */
  readonly maxActivations?: number | null | undefined
  /** The category's slug, if `category` is absent. */
  readonly categoryId?: string | null | undefined
}

/** A soul to publish. */
export interface SoulCreate {
  /** 3 to 100 characters; the slug is derived from it. */
  readonly name: string
  /** 10 to 500 characters. */
  readonly description: string
  /** The full SOUL.md: an optional YAML front matter, and a heading `# SOUL` or a section `## Identity`. */
  readonly content: string
  /** In USDC, at most 6 decimals; 0 is free. By default the front matter's price, otherwise 0. */
  readonly price?: number | string | null | undefined
  /** A category slug. Main: personas, skills, knowledge, data, workflows, connectors, compute, services. Of personas: soul-developer, soul-analyst, soul-writer, soul-assistant, soul-executive, soul-support, soul-tech, soul-finance, soul-legal, soul-healthcare, soul-creative, soul-sales, soul-professional, soul-analytical, soul-empathetic. Others are allowed. */
  readonly category?: string | null | undefined
  /** Recommended: at most 5, lowercase and hyphen-separated. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A private soul is not listed, and only its author can read it; `public` by default. */
  readonly visibility?: "public" | "private" | null | undefined
}

/** The published soul. */
export interface SoulCreated {
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
  /** When it was published. */
  readonly createdAt: string
}

/** A soul with its text; `visibility`, `suspensionReason` and `pendingVersion` are shown to its author. */
export interface SoulDetail {
  /** Prefix `soul_`; works as `skillId` when buying. */
  readonly id: string
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The soul's name. */
  readonly name: string
  /** What the soul does. */
  readonly description: string
  /** The full SOUL.md text; only its first 280 characters, and `preview`, if the texts of paid souls require a license that the caller does not have. */
  readonly content: string
  /** In USDC. */
  readonly price: string
  /** The category's slug. */
  readonly category: string
  /** Search terms. */
  readonly tags: ReadonlyArray<string>
  /** The author's account. */
  readonly authorId: string
  /** The author account's name. */
  readonly author: string
  /** Whether the author has proven to own a domain. */
  readonly authorVerified: boolean
  /** Starts at 1 and increases with every change of the content. */
  readonly version: number
  /** The level of the verdict on the version on sale; null if it was not scanned. */
  readonly trust: "clean" | "notice" | "warn" | "block" | null
  /** The number of accounts that downloaded it. */
  readonly downloads: number
  /** When it was published. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly updatedAt: string
  readonly stats: ListingStats
  /** True if `content` is only the start, because the caller may not read the rest. */
  readonly preview?: boolean
  /** A private soul is not listed, and only its author can read it. */
  readonly visibility?: "public" | "private"
  /** Why an operator suspended it; null if it is not suspended. */
  readonly suspensionReason?: string | null
  /** The code of the reason; null if there is none. */
  readonly reasonCode?:
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
  /** The newest version, if it waits for an operator or is quarantined; null otherwise. */
  readonly pendingVersion?: PendingSoulVersion | null
}

/** A soul's text to install. */
export interface SoulDownloaded {
  /** Lowercase, hyphenated, unique, never changed. */
  readonly slug: string
  /** The full SOUL.md text; only its first 280 characters, and `preview`, if the texts of paid souls require a license that the caller does not have. */
  readonly content: string
  /** Which version of the text this is. */
  readonly version: number
}

/** A recommendation that the text does not follow. */
export interface SoulFinding {
  /** Which recommendation it is about. */
  readonly rule: "format" | "front-matter" | "length" | "section" | "tags"
  /** `error` if it cannot be published. */
  readonly level: "error" | "warning"
  /** The line, counted from 1; 1 if it is about the whole text. */
  readonly line: number
  /** What to do. */
  readonly message: string
}

/** One soul. */
export interface SoulGot {
  readonly soul: SoulDetail
}

/** A soul in a list. */
export interface SoulItem {
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
}

/** The result of checking a SOUL.md against the recommendations. */
export interface SoulLint {
  /** Whether it can be published. */
  readonly valid: boolean
  /** How many words it has after its front matter. */
  readonly words: number
  /** The recommendations that the text does not follow. */
  readonly findings: ReadonlyArray<SoulFinding>
}

/** A SOUL.md to check. */
export interface SoulLintInput {
  /** The SOUL.md to check. */
  readonly content: string
}

/** A page of public souls. */
export interface SoulList {
  /** The souls of the page, newest first. */
  readonly souls: ReadonlyArray<SoulItem>
  /** Which part of the list this is. */
  readonly pagination: {
    /** How many souls match. */
    readonly total: number
    /** The requested number of souls. */
    readonly limit: number
    /** How many were skipped. */
    readonly offset: number
    /** Whether more come after these. */
    readonly hasMore: boolean
  }
}

/** The fields to change; absent fields keep their values. */
export interface SoulPatch {
  /** 3 to 100 characters; the slug does not change. */
  readonly name?: string | null | undefined
  /** 10 to 500 characters. */
  readonly description?: string | null | undefined
  /** The full SOUL.md: an optional YAML front matter, and a heading `# SOUL` or a section `## Identity`. */
  readonly content?: string | null | undefined
  /** In USDC, at most 6 decimals; 0 is free. */
  readonly price?: number | string | null | undefined
  /** A category slug. Main: personas, skills, knowledge, data, workflows, connectors, compute, services. Of personas: soul-developer, soul-analyst, soul-writer, soul-assistant, soul-executive, soul-support, soul-tech, soul-finance, soul-legal, soul-healthcare, soul-creative, soul-sales, soul-professional, soul-analytical, soul-empathetic. Others are allowed. */
  readonly category?: string | null | undefined
  /** Recommended: at most 5, lowercase and hyphen-separated. */
  readonly tags?: ReadonlyArray<string> | null | undefined
  /** A private soul is not listed, and only its author can read it. */
  readonly visibility?: "public" | "private" | null | undefined
}

/** A version of a soul. */
export interface SoulVersion {
  /** Counts up from 1. */
  readonly version: number
  /** When this text was stored. */
  readonly createdAt: string
  /** Its release, with the state, the verdict and the signed statement; null until it was made, for a text from before souls had releases. */
  readonly release: Release | null
  /** Whether it is the text that is shown and sold. */
  readonly current: boolean
}

/** The text of a version. */
export interface SoulVersionText {
  /** Counts up from 1. */
  readonly version: number
  /** When this text was stored. */
  readonly createdAt: string
  /** Its release, with the state, the verdict and the signed statement; null until it was made, for a text from before souls had releases. */
  readonly release: Release | null
  /** The full SOUL.md text; only its first 280 characters, and `preview`, if the texts of paid souls require a license that the caller does not have. */
  readonly content: string
  /** True if `content` is only the start. */
  readonly preview: boolean
}

/** What was spent, net of refunds. */
export interface Spending {
  /** An agent's id or `owner`, a category's slug, a seller's id, or a UTC date. */
  readonly key: string
  /** The name of the agent or seller; else the key. */
  readonly name: string
  /** What was spent, in USDT. */
  readonly amount: number
  /** The number of payments. */
  readonly count: number
}

/** A DSSE envelope over an in-toto statement about the archive and its files. */
export interface Statement {
  /** The type of the payload. */
  readonly payloadType: string
  /** The payload in base64. */
  readonly payload: string
  /** The signatures. */
  readonly signatures: ReadonlyArray<{
    /** The id of the market's key. */
    readonly keyid: string
    /** The signature in base64. */
    readonly sig: string
  }>
}

/** What is subscribed to. */
export interface SubscribedSkill {
  /** The item's id, prefix `lst_` or `soul_`. */
  readonly id: string
  /** Its name at the time of purchase. */
  readonly name: string
  /** The item's slug. */
  readonly slug: string
}

/** A purchase that renews automatically, paid from the wallet. */
export interface Subscription {
  /** Prefix `sub_`. */
  readonly id: string
  readonly skill: SubscribedSkill
  /** For each 30 days, in USDT. */
  readonly price: number
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** `past_due` while the balance or the policy refuses the renewal. */
  readonly status: "active" | "past_due" | "cancelled"
  /** When the current period started. */
  readonly currentPeriodStart: string
  /** When it ends and is renewed. */
  readonly currentPeriodEnd: string
  /** Whether it ends then without being renewed. */
  readonly cancelAtPeriodEnd: boolean
}

/** Amounts over time, net of refunds. */
export interface Timeline {
  /** Whether periods are days or months, which begin at 00:00 UTC. */
  readonly per: "day" | "month"
  /** Payments at or after this time are contained. */
  readonly from: string
  /** Payments before this time are contained. */
  readonly to: string
  /** All UTC days or months, also those without payments. */
  readonly periods: ReadonlyArray<string>
  /** The largest sum first. */
  readonly series: ReadonlyArray<{
    /** An id, a category's slug, `owner` or `total`; null for all groups after the five largest together. */
    readonly key: string | null
    /** The name of the agent, seller or item; else the category, `Total` or `Others`. */
    readonly name: string
    /** The sum of all periods, in USDT. */
    readonly amount: number
    /** The number of payments. */
    readonly count: number
    /** The sum of each period, in the order of `periods`. */
    readonly amounts: ReadonlyArray<number>
  }>
}

/** A line of the wallet's ledger. */
export interface Transaction {
  /** Unique among the wallet's transactions. */
  readonly id: string
  /** The reason for the transaction. */
  readonly type: "deposit" | "withdrawal" | "purchase" | "sale" | "fee" | "refund" | "hold" | "release"
  /** The signed change of the available balance, in USDT. */
  readonly amount: string
  /** The available balance after it, in USDT. */
  readonly balanceAfter: string
  /** The agent that bought, if one did. */
  readonly agentId: string | null
  /** The purchase, withdrawal or deposit that caused it. */
  readonly reference: string
  /** When it happened. */
  readonly createdAt: string
}

/** The limits of the tier and their use. */
export interface Usage {
  /** Determines the limits below. */
  readonly tier: "free" | "pro" | "enterprise"
  readonly hourly: HourlyUse
  readonly quotas: QuotaUses
}

/** The result of a scan. It never changes for the same bytes and ruleset. */
export interface Verdict {
  /** The level of the worst finding; `clean` if there are none. */
  readonly level: "clean" | "notice" | "warn" | "block"
  /** The version of the rules. */
  readonly ruleset: string
  /** What the rules found. */
  readonly findings: ReadonlyArray<Finding>
}

/** What a wallet holds; amounts in USDT. */
export interface WalletBalance {
  /** The sum of what is available and what is locked. */
  readonly balance: number
  /** Deposits that are not final yet; not part of the balance. */
  readonly pendingBalance: number
  /** Held for purchases and withdrawals that are under way, and proceeds in escrow. */
  readonly lockedBalance: number
  /** What can be spent. */
  readonly availableBalance: number
  /** Always `USDT`. */
  readonly currency: "USDT"
  /** The TRC-20 address; null until GET /api/v1/wallet/deposit is called. */
  readonly depositAddress: string | null
  /** Always `TRON`. */
  readonly depositChain: "TRON"
  /** The sum of all deposits. */
  readonly totalDeposits: number
  /** The sum of all completed withdrawals, including fees. */
  readonly totalWithdrawals: number
  /** The sum of all spending, net of refunds. */
  readonly totalSpent: number
  /** The sum of all earnings, net of refunds and the platform's fee. */
  readonly totalEarned: number
  /** The amount owed for refunds that the platform covered; repaid from later earnings. */
  readonly debt: number
  /** Proceeds that are locked, one entry for each UTC day on which some are released, earliest first. */
  readonly escrow: ReadonlyArray<EscrowDay>
}

/** A subscription to events, without its secret. */
export interface Webhook {
  /** Prefix `whk_`. */
  readonly id: string
  /** Where events are sent. */
  readonly url: string
  /** Which events are sent; `*` means all. */
  readonly events: ReadonlyArray<string>
  /** `disabled`: by the owner, by a 410 response, or after 5 days in which every attempt failed. */
  readonly status: "active" | "disabled"
  /** When it was created. */
  readonly createdAt: string
}

/** A subscription to create. */
export interface WebhookInput {
  /** Where events are sent: an HTTPS URL that does not point to a private or reserved address. */
  readonly url: string
  /** Which events to send; `["*"]` means all of them, including events that are added later. */
  readonly events: ReadonlyArray<
    | "*"
    | "purchase.completed"
    | "purchase.pending_approval"
    | "purchase.rejected"
    | "purchase.expired"
    | "purchase.refunded"
    | "subscription.renewed"
    | "subscription.cancelled"
    | "soul.created"
    | "soul.updated"
    | "soul.downloaded"
    | "listing.approved"
    | "listing.rejected"
    | "listing.suspended"
    | "release.published"
    | "release.quarantined"
    | "advisory.published"
    | "deposit.confirmed"
    | "withdrawal.completed"
    | "withdrawal.failed"
    | "agent.frozen"
    | "key.rotation_due"
    | "webhook.test"
  >
  /** The secret that signs deliveries: 16 to 256 characters; after `whsec_`, base64. If absent, one is generated and shown only in this response. */
  readonly secret?: string | null | undefined
}

/** The fields to change; absent fields keep their values. */
export interface WebhookPatch {
  /** Where events are sent: an HTTPS URL that does not point to a private or reserved address. */
  readonly url?: string | null | undefined
  /** Which events to send; `["*"]` means all of them, including events that are added later. */
  readonly events?:
    | ReadonlyArray<
        | "*"
        | "purchase.completed"
        | "purchase.pending_approval"
        | "purchase.rejected"
        | "purchase.expired"
        | "purchase.refunded"
        | "subscription.renewed"
        | "subscription.cancelled"
        | "soul.created"
        | "soul.updated"
        | "soul.downloaded"
        | "listing.approved"
        | "listing.rejected"
        | "listing.suspended"
        | "release.published"
        | "release.quarantined"
        | "advisory.published"
        | "deposit.confirmed"
        | "withdrawal.completed"
        | "withdrawal.failed"
        | "agent.frozen"
        | "key.rotation_due"
        | "webhook.test"
      >
    | null
    | undefined
  /** `disabled` stops deliveries; `active` resumes them. Events in between can be recovered. */
  readonly status?: "active" | "disabled" | null | undefined
}

/** A payment out of the wallet. */
export interface Withdrawal {
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
}

/** A withdrawal to request. */
export interface WithdrawalInput {
  /** The amount that should arrive, in USDT. The fee is added to it. */
  readonly amount: number | string
  /** A valid TRON address, other than the token's contract and the service's own addresses. */
  readonly destinationAddress: string
  /** The id of a quote for this amount and address, whose fee is charged. */
  readonly quote?: string | null | undefined
}

/** A page of withdrawals. */
export interface WithdrawalList {
  /** The withdrawals of the page, newest first. */
  readonly withdrawals: ReadonlyArray<Withdrawal>
  readonly pagination: Pagination
}

/** The cost of a withdrawal. */
export interface WithdrawalQuote {
  /** Send it as `quote` with the withdrawal. It works once. */
  readonly id: string
  /** The fee, in USDT. */
  readonly fee: number
  /** The amount that the wallet pays, including the fee. */
  readonly total: number
  /** The amount that arrives, in USDT. */
  readonly receives: number
  /** Until when the fee is guaranteed. */
  readonly expiresAt: string
  /** Whether the address is new on the chain, so that this payment activates it. */
  readonly activatesAddress: boolean
}

/** The owner's rules for withdrawals. */
export interface WithdrawalRules {
  /** Only addresses of the address book are paid. */
  readonly allowListOnly: boolean
  /** For how many hours an address must be in the address book before it is paid. Above 0, an address that is not in the address book is not paid. */
  readonly newAddressDelayHours: number
  /** The most that withdrawals may pay in any 24 hours, in USDT and without fees; null: no limit. */
  readonly dailyLimit: number | null
  /** Looser rules that are not in effect yet; null: none. */
  readonly pending: PendingWithdrawalRules | null
}

/** The rules to change; absent ones stay as they are. */
export interface WithdrawalRulesPatch {
  /** Only addresses of the address book are paid. */
  readonly allowListOnly?: boolean | undefined
  /** For how many hours an address must be in the address book before it is paid. Above 0, an address that is not in the address book is not paid. */
  readonly newAddressDelayHours?: number | undefined
  /** The most that withdrawals may pay in any 24 hours, in USDT and without fees; null: no limit. */
  readonly dailyLimit?: number | string | null | undefined
}

/** Why a release is taken off sale. */
export interface YankInput {
  /** 1 to 500 characters, for those who installed it. */
  readonly reason: string
}

/** The `data` of every webhook event. */
export interface WebhookData {
  readonly "purchase.completed": {
    /** The purchase. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The license. */
    readonly licenseKey: string
  }
  readonly "purchase.pending_approval": {
    /** The purchase. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The approval that waits for the owner's decision. */
    readonly approvalId: string
  }
  readonly "purchase.rejected": {
    /** The purchase. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The approval that ended. */
    readonly approvalId: string
    /** `rejected`, `expired`, `not_for_sale` or `frozen`. */
    readonly failureReason: string
  }
  readonly "purchase.expired": {
    /** The purchase. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The approval that ended. */
    readonly approvalId: string
    /** `rejected`, `expired`, `not_for_sale` or `frozen`. */
    readonly failureReason: string
  }
  readonly "purchase.refunded": {
    /** The purchase. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The refunded renewal; null if the purchase was refunded. */
    readonly renewalId: string | null
    /** The reason, if one was given. */
    readonly reason: string | null
  }
  readonly "subscription.renewed": {
    /** The subscription. */
    readonly subscriptionId: string
    /** The purchase that started the subscription. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price for one period. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The end of the paid period. */
    readonly currentPeriodEnd: string
  }
  readonly "subscription.cancelled": {
    /** The subscription. */
    readonly subscriptionId: string
    /** The purchase that started the subscription. */
    readonly purchaseId: string
    /** The purchased listing or soul. */
    readonly listingId: string
    /** The buyer's account. */
    readonly buyerId: string
    /** The price for one period. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
    /** The end of the paid period. */
    readonly currentPeriodEnd: string
  }
  readonly "soul.created": {
    /** The soul. */
    readonly soulId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** The author's display name. */
    readonly author: string
    /** Its price. */
    readonly price: string
    /** Always `USDC`. */
    readonly currency: string
    /** Its category. */
    readonly category: string
    /** The version of its content, starting at 1. */
    readonly version: number
  }
  readonly "soul.updated": {
    /** The soul. */
    readonly soulId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** The author's display name. */
    readonly author: string
    /** Its price. */
    readonly price: string
    /** Always `USDC`. */
    readonly currency: string
    /** Its category. */
    readonly category: string
    /** The version of its content, starting at 1. */
    readonly version: number
  }
  readonly "soul.downloaded": {
    /** The soul. */
    readonly soulId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** The author's display name. */
    readonly author: string
    /** Its price. */
    readonly price: string
    /** Always `USDC`. */
    readonly currency: string
    /** Its category. */
    readonly category: string
    /** The version of its content, starting at 1. */
    readonly version: number
  }
  readonly "listing.approved": {
    /** The listing. */
    readonly listingId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** Its price. */
    readonly price: string
    /** The currency of the price. */
    readonly currency: string
    /** True if it is about changes of a listing that remains approved. */
    readonly changes?: boolean
  }
  readonly "listing.rejected": {
    /** The listing. */
    readonly listingId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** Its price. */
    readonly price: string
    /** The currency of the price. */
    readonly currency: string
    /** True if it is about changes of a listing that remains approved. */
    readonly changes?: boolean
    /** The reviewer's reason. */
    readonly reason?: string
    /** The code of the reason. */
    readonly code?: string
  }
  readonly "listing.suspended": {
    /** The listing. */
    readonly listingId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** Its price. */
    readonly price: string
    /** The currency of the price. */
    readonly currency: string
    /** The operator's reason. */
    readonly reason?: string
    /** The code of the reason. */
    readonly code?: string
  }
  readonly "release.published": {
    /** The release. */
    readonly releaseId: string
    /** The listing. */
    readonly listingId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** The version of the release. */
    readonly version: string
    /** The digest of its bytes. */
    readonly sha256: string
  }
  readonly "release.quarantined": {
    /** The release. */
    readonly releaseId: string
    /** The listing. */
    readonly listingId: string
    /** Its slug. */
    readonly slug: string
    /** Its name. */
    readonly name: string
    /** The version of the release. */
    readonly version: string
    /** The digest of its bytes. */
    readonly sha256: string
    /** Why it is not for sale. */
    readonly reason?: string
    /** The code of the reason. */
    readonly code?: string
  }
  readonly "advisory.published": {
    /** The advisory. */
    readonly advisoryId: string
    /** The listing or soul that it is about. */
    readonly itemId: string
    /** The affected versions. */
    readonly versions: ReadonlyArray<string>
    /** `info`, `high` or `critical`. */
    readonly severity: string
    /** What installers do: `note` or `remove`. */
    readonly action: string
    /** Why it was published. */
    readonly reason: string
    /** When it was published. */
    readonly publishedAt: string
  }
  readonly "deposit.confirmed": {
    /** The transaction. */
    readonly txHash: string
    /** The deposit address that received it. */
    readonly address: string
    /** The credited amount. */
    readonly amount: string
    /** Always `USDT`. */
    readonly currency: string
  }
  readonly "withdrawal.completed": {
    /** The withdrawal. */
    readonly withdrawalId: string
    /** The amount that is paid out, without the fee. */
    readonly amount: string
    /** The network fee. */
    readonly fee: string
    /** Always `USDT`. */
    readonly currency: string
    /** The destination address (TRC-20). */
    readonly destinationAddress: string
    /** The transaction; null if the withdrawal failed. */
    readonly txHash: string | null
  }
  readonly "withdrawal.failed": {
    /** The withdrawal. */
    readonly withdrawalId: string
    /** The amount that is paid out, without the fee. */
    readonly amount: string
    /** The network fee. */
    readonly fee: string
    /** Always `USDT`. */
    readonly currency: string
    /** The destination address (TRC-20). */
    readonly destinationAddress: string
    /** The transaction; null if the withdrawal failed. */
    readonly txHash: string | null
  }
  readonly "agent.frozen": {
    /** The agent. */
    readonly agentId: string
    /** The agent's name. */
    readonly name: string
    /** The reason, if one was given. */
    readonly reason: string | null
    /** When it was frozen. */
    readonly frozenAt: string
  }
  readonly "key.rotation_due": {
    /** The key. */
    readonly keyId: string
    /** The key's name. */
    readonly name: string
    /** The first characters of the key. */
    readonly prefix: string
    /** The agent that uses the key; null if the owner does. */
    readonly agentId: string | null
    /** 90 days after the key was created. */
    readonly rotationDueAt: string
  }
  readonly "webhook.test": {
    /** The tested subscription. */
    readonly webhookId: string
  }
}

/** Every endpoint: what is passed (`input`), what comes back (`data`), whether an idempotency key makes it safe to repeat. */
export interface Endpoints {
  readonly "GET /api/souls": {
    readonly input?: {
      /** Only this category; `personas` includes its sub-categories. */
      readonly category?: string | undefined
      /** Comma-separated; souls with any of these tags. */
      readonly tags?: string | ReadonlyArray<string> | undefined
      /** Words or prefixes of words in name, description, tags and creator; best match first unless `sortBy` is given. */
      readonly search?: string | undefined
      /** The same as `search`, which takes precedence if both are given. */
      readonly query?: string | undefined
      /** The lowest price. */
      readonly minPrice?: number | string | undefined
      /** The highest price. */
      readonly maxPrice?: number | string | undefined
      /** The lowest mean rating. */
      readonly minRating?: number | undefined
      /** What to sort by. */
      readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
      /** The direction; by default ascending for `price`, otherwise descending. */
      readonly sortOrder?: "asc" | "desc" | undefined
      /** Only souls of this account; `me` also shows the caller's private ones. */
      readonly author?: string | undefined
      /** With `author=me`: only these. */
      readonly visibility?: "public" | "private" | undefined
      /** The most souls to return. Default: 50. */
      readonly limit?: number | undefined
      /** How many souls to skip. Default: 0. */
      readonly offset?: number | undefined
    }
    readonly data: SoulList
  }
  readonly "GET /api/souls/:slug": {
    readonly data: SoulGot
  }
  readonly "POST /api/v1/souls/create": {
    readonly input: SoulCreate
    readonly data: SoulCreated
  }
  readonly "PATCH /api/v1/souls/:slug": {
    readonly input: SoulPatch
    readonly data: SoulDetail
  }
  readonly "DELETE /api/v1/souls/:slug": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/souls/:slug/download": {
    readonly data: SoulDownloaded
  }
  readonly "GET /api/v1/souls/:slug/versions": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<SoulVersion>
  }
  readonly "GET /api/v1/souls/:slug/versions/:version": {
    readonly data: SoulVersionText
  }
  readonly "POST /api/v1/souls/:slug/versions/:version/yank": {
    readonly input: YankInput
    readonly data: SoulVersion
  }
  readonly "POST /api/v1/souls/:slug/versions/:version/rescan": {
    readonly data: SoulVersion
  }
  readonly "GET /api/v1/souls/:slug/reviews": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Review>
  }
  readonly "POST /api/v1/souls/:slug/reviews": {
    readonly input: ReviewInput
    readonly data: Review
  }
  readonly "POST /api/v1/souls/lint": {
    readonly input: SoulLintInput
    readonly data: SoulLint
  }
  readonly "GET /v1/listings": {
    readonly input?: {
      /** Only this category. */
      readonly category?: string | undefined
      /** Words or prefixes of words in name, description, tags and creator; best match first unless `sortBy` is given. */
      readonly search?: string | undefined
      /** The same as `search`, which takes precedence if both are given. */
      readonly query?: string | undefined
      /** The lowest price. */
      readonly minPrice?: number | string | undefined
      /** The highest price. */
      readonly maxPrice?: number | string | undefined
      /** The lowest mean rating. */
      readonly minRating?: number | undefined
      /** What to sort by. */
      readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
      /** The direction; by default ascending for `price`, otherwise descending. */
      readonly sortOrder?: "asc" | "desc" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
      /** `true`: only featured items; `false`: only items that are not featured. */
      readonly featured?: boolean | undefined
      /** Only this pricing model. */
      readonly pricingModel?: "one_time" | "free" | "subscription" | undefined
      /** Comma-separated; items with any of these tags. */
      readonly tags?: string | ReadonlyArray<string> | undefined
      /** Only items of this account; `me`: the caller's own in every state. */
      readonly creator?: string | undefined
      /** With `creator=me`: only items in this state. */
      readonly status?: "pending_review" | "approved" | "rejected" | "suspended" | undefined
    }
    readonly data: ListingList
  }
  readonly "POST /v1/listings": {
    readonly input: ListingCreate
    readonly data: ListingCreated
  }
  readonly "GET /v1/listings/:id": {
    readonly data: ListingDetail
  }
  readonly "PATCH /v1/listings/:id": {
    readonly input: ListingPatch
    readonly data: ListingDetail
  }
  readonly "DELETE /v1/listings/:id": {
    readonly data: Deleted
  }
  readonly "GET /v1/listings/:id/install": {
    readonly data: InstallPlace
  }
  readonly "GET /v1/listings/:id/reviews": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReviewList
  }
  readonly "POST /v1/listings/:id/reviews": {
    readonly input: ReviewInput
    readonly data: Review
  }
  readonly "POST /v1/listings/:id/releases": {
    readonly input?: {
      /** A semantic version; by default the version in the front matter of SKILL.md. */
      readonly version?: string | undefined
    }
    readonly data: Release
  }
  readonly "GET /v1/listings/:id/releases": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReleaseList
  }
  readonly "GET /v1/listings/:id/releases/:version": {
    readonly data: Release
  }
  readonly "POST /v1/listings/:id/releases/:version/yank": {
    readonly input: YankInput
    readonly data: Release
  }
  readonly "POST /v1/listings/:id/releases/:version/rescan": {
    readonly data: Release
  }
  readonly "POST /v1/listings/:id/images": {
    readonly input?: {
      /** What the picture is for; by default a screenshot. */
      readonly kind?: "thumbnail" | "screenshot" | undefined
      /** Describes it for people who do not see it. */
      readonly alt?: string | undefined
    }
    readonly data: ItemImage
  }
  readonly "GET /v1/listings/:id/images": {
    readonly data: ItemImageList
  }
  readonly "PATCH /v1/listings/:id/images/:imageId": {
    readonly input: ImageUpdate
    readonly data: ItemImage
  }
  readonly "DELETE /v1/listings/:id/images/:imageId": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/souls/:slug/images": {
    readonly input?: {
      /** What the picture is for; by default a screenshot. */
      readonly kind?: "thumbnail" | "screenshot" | undefined
      /** Describes it for people who do not see it. */
      readonly alt?: string | undefined
    }
    readonly data: ItemImage
  }
  readonly "GET /api/v1/souls/:slug/images": {
    readonly data: ReadonlyArray<ItemImage>
  }
  readonly "PATCH /api/v1/souls/:slug/images/:imageId": {
    readonly input: ImageUpdate
    readonly data: ItemImage
  }
  readonly "DELETE /api/v1/souls/:slug/images/:imageId": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/items/:id/trust": {
    readonly data: ItemTrust
  }
  readonly "GET /api/v1/skills": {
    readonly input?: {
      /** Only this category. */
      readonly category?: string | undefined
      /** Words or prefixes of words in name, description, tags and creator; best match first unless `sortBy` is given. */
      readonly search?: string | undefined
      /** The same as `search`, which takes precedence if both are given. */
      readonly query?: string | undefined
      /** The lowest price. */
      readonly minPrice?: number | string | undefined
      /** The highest price. */
      readonly maxPrice?: number | string | undefined
      /** The lowest mean rating. */
      readonly minRating?: number | undefined
      /** What to sort by. */
      readonly sortBy?: "price" | "rating" | "popular" | "newest" | undefined
      /** The direction; by default ascending for `price`, otherwise descending. */
      readonly sortOrder?: "asc" | "desc" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
      /** `true`: only featured items; `false`: only items that are not featured. */
      readonly featured?: boolean | undefined
      /** Only this pricing model. */
      readonly pricingModel?: "one_time" | "free" | "subscription" | undefined
      /** Comma-separated; items with any of these tags. */
      readonly tags?: string | ReadonlyArray<string> | undefined
      /** Only items of this account; `me`: the caller's own in every state. */
      readonly creator?: string | undefined
      /** With `creator=me`: only items in this state. */
      readonly status?: "pending_review" | "approved" | "rejected" | "suspended" | undefined
      /** Whether to list skills (the default), souls, or both. */
      readonly kind?: "skill" | "soul" | "all" | undefined
    }
    readonly data: SkillList
  }
  readonly "POST /api/v1/skills": {
    readonly input: SkillCreate
    readonly data: SkillCreated
  }
  readonly "GET /api/v1/skills/:idOrSlug": {
    readonly data: SkillDetail
  }
  readonly "PATCH /api/v1/skills/:id": {
    readonly input: SkillPatch
    readonly data: SkillDetail
  }
  readonly "DELETE /api/v1/skills/:id": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/categories": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Category>
  }
  readonly "GET /api/v1/creators/:id": {
    readonly data: CreatorProfile
  }
  readonly "POST /api/v1/purchases": {
    readonly input: BuyInput
    readonly once: true
    readonly data: BuyResult
  }
  readonly "GET /api/v1/purchases": {
    readonly input?: {
      /** Only purchases in this state; by default all except failed ones. */
      readonly status?: "completed" | "pending" | "refunded" | "failed" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: PurchaseList
  }
  readonly "GET /api/v1/purchases/:id": {
    readonly data: Purchase
  }
  readonly "POST /api/v1/purchases/:id/refund": {
    readonly input?: RefundInput
    readonly once: true
    readonly data: Sale
  }
  readonly "GET /api/v1/sales": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Sale>
  }
  readonly "GET /api/v1/wallet/spending": {
    readonly input?: {
      /** How to group the amounts; `day` by default. */
      readonly by?: "agent" | "category" | "seller" | "day" | undefined
      /** Only payments at or after this time: a date or an instant. */
      readonly from?: string | undefined
      /** Only payments before this time. */
      readonly to?: string | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Spending>
  }
  readonly "GET /api/v1/wallet/spending/timeline": {
    readonly input?: {
      /** What has a series of its own; `total` by default. */
      readonly by?: "total" | "agent" | "category" | "seller" | undefined
      /** The periods, which begin at 00:00 UTC; `day` by default. */
      readonly per?: "day" | "month" | undefined
      /** Only payments at or after this time: a date or an instant; the start of the last 30 days or 12 months by default. */
      readonly from?: string | undefined
      /** Only payments before this time; now by default. At most 366 periods after `from`. */
      readonly to?: string | undefined
    }
    readonly data: Timeline
  }
  readonly "GET /api/v1/sales/timeline": {
    readonly input?: {
      /** What has a series of its own; `total` by default. */
      readonly by?: "total" | "item" | undefined
      /** The periods, which begin at 00:00 UTC; `day` by default. */
      readonly per?: "day" | "month" | undefined
      /** Only payments at or after this time: a date or an instant; the start of the last 30 days or 12 months by default. */
      readonly from?: string | undefined
      /** Only payments before this time; now by default. At most 366 periods after `from`. */
      readonly to?: string | undefined
    }
    readonly data: Timeline
  }
  readonly "POST /api/v1/licenses/validate": {
    readonly input: LicenseInput
    readonly data: LicenseCheck
  }
  readonly "GET /api/v1/purchases/:id/proof": {
    readonly data: LicenseProof
  }
  readonly "GET /api/v1/purchases/:id/activations": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Activation>
  }
  readonly "POST /api/v1/licenses/activate": {
    readonly input: ActivationInput
    readonly data: Activated
  }
  readonly "POST /api/v1/licenses/deactivate": {
    readonly input: DeactivationInput
    readonly data: Deactivated
  }
  readonly "GET /api/v1/subscriptions": {
    readonly input?: {
      /** `seller`: those to the caller's items, instead of the caller's own. */
      readonly side?: "buyer" | "seller" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Subscription>
  }
  readonly "GET /api/v1/subscriptions/:id": {
    readonly data: Subscription
  }
  readonly "POST /api/v1/subscriptions/:id/resume": {
    readonly data: Subscription
  }
  readonly "POST /api/v1/subscriptions/:id/cancel": {
    readonly data: Subscription
  }
  readonly "GET /api/v1/approvals": {
    readonly input?: {
      /** Only those in this state. */
      readonly status?: "pending" | "approved" | "rejected" | "expired" | undefined
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Approval>
  }
  readonly "GET /api/v1/approvals/:id": {
    readonly data: Approval
  }
  readonly "POST /api/v1/approvals/:id/approve": {
    readonly once: true
    readonly data: Approval
  }
  readonly "POST /api/v1/approvals/:id/reject": {
    readonly once: true
    readonly data: Approval
  }
  readonly "GET /api/v1/wallet/policy": {
    readonly data: Policy
  }
  readonly "PUT /api/v1/wallet/policy": {
    readonly input: PolicyInput
    readonly data: Policy
  }
  readonly "PATCH /api/v1/wallet/policy": {
    readonly input: PolicyPatch
    readonly data: Policy
  }
  readonly "GET /api/v1/wallet/budget": {
    readonly data: Budget
  }
  readonly "GET /api/v1/agents/:id/policy": {
    readonly data: Policy
  }
  readonly "PUT /api/v1/agents/:id/policy": {
    readonly input: PolicyInput
    readonly data: Policy
  }
  readonly "PATCH /api/v1/agents/:id/policy": {
    readonly input: PolicyPatch
    readonly data: Policy
  }
  readonly "GET /api/v1/agents/:id/budget": {
    readonly data: Budget
  }
  readonly "GET /api/v1/wallet/balance": {
    readonly data: WalletBalance
  }
  readonly "GET /api/v1/wallet/deposit": {
    readonly data: DepositInfo
  }
  readonly "GET /api/v1/wallet/withdrawals": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: WithdrawalList
  }
  readonly "POST /api/v1/wallet/withdrawals": {
    readonly input: WithdrawalInput
    readonly once: true
    readonly data: Withdrawal
  }
  readonly "GET /api/v1/wallet/withdrawals/quote": {
    readonly input?: {
      /** The amount that should arrive, in USDT. */
      readonly amount?: number | string | undefined
      /** The address to pay. */
      readonly destinationAddress?: string | undefined
    }
    readonly data: WithdrawalQuote
  }
  readonly "GET /api/v1/wallet/withdrawals/:id": {
    readonly data: Withdrawal
  }
  readonly "POST /api/v1/wallet/withdrawals/:id/cancel": {
    readonly once: true
    readonly data: Withdrawal
  }
  readonly "GET /api/v1/wallet/transactions": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Transaction>
  }
  readonly "GET /api/v1/wallet/addresses": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<SavedAddress>
  }
  readonly "POST /api/v1/wallet/addresses": {
    readonly input: SavedAddressInput
    readonly data: SavedAddress
  }
  readonly "DELETE /api/v1/wallet/addresses/:id": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/wallet/withdrawal-rules": {
    readonly data: WithdrawalRules
  }
  readonly "PATCH /api/v1/wallet/withdrawal-rules": {
    readonly input: WithdrawalRulesPatch
    readonly data: WithdrawalRules
  }
  readonly "POST /api/v1/accounts": {
    readonly input: SignUp
    readonly data: NewAccount
  }
  readonly "GET /api/v1/account": {
    readonly data: Account
  }
  readonly "PATCH /api/v1/account": {
    readonly input: AccountPatch
    readonly data: Account
  }
  readonly "DELETE /api/v1/account": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/account/usage": {
    readonly data: Usage
  }
  readonly "GET /api/v1/account/export": {
    readonly data: AccountExport
  }
  readonly "POST /api/v1/account/domains": {
    readonly input: DomainInput
    readonly data: Domain
  }
  readonly "GET /api/v1/account/domains": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Domain>
  }
  readonly "POST /api/v1/account/domains/:domain/verify": {
    readonly data: Domain
  }
  readonly "DELETE /api/v1/account/domains/:domain": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/items/:id/appeals": {
    readonly input: AppealInput
    readonly data: Appeal
  }
  readonly "GET /api/v1/items/:id/appeals": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Appeal>
  }
  readonly "POST /api/v1/items/:id/reports": {
    readonly input: ReportInput
    readonly data: Report
  }
  readonly "POST /api/v1/agents/register": {
    readonly input: AgentInput
    readonly data: RegisteredAgent
  }
  readonly "POST /api/v1/agents/claim": {
    readonly input: ClaimInput
    readonly data: ClaimedAgent
  }
  readonly "POST /api/v1/agents": {
    readonly input: AgentInput
    readonly data: Agent
  }
  readonly "GET /api/v1/agents": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Agent>
  }
  readonly "GET /api/v1/agents/:id": {
    readonly data: Agent
  }
  readonly "PATCH /api/v1/agents/:id": {
    readonly input: AgentInput
    readonly data: Agent
  }
  readonly "DELETE /api/v1/agents/:id": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/agents/:id/freeze": {
    readonly input?: FreezeInput
    readonly data: Agent
  }
  readonly "POST /api/v1/agents/:id/unfreeze": {
    readonly data: Agent
  }
  readonly "POST /api/v1/keys": {
    readonly input: KeyInput
    readonly data: IssuedKey
  }
  readonly "GET /api/v1/keys": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Key>
  }
  readonly "GET /api/v1/keys/:id": {
    readonly data: Key
  }
  readonly "DELETE /api/v1/keys/:id": {
    readonly input?: {
      /** Whether to deactivate all keys that descend from the same first key by rotation or refresh. */
      readonly family?: boolean | undefined
    }
    readonly data: DeactivatedKey
  }
  readonly "POST /api/v1/keys/:id/rotate": {
    readonly input?: RotateInput
    readonly data: IssuedKey
  }
  readonly "POST /api/v1/keys/refresh": {
    readonly input?: RotateInput
    readonly data: IssuedKey
  }
  readonly "POST /api/v1/sessions": {
    readonly input: SignIn
    readonly data: Session
  }
  readonly "GET /api/v1/sessions": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<ListedSession>
  }
  readonly "GET /api/v1/sessions/current": {
    readonly data: Session
  }
  readonly "DELETE /api/v1/sessions/current": {
    readonly data: Deleted
  }
  readonly "DELETE /api/v1/sessions/:id": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/sessions/links": {
    readonly data: SignInLink
  }
  readonly "POST /api/v1/oauth/clients": {
    readonly input: OauthClientInput
    readonly data: RegisteredOauthClient
  }
  readonly "GET /api/v1/oauth/clients": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<OauthClient>
  }
  readonly "GET /api/v1/oauth/clients/:id": {
    readonly data: OauthClient
  }
  readonly "DELETE /api/v1/oauth/clients/:id": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/oauth/grants": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Grant>
  }
  readonly "DELETE /api/v1/oauth/grants/:id": {
    readonly data: Deleted
  }
  readonly "GET /api/v1/oauth/requests": {
    readonly input?: {
      /** The code; case, blanks and hyphens do not matter. */
      readonly user_code?: string | undefined
    }
    readonly data: OauthRequest
  }
  readonly "GET /api/v1/oauth/requests/:id": {
    readonly data: OauthRequest
  }
  readonly "POST /api/v1/oauth/requests/:id/decision": {
    readonly input: OauthDecisionInput
    readonly data: OauthDecision
  }
  readonly "POST /api/v1/passkeys/options": {
    readonly data: PasskeyCreationOptions
  }
  readonly "POST /api/v1/passkeys": {
    readonly input: PasskeyRegistration
    readonly data: Passkey
  }
  readonly "GET /api/v1/passkeys": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Passkey>
  }
  readonly "PATCH /api/v1/passkeys/:id": {
    readonly input: PasskeyPatch
    readonly data: Passkey
  }
  readonly "DELETE /api/v1/passkeys/:id": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/sessions/passkey/options": {
    readonly data: PasskeyRequestOptions
  }
  readonly "POST /api/v1/sessions/passkey": {
    readonly input: PasskeyAssertion
    readonly data: Session
  }
  readonly "POST /api/v1/sessions/current/step-up/options": {
    readonly data: PasskeyRequestOptions
  }
  readonly "POST /api/v1/sessions/current/step-up": {
    readonly input: PasskeyAssertion
    readonly data: Session
  }
  readonly "POST /api/v1/webhooks": {
    readonly input: WebhookInput
    readonly data: NewWebhook
  }
  readonly "GET /api/v1/webhooks": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Webhook>
  }
  readonly "GET /api/v1/webhooks/:id": {
    readonly data: Webhook
  }
  readonly "PATCH /api/v1/webhooks/:id": {
    readonly input: WebhookPatch
    readonly data: Webhook
  }
  readonly "DELETE /api/v1/webhooks/:id": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/webhooks/:id/rotate-secret": {
    readonly data: RotatedSecret
  }
  readonly "POST /api/v1/webhooks/:id/test": {
    readonly data: Delivery
  }
  readonly "GET /api/v1/webhooks/:id/deliveries": {
    readonly input?: {
      /** Only deliveries in this state. */
      readonly status?: "pending" | "delivered" | "failed" | undefined
      /** Only deliveries of this event. */
      readonly event?:
        | "purchase.completed"
        | "purchase.pending_approval"
        | "purchase.rejected"
        | "purchase.expired"
        | "purchase.refunded"
        | "subscription.renewed"
        | "subscription.cancelled"
        | "soul.created"
        | "soul.updated"
        | "soul.downloaded"
        | "listing.approved"
        | "listing.rejected"
        | "listing.suspended"
        | "release.published"
        | "release.quarantined"
        | "advisory.published"
        | "deposit.confirmed"
        | "withdrawal.completed"
        | "withdrawal.failed"
        | "agent.frozen"
        | "key.rotation_due"
        | "webhook.test"
        | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
      /** The `nextCursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: ReadonlyArray<Delivery>
  }
  readonly "GET /api/v1/webhooks/deliveries/timeline": {
    readonly input?: {
      /** Only deliveries to this subscription. */
      readonly webhookId?: string | undefined
      /** Only events at or after this time: a date or an instant; the start of the last 30 days by default. */
      readonly from?: string | undefined
      /** Only events before this time; now by default. At most 366 days after `from`. */
      readonly to?: string | undefined
    }
    readonly data: DeliveryTimeline
  }
  readonly "POST /api/v1/webhooks/:id/recover": {
    readonly input: RecoverInput
    readonly data: Recovered
  }
  readonly "POST /api/v1/webhooks/deliveries/:id/replay": {
    readonly data: Delivery
  }
  readonly "GET /api/v1/account/notifications": {
    readonly data: NotificationSettings
  }
  readonly "PUT /api/v1/account/notifications": {
    readonly input: NotificationInput
    readonly data: NotificationSettings
  }
  readonly "GET /api/v1/account/notifications/channels": {
    readonly input?: {
      /** The page, counted from 1. Default: 1. */
      readonly page?: number | undefined
      /** The most records on a page. Default: 20. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<NotificationChannel>
  }
  readonly "POST /api/v1/account/notifications/channels": {
    readonly input: ChannelInput
    readonly data: NotificationChannel
  }
  readonly "PATCH /api/v1/account/notifications/channels/:id": {
    readonly input: ChannelChanges
    readonly data: NotificationChannel
  }
  readonly "DELETE /api/v1/account/notifications/channels/:id": {
    readonly data: Deleted
  }
  readonly "POST /api/v1/account/notifications/channels/:id/code": {
    readonly data: NotificationChannel
  }
  readonly "POST /api/v1/account/notifications/channels/:id/verify": {
    readonly input: ChannelCode
    readonly data: NotificationChannel
  }
  readonly "POST /api/v1/account/notifications/channels/:id/test": {
    readonly data: ChannelTest
  }
  readonly "GET /api/v1/notifications/push-key": {
    readonly data: PushKey
  }
  readonly "GET /api/activity/live": {
    readonly input?: {
      /** The most items to return. A malformed value counts as 10, a value outside the bounds as the nearest bound. Default: 10. */
      readonly limit?: number | undefined
    }
    readonly data: Activity
  }
  readonly "GET /api/v1/advisories": {
    readonly input?: {
      /** Only advisories after this one; unknown ids are refused. */
      readonly after?: string | undefined
      /** The most advisories of the response. Default: 100. */
      readonly limit?: number | undefined
    }
    readonly data: ReadonlyArray<Advisory>
  }
  readonly "GET /.well-known/agent-marketplace-keys.json": {
    readonly data: SigningKeys
  }
}
