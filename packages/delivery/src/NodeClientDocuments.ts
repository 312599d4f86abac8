import { ClientDocuments, DocumentUnavailable } from "@agent-marketplace/core/oauth/ClientDocuments"
import { Effect, Layer } from "effect"
import { makeNameResolver } from "./NameResolver.ts"
import { readDocument } from "./readDocument.ts"
import type { TargetAccess } from "./ReceiverAddressRules.ts"
import { makeReceiverAgents } from "./ReceiverAgents.ts"

/** Reads documents with the checks and limits of webhooks (OAUTH-15). */
export const NodeClientDocuments = {
  layer: (options: { readonly access: TargetAccess }) =>
    Layer.effect(
      ClientDocuments,
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => makeReceiverAgents({ ...options, resolve: makeNameResolver() })),
          (agents) => Effect.sync(agents.close)
        ),
        (agents) => ({
          read: (url) =>
            Effect.callback<unknown, DocumentUnavailable>((resume) => {
              const cancel = readDocument(agents, url, {
                found: (document) => resume(Effect.succeed(document)),
                failed: (reason) => resume(Effect.fail(new DocumentUnavailable({ reason })))
              })
              return Effect.sync(cancel)
            })
        })
      )
    )
}
