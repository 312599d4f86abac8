/** The options of every operation, its last argument. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. What the market has started is not undone. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt, in milliseconds; default: the client's. */
  readonly timeout?: number | undefined
}

/** Additional options of operations that move money. */
export interface MoneyCallOptions extends CallOptions {
  /**
   * 1 to 255 characters. The market executes requests with the same key within 24 hours only once. By default each
   * call gets a new key, which makes its retries safe. Pass one to make retries safe beyond the lifetime of your process.
   */
  readonly idempotencyKey?: string | undefined
}

/** One call, which may take several attempts. */
export interface MarketRequest {
  readonly method: string
  /** Encoded, with its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as they are, instead of JSON. */
  readonly bytes?: { readonly content: Uint8Array; readonly mediaType: string } | undefined
  /** The call resolves with the bytes of the response, and rejects if there are more than this number. */
  readonly readsBytes?: number | undefined
  /** Opens a stream of server-sent events after the message with this id: the call resolves with the `Response` itself. */
  readonly stream?: { readonly lastEventId: string | undefined } | undefined
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string | undefined
  readonly options: CallOptions
}

/** Resolves with the `data` of the response, or rejects with a `MarketplaceError`. */
export type Send = (request: MarketRequest) => Promise<unknown>
