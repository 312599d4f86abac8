import type { Marketplace } from "@agent-marketplace/client"
import type { NewAccount, SignUp } from "@agent-marketplace/client/wire/Endpoints"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { OperatorCalls } from "./calls/operatorCalls.ts"
import type { SimulationCalls } from "./calls/simulationCalls.ts"
import type { EventsOptions, Happening } from "./events/Happening.ts"

/**
 * A market in your program. Every call gives a promise; an expected failure rejects with a `MarketplaceError`, whose `code`, `message`
 * and `details` are those of the HTTP API.
 */
export interface EmbeddedMarket {
  /**
   * The market for one caller: whoever holds an API key, or one of the host's own users, who gets an account when first seen. What can be
   * called is what the client library has, with the same checks, in this process and without limits.
   */
  readonly as: (caller: string | HostUser) => Marketplace
  /** Makes an account and its first key, which is shown this once. */
  readonly createAccount: (wish: SignUp) => Promise<NewAccount>
  /** The host as its market's operator. */
  readonly operator: OperatorCalls
  /**
   * Everything that happens, each event once and in order, from the beginning or behind a cursor. Keep the cursor of the last event that
   * was dealt with to go on there after a restart. It ends with `signal`, with `break`, or with the market.
   */
  readonly events: (options?: EventsOptions) => AsyncIterable<Happening>
  /** Rejects with `NOT_FOUND` where the chain is not simulated, or the time is not to be moved. */
  readonly simulation: SimulationCalls
  /** The whole HTTP API. `address` is the client's, for limits per address; without it all clients count as one. */
  readonly fetch: (request: Request, address?: string) => Promise<Response>
  /** The same for `node:http`, Express and Fastify: mount it before anything that reads bodies. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Waits for what is under way, answers that are still being read among it, at most ten seconds, then ends everything. Afterwards calls reject with `INTERNAL_ERROR` and requests are
   * answered with 503. Closing again is the same promise.
   */
  readonly close: () => Promise<void>
}
