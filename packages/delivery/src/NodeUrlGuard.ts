import { UrlGuard, UrlRefused } from "@agent-marketplace/core/webhooks/UrlGuard"
import { Effect, Layer } from "effect"
import { isIP } from "node:net"
import { makeNameResolver } from "./NameResolver.ts"
import type { NameResolver } from "./NameResolver.ts"
import type { TargetAccess } from "./ReceiverAddressRules.ts"
import { faultOfTarget, hostOf, isLoopbackHost, publicAddressesOf, TargetRefused } from "./ReceiverAddressRules.ts"

export interface UrlGuardOptions {
  readonly access: TargetAccess
  /** The name servers by default. */
  readonly resolve?: NameResolver | undefined
}

/** A name that takes longer to resolve is accepted here: each connection checks it again. */
const nameTimeout = "2 seconds"

const refusedName = (name: string, resolve: NameResolver): Effect.Effect<UrlRefused | undefined> =>
  Effect.callback<UrlRefused | undefined>((resume) => {
    publicAddressesOf(name, resolve).then(
      () => resume(Effect.undefined),
      (error: unknown) =>
        resume(Effect.succeed(error instanceof TargetRefused ? new UrlRefused({ reason: error.message }) : undefined))
    )
  }).pipe(Effect.timeoutOrElse({ duration: nameTimeout, orElse: () => Effect.undefined }))

/** Refuses URLs of receivers that are not public: when a webhook is created and before each attempt. */
export const NodeUrlGuard = {
  layer: ({ access, resolve = makeNameResolver() }: UrlGuardOptions) =>
    Layer.succeed(UrlGuard, {
      check: Effect.fn("UrlGuard.check")(function* (url) {
        const reason = faultOfTarget(url, access)
        if (reason !== undefined) return yield* new UrlRefused({ reason })
        const host = hostOf(new URL(url))
        if (access === "any" || isIP(host) !== 0 || (access === "loopback" && isLoopbackHost(host))) return
        const refused = yield* refusedName(host, resolve)
        if (refused !== undefined) return yield* refused
      })
    })
}
