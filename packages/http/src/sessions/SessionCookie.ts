import { longestSession } from "@agent-marketplace/core/sessions/Session"
import { SessionSecret } from "@agent-marketplace/core/sessions/SessionSecret"
import type { HttpServerRequest } from "effect/http"
import { isLoopbackName } from "../edge/TrustedHost.ts"

/** The secret in a request's cookie. `Repeated`: there are two cookies of that name, and the service cannot know which one it has set. */
export type PresentedSession =
  { readonly _tag: "Missing" } | { readonly _tag: "Repeated" } | { readonly _tag: "Secret"; readonly secret: string }

/** The cookie that identifies a session (SESSION-2). */
export interface SessionCookie {
  readonly read: (request: HttpServerRequest.HttpServerRequest) => PresentedSession
  /** The value of `Set-Cookie`. */
  readonly set: (secret: string) => string
  readonly remove: string
}

const seconds = longestSession / 1000

/**
 * Over HTTPS the name starts with `__Host-`, which makes browsers refuse it from other hosts, other paths and plain HTTP. Null if sessions are
 * off, because the service is reached over plain HTTP and not on a loopback name (SESSION-21).
 */
export const makeSessionCookie = (baseUrl: string | undefined): SessionCookie | null => {
  if (baseUrl === undefined) return null
  const { hostname, protocol } = new URL(baseUrl)
  const secure = protocol === "https:"
  if (!secure && !isLoopbackName(hostname.replace(/^\[|\]$/g, ""))) return null
  const name = secure ? "__Host-session" : "session"
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`
  return {
    // Other programs on this host may use the same name, so only values of this form count.
    read: ({ headers }) => {
      const values = (headers["cookie"] ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
        .filter((value) => SessionSecret.isWellFormed(value))
      const [secret] = values
      if (secret === undefined) return { _tag: "Missing" }
      return values.length > 1 ? { _tag: "Repeated" } : { _tag: "Secret", secret }
    },
    set: (secret) => `${name}=${secret}; Max-Age=${seconds}; ${attributes}`,
    remove: `${name}=; Max-Age=0; ${attributes}`
  }
}
