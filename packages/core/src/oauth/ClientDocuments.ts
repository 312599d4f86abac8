import type { Effect } from "effect"
import { Context, Data } from "effect"

/** A document could not be read. `reason` completes the sentence "the client's metadata document …". */
export class DocumentUnavailable extends Data.TaggedError("DocumentUnavailable")<{ readonly reason: string }> {}

/**
 * Reads the metadata documents of clients (OAUTH-15).
 *
 * Contract: GET, to addresses that webhooks may go to and by the same checks: the connection goes to an address that was checked. Redirects are
 * not followed, only a 200 of type JSON counts, at most 8 KiB are read, and it takes at most five seconds. The failure names no
 * internal address.
 */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  { readonly read: (url: string) => Effect.Effect<unknown, DocumentUnavailable> }
>()("@agent-marketplace/core/oauth/ClientDocuments") {}
