import { Forbidden } from "@agent-marketplace/core/errors/MarketError"
import { hash } from "node:crypto"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

export const notOwnForm = new Forbidden({ required: ["same origin"] })

/** What protects the forms of pages without scripts from other sites (OAUTH-22, APPROVAL-10). */
export const FormProtection = {
  /** A form of another site is refused. With the referrer policy of these pages browsers may send `Origin: null`. */
  check: (issuer: string, { headers }: HttpServerRequest.HttpServerRequest): Effect.Effect<void, Forbidden> => {
    const { origin, "sec-fetch-site": site } = headers
    const own = site === undefined ? origin === new URL(issuer).origin : site === "same-origin"
    return own ? Effect.void : Effect.fail(notOwnForm)
  },
  /** The token that only a form for this subject contains, shown to the person with this secret. */
  token: (purpose: "consent" | "approval", secret: string, subject: string): string =>
    hash("sha256", `${purpose}:${secret}:${subject}`, "base64url")
} as const
