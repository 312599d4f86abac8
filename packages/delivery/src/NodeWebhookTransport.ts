import { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { Effect, Layer } from "effect"
import { makeNameResolver } from "./NameResolver.ts"
import { postToReceiver } from "./postToReceiver.ts"
import type { TargetAccess } from "./ReceiverAddressRules.ts"
import { makeReceiverAgents } from "./ReceiverAgents.ts"

/** Sends over Node's own HTTP client, on connections that are kept alive. */
export const NodeWebhookTransport = {
  layer: (options: { readonly access: TargetAccess }) =>
    Layer.effect(
      WebhookTransport,
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => makeReceiverAgents({ ...options, resolve: makeNameResolver() })),
          (agents) => Effect.sync(agents.close)
        ),
        (agents) => ({
          send: (request) =>
            Effect.callback((resume) => {
              const cancel = postToReceiver(agents, request, (outcome) => resume(Effect.succeed(outcome)))
              return Effect.sync(cancel)
            })
        })
      )
    )
}
