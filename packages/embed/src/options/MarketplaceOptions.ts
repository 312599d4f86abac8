import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { MarketBlobs } from "../blobs/MarketBlobs.ts"
import type { MarketChain } from "../chain/MarketChain.ts"
import type { MarketStorage } from "../storage/MarketStorage.ts"

/** One line of the market's log. */
export interface LogLine {
  readonly level: "warning" | "error"
  readonly message: string
}

/**
 * Returns the host's user of a request, from its headers (names in lower case), or null. It is called for each request without a key
 * of the market. If it throws, the request gets 503.
 */
export type RecogniseUser = (
  headers: Readonly<Record<string, string | undefined>>
) => HostUser | null | Promise<HostUser | null>

/** A transfer before the market acts on it. */
export interface TransferToScreen {
  readonly kind: "deposit" | "withdrawal"
  /** The sender of a deposit, or the destination of a withdrawal. */
  readonly address: string
  /** USDT, such as "12.50". */
  readonly amount: string
  /** The chain's name, such as "TRON". */
  readonly chain: string
  /** The transaction and position of a deposit; the id of a withdrawal, or null while it is only requested. */
  readonly reference: string | null
}

/** Why an address is flagged. The operator reads it, so it must not contain secrets. */
export interface ScreeningFinding {
  /** The list, service or rule that flagged it. */
  readonly source: string
  /** Your own reference, such as a case number. */
  readonly reference: string
}

/**
 * Returns a finding if the address is flagged, and null if it is not. If it throws, returns anything else or does not answer within a few
 * seconds, the transfer waits and is screened again.
 */
export type ScreenTransfer = (transfer: TransferToScreen) => ScreeningFinding | null | Promise<ScreeningFinding | null>

/** The screenings of deposits and withdrawals. An address is flagged if one of them flags it. */
export interface ScreeningOptions {
  /** Paths of files with one address a line; `#` starts a comment. A changed file is read again. */
  readonly denyLists?: ReadonlyArray<string> | undefined
  /** A service with the protocol of `docs/screening.md`. `authority` is a certificate (PEM), if it is not a public one. */
  readonly service?:
    { readonly url: string; readonly token: string; readonly authority?: string | undefined } | undefined
  /** Your own rule. */
  readonly screen?: ScreenTransfer | undefined
}

/** How people are notified. */
export interface NotificationOptions {
  /** The server that sends e-mail, `smtp://user:password@host:587` or `smtps://…`; default: e-mail channels are refused. */
  readonly smtpUrl?: string | undefined
  /** The sender of e-mail; required with `smtpUrl`. */
  readonly smtpFrom?: string | undefined
  /** The private key that signs push messages, 32 bytes in base64url; default: derived from the signing key. */
  readonly vapidPrivateKey?: string | undefined
  /** The contact for the operators of push services, `mailto:` or `https:`; default: `smtpFrom` or `baseUrl`. */
  readonly vapidSubject?: string | undefined
}

