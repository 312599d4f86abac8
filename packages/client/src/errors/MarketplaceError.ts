/** The fields of a {@link MarketplaceError}. */
export interface ErrorFacts {
  readonly message: string
  readonly statusCode: number
  readonly code: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly response?: unknown
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** Why a call failed (CLIENT-12): the only error that operations reject with, except that an abort rejects with the signal's reason. */
export class MarketplaceError extends Error {
  /** The HTTP status: 402 for an insufficient balance, 403 for a limit, 404, 409, 429 and so on. 0 without a response. */
  readonly statusCode: number
  /**
   * The code for programs: that of the general envelope (ERROR-1), such as `INSUFFICIENT_BALANCE`. Without a response:
   * `NETWORK_ERROR`, `TIMEOUT`. With a response that is not the market's: `INVALID_RESPONSE`.
   */
  readonly code: string
  /** Details that depend on the code: `{ required, available }`, `{ issues }`, `{ resetAt, limit, window }`. */
  readonly details: Readonly<Record<string, unknown>>
  /** The body of the response: parsed if it was JSON, otherwise its text; undefined without a response. */
  readonly response: unknown
  /** The response's `X-Request-Id`, for reports. */
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
