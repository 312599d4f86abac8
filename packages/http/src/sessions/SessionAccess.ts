import { Conflict, Forbidden } from "@agent-marketplace/core/errors/MarketError"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import type { RelyingParty } from "@agent-marketplace/core/passkeys/RelyingParty"
import type { SignedIn } from "@agent-marketplace/core/sessions/SessionStore"
import { matchesSecret } from "@agent-marketplace/telemetry/SharedSecret"
import { hash } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { makeSameOrigin } from "../edge/SameOrigin.ts"
import { nodeRelyingParty } from "../passkeys/NodeRelyingParty.ts"
import { relyingPartyOf } from "../passkeys/relyingPartyOf.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import type { SessionCookie } from "./SessionCookie.ts"
import { makeSessionCookie } from "./SessionCookie.ts"

/** The header that pages of other origins cannot send, because CORS never allows it (SESSION-4). */
const pageHeader = "x-requested-with"

const notSameOrigin = new Forbidden({ required: ["same origin"] })

/** The rules for requests of people in a browser, the same for every endpoint. */
export class SessionAccess extends Context.Service<
  SessionAccess,
  {
    /**
     * Fails where people cannot sign in: a host identifies its own users (SESSION-19), or the cookie would travel over an open network
     * (SESSION-21).
     */
    readonly cookie: Effect.Effect<SessionCookie, Forbidden>
    /** The identity of this service for passkeys. Fails with `passkeys_off` and the reason if passkeys cannot work (PASSKEY-8). */
    readonly relyingParty: Effect.Effect<RelyingParty, Conflict>
    /** Fails unless the request comes from a page of this service (SESSION-4). */
    readonly checkPage: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Forbidden>
    /** Fails if the request shows that it comes from a page of another origin (SESSION-5). */
    readonly checkSignIn: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Forbidden>
    /** Whether this is the operator's token, and its digest, which sessions of the token contain (SESSION-15). */
    readonly isOperatorToken: (token: string) => boolean
    readonly operatorTokenHash: string | null
    /** Whether the session belongs to an operator's token that is not this service's any more. */
    readonly isOutdated: (signedIn: SignedIn) => boolean
  }
>()("@agent-marketplace/http/sessions/SessionAccess") {
  static readonly layer = Layer.effect(
    SessionAccess,
    Effect.gen(function* () {
      const { adminToken, allowedHosts = [], baseUrl } = yield* HttpOptions
      const users = yield* HostUsers
      const sameOrigin = makeSameOrigin(baseUrl, allowedHosts)
      const operatorTokenHash =
        adminToken === null ? null : hash("sha256", `operator-token:${Redacted.value(adminToken)}`, "hex")

      const cookieOrReason = (): SessionCookie | Forbidden => {
        if (users !== null) return new Forbidden({ required: ["host application"] })
        return makeSessionCookie(baseUrl) ?? new Forbidden({ required: ["https"] })
      }
      const found = cookieOrReason()

      const place = relyingPartyOf(baseUrl)
      const party = place._tag === "On" ? nodeRelyingParty(place.id, place.origin) : null
      const rule = place._tag === "On" ? "" : place.rule

      return {
        relyingParty:
          party === null ? Effect.fail(new Conflict({ state: "passkeys_off", reason: rule })) : Effect.succeed(party),
        cookie: found instanceof Forbidden ? Effect.fail(found) : Effect.succeed(found),
        checkPage: (request) => {
          if (!sameOrigin.isOwnPage(request)) return Effect.fail(notSameOrigin)
          return request.headers[pageHeader] === "console"
            ? Effect.void
            : Effect.fail(new Forbidden({ required: ["X-Requested-With: console"] }))
        },
        checkSignIn: (request) => (sameOrigin.isForeignPage(request) ? Effect.fail(notSameOrigin) : Effect.void),
        isOperatorToken: matchesSecret(adminToken),
        operatorTokenHash,
        isOutdated: ({ session }) => session.tokenHash !== null && session.tokenHash !== operatorTokenHash
      }
    })
  )
}
