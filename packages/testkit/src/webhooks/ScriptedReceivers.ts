import { UrlGuard, UrlRefused } from "@agent-marketplace/core/webhooks/UrlGuard"
import type { SendOutcome, SendRequest } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { Context, Effect, Layer } from "effect"

type Script = (request: SendRequest) => Effect.Effect<SendOutcome>

/** An answer of that status. */
export const answer = (statusCode: number, retryAfter: string | null = null): SendOutcome => ({
  _tag: "Answered",
  statusCode,
  retryAfter,
  body: `said ${statusCode}`,
  durationMs: 3
})

/** Every receiver there is: what they got, and what they answer. The guard refuses what is not HTTPS. */
export class ScriptedReceivers extends Context.Service<
  ScriptedReceivers,
  {
    readonly requests: ReadonlyArray<SendRequest>
    /** 200 until it is told otherwise. */
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
