import { bindOperations } from "./operations/bindOperations.ts"
import type { BoundOperations } from "./operations/bindOperations.ts"
import { operations } from "./operations/operations.ts"
import { isMarketUrl } from "./requests/isMarketUrl.ts"
import type { Connection } from "./requests/makeSend.ts"
import { makeSend } from "./requests/makeSend.ts"
import type { Send } from "./requests/Send.ts"

export interface MarketplaceOptions {
  /** Sent as `Authorization: Bearer`. Keep it out of source code and of pages that others load. */
  readonly apiKey: string
  /**
   * The market's address, such as `https://market.example.com`. Required; the type admits `undefined` for an environment variable
   * that may not be set. There is no default, so that a key is never sent to the wrong market.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `X-Agent-Id`, for tracking (CLIENT-2). It grants nothing. */
  readonly agentId?: string | undefined
  /** Time limit of one attempt, in milliseconds; default 30,000. */
  readonly timeout?: number | undefined
  /** How often a request that is safe to repeat is retried; default 3. */
  readonly maxRetries?: number | undefined
  /** Another `fetch`, for example with a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Options with which every call would fail are refused by the constructor. The messages contain no key. */
const check = ({ apiKey, baseUrl, maxRetries, timeout }: Connection): void => {
  if (!apiKey) throw new TypeError("Marketplace needs an apiKey")
  if (!baseUrl)
    throw new TypeError(
      "Marketplace needs a baseUrl: the market's address, such as https://market.example.com (is MARKETPLACE_URL set?)"
    )
  if (!isMarketUrl(baseUrl))
    throw new TypeError("baseUrl must be an http or https URL without user name, query and fragment")
  if (!(maxRetries >= 0)) throw new TypeError("maxRetries must be a number of 0 or more")
  if (!(timeout > 0)) throw new TypeError("timeout must be a number of milliseconds above 0")
}

/** Has every operation of the table as a property. */
const Operations = function (this: object, send: Send) {
  Object.assign(this, bindOperations(operations, send))
} as unknown as new (send: Send) => BoundOperations<typeof operations>

/**
 * The market from your code (CLIENT-1).
 *
 * ```ts
 * const market = new Marketplace({ apiKey, baseUrl })
 * const { skills } = await market.skills.list({ query: "mail", maxPrice: 20 })
 * const bought = await market.skills.buy({ skillId: skills[0].id })
 * ```
 *
 * Every operation returns a promise and takes `{ signal, timeout }` last; it rejects with a `MarketplaceError`.
 */
export class Marketplace extends Operations {
  constructor(options: MarketplaceOptions) {
    const { agentId, apiKey, baseUrl = "", fetch = globalThis.fetch, maxRetries = 3, timeout = 30_000 } = { ...options }
    const connection = { apiKey, baseUrl, agentId, timeout, maxRetries, fetch }
    check(connection)
    super(makeSend({ ...connection, baseUrl: baseUrl.replace(/\/+$/, "") }))
  }
}

export { verifyLicense } from "./licenses/verifyLicense.ts"
