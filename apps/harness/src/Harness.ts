export interface HarnessOptions {
  /** 0 (the default) uses a free port. */
  readonly port?: number
  /** A whole number from 0. The same seed gives the same keys; 1 by default. */
  readonly seed?: number
  /** Whether listings wait for the operator; `auto` by default. */
  readonly listingReview?: "manual" | "auto"
  /** Off by default. */
  readonly rateLimits?: "on" | "off"
}

/** The items on sale after the start and after each reset. `buy` accepts each of the ids, and a slug too. */
export interface HarnessItems {
  /** A SOUL for 5 USDT: `id` as everywhere, `slug` for `/api/souls/{slug}`. */
  readonly soul: { readonly id: string; readonly slug: string }
  /** The ids of three skills: 10 USDT, free, and 10 USDT every 30 days. */
  readonly skills: { readonly paid: string; readonly free: string; readonly subscription: string }
}

/** Which requests fail, and how. */
export interface RequestFault {
  readonly status: 429 | 500 | 503
  /** How many matching requests fail, 1 to 1,000; 1 by default. */
  readonly times?: number
  /** Only requests with this method. */
  readonly method?: string
  /** Only requests whose path starts with this, for example `/api/v1/purchases`. */
  readonly path?: string
  /** The `Retry-After` header of a 429 or 503, in whole seconds; 1 by default. */
  readonly retryAfter?: number
}

/** Which webhook attempts fail, and how. */
export interface WebhookFault {
  /** How many attempts fail, 1 to 1,000; 1 by default. */
  readonly times?: number
  /** The status that the receiver appears to respond with, 300 to 599; without one the connection appears to be refused. */
  readonly status?: number
}

/** Failures on demand. They end with `clear` and with `reset`. */
export interface HarnessFaults {
  /**
   * The next matching requests get the error response that the market itself would send, in the envelope of their path, and have no
   * effect. The feed, which never fails, and `/harness/…` are unaffected. Throws a `RangeError` for an invalid fault.
   */
  readonly failRequests: (fault: RequestFault) => void
  /** The next attempts to deliver a webhook fail without reaching the receiver; retries follow as `clock.advance` makes them due. */
  readonly failWebhooks: (fault?: WebhookFault) => void
  /** The chain produces no blocks: deposits are not credited and withdrawals not completed. */
  readonly stallChain: () => Promise<void>
  /** The chain catches up, and the pending work is done; the market's time moves 4 seconds. */
  readonly resumeChain: () => Promise<void>
  readonly clear: () => Promise<void>
}

/** A whole market in memory, behind the same HTTP API, for tests. */
export interface Harness {
  readonly baseUrl: string
  /** The operator's token, and FULL keys of a seller's account and of a buyer's account with 1,000 USDT. */
  readonly keys: { readonly admin: string; readonly seller: string; readonly buyer: string }
  readonly items: HarnessItems
  readonly clock: {
    readonly now: () => Promise<Date>
    /** The current time without waiting, for assertions and mocks that cannot wait. Throws after `stop`. */
    readonly nowSync: () => Date
    /**
     * Moves the market's time forward by whole seconds, 1 to 10 years, and runs all due work: renewals,
     * expiries, deposits, withdrawals. Rejects with a `RangeError` otherwise.
     */
    readonly advance: (seconds: number) => Promise<Date>
  }
  readonly chain: {
    /**
     * Transfers an amount of USDT (`"12.50"`) to a deposit address. It is final and credited when the promise resolves, unless the
     * chain is stalled; the market's time moves 4 seconds. Rejects with a `RangeError` for an invalid amount or address.
     */
    readonly deposit: (address: string, amount: string) => Promise<void>
  }
  readonly faults: HarnessFaults
  /** Restores the seeded state, at the same address, with the same keys, without faults. */
  readonly reset: () => Promise<void>
  /** Frees the port. Calling it again does nothing; every other call afterwards rejects. */
  readonly stop: () => Promise<void>
}
