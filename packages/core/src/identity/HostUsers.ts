import { Context } from "effect"
import type { Scope } from "./ApiKey.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** A user of the host application, as the host has authenticated it. */
export interface HostUser {
  /** The host's id of the user: it never changes and is never reused. 1 to 255 characters, never shown. */
  readonly id: string
  /** The name of the account that is created for a new user, 1 to 100 characters. Later the account's own name is used. */
  readonly name: string
  /** The e-mail address of the new account, with the same rule as over HTTP. Never shown to others. */
  readonly email?: string | null | undefined
  /** Whether the new account may create listings; false if absent. */
  readonly seller?: boolean | undefined
  /** What this session may do (SCOPE-5); FULL if absent. */
  readonly scope?: Scope | undefined
  /** The agent, one of the user's, for which the session acts. The limits of an agent's key then apply. */
  readonly agentId?: string | undefined
}

/**
 * Implemented by the host's adapter. Contract: the result depends only on the presented headers, and is null for credentials that it does not
 * know or no longer accepts; unknown credentials are not an error. A user has the same id on every process, permanently. It is called for each
 * request, so the host ends a session by returning null. It fails only if the host cannot decide now.
 */
export interface HostUserSource {
  /** `presented`: the request's headers, with names in lower case. */
  readonly recognise: (presented: Readonly<Record<string, string | undefined>>) => StoreEffect<HostUser | null>
}

/**
 * The port to the host's users: identifies the user of a request without a key of the market. Without an implementation, only the market's
 * own keys are accepted. With one, those keys continue to work, and they are never passed to the host.
 */
export class HostUsers extends Context.Reference<HostUserSource | null>("@agent-marketplace/core/identity/HostUsers", {
  defaultValue: () => null
}) {}