/** The options of a market. Each states its default and what a persistent storage requires. */
export interface MarketplaceOptions {
  /** `memoryStorage()` or `postgresStorage({ url })`. */
  readonly storage: MarketStorage
  /** `folderBlobs({ path })` or `s3Blobs({ … })`: where the bytes of releases are stored. Requires a persistent storage; default: in the storage. */
  readonly blobs?: MarketBlobs | undefined
  /** `tronChain({ … })`; default: a simulated chain, funded through `market.simulation`. */
  readonly chain?: MarketChain | undefined
  /**
   * The public URL of the market, with the path at which it is mounted: `https://shop.example/market`. Required with a persistent
   * storage; `http://localhost:3000` otherwise.
   */
  readonly baseUrl?: string | undefined
  /** Further host names of the market besides that of `baseUrl`, for example the name that a proxy uses; default: none. */
  readonly allowedHosts?: ReadonlyArray<string> | undefined
  /** Whether a proxy or router in front removes the path of `baseUrl` from requests; default false. */
  readonly pathStripped?: boolean | undefined
  /**
   * At least 32 secret characters: encrypts the secrets of webhooks and keys the feed. Required with a persistent storage, and
   * then never to be changed and equal in every process (a server or worker on the same database has it as `ADMIN_TOKEN`); random otherwise.
   */
  readonly secret?: string | undefined
  /**
   * The key that signs releases, advisories and license proofs: 32 random bytes in base64 (`openssl rand -base64 32`). Equal in every process
   * on the same database, and the same as `MARKET_SIGNING_KEY` of a server or worker. Default: derived from `secret`, as they derive it from
   * `ADMIN_TOKEN`.
   */
  readonly signingKey?: string | undefined
  /** Accounts for the host's own users, in addition to API keys. */
  readonly users?: RecogniseUser | undefined
  /** Who may create an account over HTTP: `open` anybody, `closed` only this process and the operator. Default `open`; with `users` `closed`. */
  readonly signup?: "open" | "closed" | undefined
  /** Whether listings wait for `market.operator.approve`: `manual` (the default) or `auto`. */
  readonly review?: "manual" | "auto" | undefined
  /** The platform's share of a price in basis points, 0 to 10,000; default 500. */
  readonly platformFeeBps?: number | undefined
  /** The fee of each withdrawal, a decimal amount of USDT, or "auto", which follows the cost of the network; default "1". */
  readonly withdrawalFee?: string | undefined
  /** The smallest withdrawal, a decimal amount of USDT; default "5". */
  readonly withdrawalMinimum?: string | undefined
  /** The price of one TRX in USDT, for `withdrawalFee: "auto"`, which requires it with real money; default "0.3" otherwise. */
  readonly trxUsdtRate?: string | undefined
  /** A withdrawal above this decimal amount of USDT needs the operator's approval; default: none does. */
  readonly withdrawalReviewAbove?: string | undefined
  /** Screens the senders of deposits and the destinations of withdrawals; default: nothing is flagged. */
  readonly screening?: ScreeningOptions | undefined
  /** E-mail and push messages to people; default: no e-mail, and push messages with a derived key. */
  readonly notifications?: NotificationOptions | undefined
  /** How many days a seller's proceeds are locked, 0 to 365; default 7, and 0 does not lock them. */
  readonly proceedsHoldDays?: number | undefined
  /** The most that one seller may owe for refunds that the platform covers, a decimal amount of USDT; default "1000". */
  readonly refundCoverLimit?: string | undefined
  /** Who may read the text of a paid SOUL: everybody (`open`, the default), or its author and license holders (`licensed`). */
  readonly soulContent?: "open" | "licensed" | undefined
  /** At least 32 characters: gives access to `/api/v1/admin` over HTTP. Default: only this process is the operator. */
  readonly adminToken?: string | undefined
  /** The token that `/metrics` requires; default: none. */
  readonly metricsToken?: string | undefined
  /** Limits of HTTP requests; default `on`. Calls of `market.as` are never limited. */
  readonly rateLimits?: "on" | "off" | undefined
  /** Counts rate limits in Redis for all processes together; default: each process counts its own. */
  readonly redisUrl?: string | undefined
  /** Addresses of reverse proxies whose `X-Forwarded-For` is trusted; default: none. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /** Whether webhooks may use plain HTTP and private addresses: for development only; default false. */
  readonly privateWebhooks?: boolean | undefined
  /** Whether this process also runs the background jobs: deposits, withdrawals, renewals, webhooks. Default true. */
  readonly jobs?: boolean | undefined
  /** Whether `market.simulation.advance` may move the market's time. Default: only on a storage that is not persistent. */
  readonly testClock?: boolean | undefined
  /**
   * Whether the market serves the shop window at `/`, and the console at `/console`, below the path of `baseUrl`; default false. People
   * sign in to the console with a session, as on the market's own server.
   */
  readonly console?: boolean | undefined
  /** Whether the market serves GraphQL at `/graphql`; default true. */
  readonly graphql?: boolean | undefined
  /** Whether the market serves MCP at `/mcp`; default true. */
  readonly mcp?: boolean | undefined
  /** Whether applications may register themselves with OAuth; default false. */
  readonly oauthDynamicRegistration?: boolean | undefined
  /** Receives warnings and errors of the market; default: standard error. */
  readonly log?: ((line: LogLine) => void) | undefined
}
