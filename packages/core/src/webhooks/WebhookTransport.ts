import type { Effect } from "effect"
import { Context } from "effect"

export interface SendRequest {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The total time limit: name resolution, connection, request and response. */
  readonly timeoutMs: number
}

/** The result of a request. `durationMs` is real time on a monotonic clock. */
export type SendOutcome =
  | {
      readonly _tag: "Answered"
      readonly statusCode: number
      /** The `Retry-After` header, unchanged. */
      readonly retryAfter: string | null
      /** At most the first 2,048 characters. Invalid UTF-8 is replaced, NUL is dropped. */
      readonly body: string
      readonly durationMs: number
    }
  | {
      readonly _tag: "Failed"
      /** For the delivery log: a short description of the error, without stack, secret or internal address. */
      readonly error: string
      readonly durationMs: number
    }

/**
 * Sends one request to a receiver.
 *
 * Contract: never fails; every error (refused by the guard, name unknown, connection refused or reset, bad
 * certificate, too slow, no HTTP) is a `Failed` outcome. POST, over HTTPS only unless private targets are allowed. At each connection
 * the name is resolved, every address is checked as `UrlGuard` does, and the connection goes to the address that was checked; a
 * connection that is kept alive counts as checked. Redirects are not followed: a 3xx is a response. A response counts once its headers
 * have arrived in time. No more of the body is read than is kept, and no longer than the time limit: the request then ends as `Answered` with the part received, and
 * the connection is closed. An interruption closes the connection immediately.
 */
export class WebhookTransport extends Context.Service<
  WebhookTransport,
  { readonly send: (request: SendRequest) => Effect.Effect<SendOutcome> }
>()("@agent-marketplace/core/webhooks/WebhookTransport") {}
