import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Scope } from "./ApiKey.ts"

/** One of the host's own users, as the host vouches for him now. */
export interface HostUser {
  /** The host's own id of the user: it never changes and is never given to another. 1 to 255 characters, shown to nobody. */
  readonly id: string
  /** The name of the account that is made when the user is first seen; later the account's own name stands. 1 to 100 characters. */
  readonly name: string
  /** Of the account that is made; the same rule as over HTTP. Shown to nobody else. */
  readonly email?: string | null | undefined
  /** Whether the account that is made may create listings; false where absent. */
  readonly seller?: boolean | undefined
  /** What this session may do (SCOPE-5); FULL where absent. */
  readonly scope?: Scope | undefined
  /** The session is this agent's, which must be the user's: then it is refused whatever an agent's key is refused. */
  readonly agentId?: string | undefined
}

/**
 * What an adapter does. Contract: it answers from what is presented alone, and null for everything that it does not know or no longer
 * believes; what a stranger presents is never an error. The same user has the same id on every process and for ever. It is asked
 * for each request, so that the host ends a session by answering null. It fails only where the host cannot tell now.
 */
export interface HostUserSource {
  /** `presented`: the headers, by their names in lower case. */
  readonly recognise: (
    presented: Readonly<Record<string, string | undefined>>
  ) => Effect.Effect<HostUser | null, StoreUnavailable>
}

/**
 * The port to the users that a host already has: who is behind a request that carries no key of the market's own. Where nothing is
 * provided there are only the built-in keys; otherwise they go on working beside it, and nobody but the market looks at them.
 */
export class HostUsers extends Context.Reference<HostUserSource | null>("@agent-marketplace/core/identity/HostUsers", {
  defaultValue: () => null
}) {}
