import type { Effect } from "effect"
import { Context } from "effect"

export interface SendRequest {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How long it may take in all: name, connection, request, answer. */
  readonly timeoutMs: number
}

/** What became of a request. `durationMs` is real time on a monotonic clock. */
export type SendOutcome =
  | {
      readonly _tag: "Answered"
      readonly statusCode: number
      /** The header `Retry-After` as it came. */
      readonly retryAfter: string | null
      /** At most the first 2,048 characters; what is no UTF-8 is replaced, NUL is dropped. */
      readonly body: string
      readonly durationMs: number
    }
  | {
      readonly _tag: "Failed"
      /** For the delivery log: what went wrong in a few words, without stack, secret or internal address. */
      readonly error: string
      readonly durationMs: number
    }

/**
 * Sends one request to a receiver.
 *
 * Contract: never fails; whatever goes wrong (refused by the guard, name unknown, connection refused or reset, bad
 * certificate, too slow, no HTTP) is a `Failed` outcome. POST, over HTTPS only unless private targets are allowed. At each connection
 * the name is resolved, every address is checked as `UrlGuard` does, and the connection goes to the address that was checked; a
 * connection that is kept alive counts as checked. Redirects are not followed: a 3xx is an answer. An answer counts once its headers
 * have come within the time; of the body no more is read than is kept, nor past the time: the request then ends as `Answered` with what came, and
 * the connection is given up. Interrupting it gives the connection up at once.
 */
export class WebhookTransport extends Context.Service<
  WebhookTransport,
  { readonly send: (request: SendRequest) => Effect.Effect<SendOutcome> }
>()("@agent-marketplace/core/webhooks/WebhookTransport") {}
