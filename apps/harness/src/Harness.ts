export interface HarnessOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number
  /** A whole number from 0. The same seed gives the same keys; 1 by default. */
  readonly seed?: number
  /** Whether listings wait for the operator; `auto` by default. */
  readonly listingReview?: "manual" | "auto"
  /** Off by default. */
  readonly rateLimits?: "on" | "off"
}

/** A whole market in memory, behind the same HTTP API, for tests. */
export interface Harness {
  readonly baseUrl: string
  /** The operator's token, and FULL keys of an account that sells and of one that has 1,000 USDT to spend. */
  readonly keys: { readonly admin: string; readonly seller: string; readonly buyer: string }
  /**
   * The items for sale from the start: the slug of a SOUL for 5 USDT, and the ids of three skills: one for 10 USDT, one that is free,
   * and one for 10 USDT per 30 days.
   */
  readonly items: {
    readonly soul: string
    readonly skills: { readonly paid: string; readonly free: string; readonly subscription: string }
  }
  readonly clock: {
    readonly now: () => Promise<Date>
    /**
     * Moves the market's time forward by whole seconds, 1 to 10 years, and does all that has become due: renewals, expiries,
     * deposits, withdrawals. Rejects with a `RangeError` otherwise.
     */
    readonly advance: (seconds: number) => Promise<Date>
  }
  readonly chain: {
    /**
     * A transfer of an amount of USDT (`"12.50"`) to a deposit address, made final and credited; the market's time moves 4
     * seconds. Rejects with a `RangeError` where the amount or the address is not valid.
     */
    readonly deposit: (address: string, amount: string) => Promise<void>
  }
  /** Returns to the seeded start, on the same address, with the same keys. */
  readonly reset: () => Promise<void>
  /** Frees the port. Calling it again does nothing; other calls reject from then on. */
  readonly stop: () => Promise<void>
}
