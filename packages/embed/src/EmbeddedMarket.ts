import type { Marketplace } from "@agent-marketplace/client"
import type { CallOptions } from "@agent-marketplace/client/requests/Send"
import type { AgentInput, NewAccount, RegisteredAgent, SignUp } from "@agent-marketplace/client/wire/Endpoints"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { SimulationCalls } from "./calls/simulationCalls.ts"
import type { EventsOptions, MarketEvent } from "./events/MarketEvent.ts"
import type { OperatorCalls } from "./operator/operatorCalls.ts"

/**
 * A market inside your program. Every call returns a promise; an expected failure rejects with a `MarketplaceError`, whose `code`,
 * `message` and `details` are those of the HTTP API.
 */
export interface EmbeddedMarket {
  /**
   * The market for one caller: an API key, or one of the host's own users, whose account is created by the first call. It has the operations
   * of the client library, with the same checks, in this process and without rate limits.
   */
  readonly as: (caller: string | HostUser) => Marketplace
  /** Creates an account and its first key, which is shown only here. */
  readonly createAccount: (input: SignUp, options?: CallOptions) => Promise<NewAccount>
  /** Registers an agent without an owner. The result has its key, and the code with which an owner claims it. */
  readonly registerAgent: (input: AgentInput, options?: CallOptions) => Promise<RegisteredAgent>
  /** The operator's calls: reviews, accounts, keys, purchases, withdrawals, payouts, the action log and the audit (EMBED-7). */
  readonly operator: OperatorCalls
  /**
   * All events of the market, each once and in order, from the first one or after a cursor. Store the cursor of the last handled event
   * to continue there after a restart. `event` determines the type of `data`. Ends with `signal`, with `break`, or with the market.
   */
  readonly events: (options?: EventsOptions) => AsyncIterable<MarketEvent>
  /** Rejects with `NOT_FOUND` if the chain is not simulated, or `testClock` is off. */
  readonly simulation: SimulationCalls
  /** The whole HTTP API. `address` is the client's address, for limits per address; without it all clients share one. */
  readonly fetch: (request: Request, address?: string) => Promise<Response>
  /** The same for `node:http`, Express and Fastify: mount it before anything that reads bodies. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * The WebSocket `/api/v1/ws`, for the event `upgrade` of a `node:http` server: `server.on("upgrade", market.upgrade)`. A fetch handler cannot
   * carry it. If the server has other WebSockets, call it for the paths of the market alone.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /**
   * Waits up to ten seconds for calls and responses in progress, then closes the market. Afterwards calls reject with `SERVICE_UNAVAILABLE` and
   * requests get 503. Every call returns the same promise.
   */
  readonly close: () => Promise<void>
}
