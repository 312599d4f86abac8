import type { Effect } from "effect"
import { Context, Data } from "effect"

/** The URL is not allowed for a receiver. `reason` completes the sentence "the url …", as in "must not point to a private address". */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: string }> {}

/**
 * Checks whether a URL is allowed for a receiver, when a subscription is created or its URL is changed.
 *
 * Contract: refuses what is not HTTPS, what carries credentials, and what is or resolves to a private, loopback, link-local or otherwise
 * reserved address, in whatever notation; with `WEBHOOK_ALLOW_PRIVATE` plain HTTP and such addresses pass (WEBHOOK-10). A name that does not
 * resolve now, or not within two seconds, passes: each connection is checked again, and that check decides.
 */
export class UrlGuard extends Context.Service<
  UrlGuard,
  { readonly check: (url: string) => Effect.Effect<void, UrlRefused> }
>()("@agent-marketplace/core/webhooks/UrlGuard") {}
