import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { MarketChain } from "../chain/MarketChain.ts"
import type { MarketStorage } from "../storage/MarketStorage.ts"

/** One line of the market's log. */
export interface LogLine {
  readonly level: "warning" | "error"
  readonly message: string
}

/**
 * Says which of the host's users a request is, from its headers (names in lower case); null for nobody. It is asked for each request
 * that carries no key of the market's own. Where it throws, the request is answered with 503.
 */
export type RecogniseUser = (
  headers: Readonly<Record<string, string | undefined>>
) => HostUser | null | Promise<HostUser | null>

/** How a market is to be. What has a default says so; what a lasting storage must have says that too. */
export interface MarketplaceOptions {
  /** `memoryStorage()` or `postgresStorage({ url })`. */
  readonly storage: MarketStorage
  /** `tronChain({ … })`; where absent a simulated chain, whose money comes from `market.simulation`. */
  readonly chain?: MarketChain | undefined
  /**
   * Where callers reach the market, with the path that it is mounted below: `https://shop.example/market`. Required with a storage that
   * lasts; `http://127.0.0.1:3000` otherwise.
   */
  readonly baseUrl?: string | undefined
  /** Whether a proxy or router in front takes the path of `baseUrl` off before the market sees a request; false where absent. */
  readonly pathStripped?: boolean | undefined
  /**
   * At least 32 characters that nobody else knows: seals webhooks' secrets and keys the feed. Required with a storage that lasts, and
   * then the same for ever and on every process (a server or worker on the same database has it as `ADMIN_TOKEN`); random otherwise.
   */
  readonly secret?: string | undefined
  /** Makes the host's own users the accounts, beside the built-in keys. */
  readonly users?: RecogniseUser | undefined
  /** Who may make an account over HTTP: `open` everybody, `closed` only this process and the operator. `open`; with `users` `closed`. */
  readonly signup?: "open" | "closed" | undefined
  /** Whether listings wait for `market.operator.approve`: `manual` (the default) or `auto`. */
  readonly review?: "manual" | "auto" | undefined
  /** The platform's share of a price in basis points, 0 to 10,000; 500 where absent. */
  readonly platformFeeBps?: number | undefined
  /** For each withdrawal, a decimal amount of USDT; "1" where absent. */
  readonly withdrawalFee?: string | undefined
  /** The least that can be withdrawn, a decimal amount of USDT; "5" where absent. */
  readonly withdrawalMinimum?: string | undefined
  /** Who reads the text of a paid SOUL: everybody (`open`, the default), or its author and license holders (`licensed`). */
  readonly soulContent?: "open" | "licensed" | undefined
  /** At least 32 characters: opens `/api/v1/admin` over HTTP. Where absent nobody but this process is the operator. */
  readonly adminToken?: string | undefined
  /** Guards `/metrics` where it is given. */
  readonly metricsToken?: string | undefined
  /** Limits of HTTP requests; `on` where absent. Calls of `market.as` are never limited. */
  readonly rateLimits?: "on" | "off" | undefined
  /** Counts limits in Redis, for all processes together; each counts for itself where absent. */
  readonly redisUrl?: string | undefined
  /** Addresses of reverse proxies whose `X-Forwarded-For` is believed; none where absent. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /** Whether webhooks may go to plain HTTP and to private addresses: for development only; false where absent. */
  readonly privateWebhooks?: boolean | undefined
  /** Whether this process also does what goes on without anybody asking: deposits, withdrawals, renewals, webhooks. True where absent. */
  readonly jobs?: boolean | undefined
  /** Whether `market.simulation.advance` may move the market's time. Where absent only on a storage that does not last. */
  readonly testClock?: boolean | undefined
  /** Where warnings and errors of the market go; standard error where absent. */
  readonly log?: ((line: LogLine) => void) | undefined
}
