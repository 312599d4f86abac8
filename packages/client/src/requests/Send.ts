/** What every operation takes as its last argument. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. What the market has begun is not undone. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds; the client's own where absent. */
  readonly timeout?: number | undefined
}

/** What operations that move money take besides. */
export interface MoneyCallOptions extends CallOptions {
  /**
   * 1 to 255 characters: the market does what is asked once, whoever repeats it with this key within 24 hours. Where absent, each
   * call gets one of its own, which makes its retries safe. Give one to make it safe beyond the life of your process.
   */
  readonly idempotencyKey?: string | undefined
}

/** One call, before any attempt. */
export interface MarketRequest {
  readonly method: string
  /** Encoded, with its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string | undefined
  readonly options: CallOptions
}

/** Gives the `data` of the answer, or rejects with a `MarketplaceError`. */
export type Send = (request: MarketRequest) => Promise<unknown>
