import type { Effect } from "effect"
import { Context } from "effect"
import type { DomainCheck } from "./Domain.ts"

/**
 * Looks for a token at a domain (DOMAIN-3).
 *
 * Contract: queries the TXT records of the domain, and requests `https://<domain>/.well-known/agent-marketplace.txt` with the checks and from the
 * addresses that are allowed for webhooks. Redirects are not followed, at most 8 KiB are read, and a check takes at most ten seconds. A reason
 * never contains an address that the domain resolved to.
 */
export class DomainProofs extends Context.Service<
  DomainProofs,
  { readonly check: (domain: string, token: string) => Effect.Effect<DomainCheck> }
>()("@agent-marketplace/core/domains/DomainProofs") {}
