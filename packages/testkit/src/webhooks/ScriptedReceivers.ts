import { UrlGuard, UrlRefused } from "@agent-marketplace/core/webhooks/UrlGuard"
import type { SendOutcome, SendRequest } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { Context, Effect, Layer } from "effect"

type Script = (request: SendRequest) => Effect.Effect<SendOutcome>

/** A response with the given status. */
export const answer = (statusCode: number, retryAfter: string | null = null): SendOutcome => ({
  _tag: "Answered",
  statusCode,
  retryAfter,
  body: `said ${statusCode}`,
  durationMs: 3
})

/** Simulated receivers: the deliveries that they received and their responses. The guard refuses URLs that are not HTTPS. */
export class ScriptedReceivers extends Context.Service<
  ScriptedReceivers,
  {
    readonly requests: ReadonlyArray<SendRequest>
    /** 200 by default. */
    readonly answerWith: (script: Script) => void
  }
>()("@agent-marketplace/testkit/webhooks/ScriptedReceivers") {
  static readonly layer = Layer.effectContext(
    Effect.sync(() => {
      const requests: Array<SendRequest> = []
      let script: Script = () => Effect.succeed(answer(200))
      const receivers = ScriptedReceivers.of({
        requests,
        answerWith: (next) => {
          script = next
        }
      })
      const transport = WebhookTransport.of({
        send: (request) =>
          Effect.suspend(() => {
            requests.push(request)
            return script(request)
          })
      })
      const guard = UrlGuard.of({
        check: (url) =>
          url.startsWith("https://") ? Effect.void : Effect.fail(new UrlRefused({ reason: "must be an HTTPS URL" }))
      })
      return Context.make(ScriptedReceivers, receivers).pipe(
        Context.add(WebhookTransport, transport),
        Context.add(UrlGuard, guard)
      )
    })
  )
}
