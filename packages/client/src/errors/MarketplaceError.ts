/** Everything that a {@link MarketplaceError} says. */
export interface ErrorFacts {
  readonly message: string
  readonly statusCode: number
  readonly code: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly response?: unknown
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** Why a call failed (CLIENT-12): the one error that operations reject with. Only an abort rejects with the signal's reason. */
export class MarketplaceError extends Error {
  /** The HTTP status: 402 for too little money, 403 for a limit, 404, 409, 429 and so on. 0 where no answer came. */
  readonly statusCode: number
  /**
   * What programs decide by: the code of the general envelope (ERROR-1), `INSUFFICIENT_BALANCE` for instance. Without an answer:
   * `NETWORK_ERROR`, `TIMEOUT`. With one that is not the market's: `INVALID_RESPONSE`.
   */
  readonly code: string
  /** More about it, by code: `{ required, available }`, `{ issues }`, `{ resetAt, limit, window }`. */
  readonly details: Readonly<Record<string, unknown>>
  /** The body of the answer: parsed where it was JSON, else its text; undefined where none came. */
  readonly response: unknown
  /** The answer's `X-Request-Id`, to be named in a report. */
  readonly requestId: string | undefined

  constructor({ cause, code, details = {}, message, requestId, response, statusCode }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "MarketplaceError"
    this.statusCode = statusCode
    this.code = code
    this.details = details
    this.response = response
    this.requestId = requestId
  }
}
